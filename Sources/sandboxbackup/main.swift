import CommandLineSupport
import SandboxbackupCommands

ToolProcess.run(Sandboxbackup.self)
