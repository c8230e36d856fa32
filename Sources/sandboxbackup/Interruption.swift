import Foundation

/// Ctrl-C.
enum Interruption {
    /// Ends the tool with code 130 when a person interrupts it. Nothing waits to be tidied up: what the tool writes is
    /// whole or not there.
    static func endWithItsCode() { signal(SIGINT) { _ in _exit(130) } }
}
