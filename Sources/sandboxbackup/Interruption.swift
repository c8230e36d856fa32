import ContainerBackup
import Foundation

/// Ctrl-C.
enum Interruption {
    /// Ends the tool with code 130 when a person interrupts it. Nothing waits to be tidied up: what the tool writes is
    /// whole or not there. Only a run of another tool ends by itself, when it has told that tool.
    static func endWithItsCode() { signal(SIGINT) { _ in if !EngineInterruption.request() { _exit(130) } } }
}
