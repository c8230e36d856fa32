import CommandLineSupport
import SandboxlintCommands

ToolProcess.run(Sandboxlint.self)
