import CommandLineSupport
import SandboxfmCommands

ToolProcess.run(Sandboxfm.self)
