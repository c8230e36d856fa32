internal import CFileSystem
package import SystemPackage

/// What the machine says of itself.
package enum Host {
    /// The processors that this process may use; at least 1.
    package static var processorCount: Int { max(1, Int(cfs_processor_count())) }
    /// Nanoseconds of a clock that only goes forward.
    package static var uptime: UInt64 { cfs_uptime_nanoseconds() }
    /// The number of the user whose rights this process has.
    package static var user: UInt32 { cfs_user() }
    /// True once this process may have moved the access time of a file or directory that it read: only an owner may ask
    /// Linux to keep it. Always false on Darwin.
    package static var movesAccessTimes: Bool { cfs_moves_access_times() }
    /// Whether the descriptor is a person's terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool { cfs_is_terminal(descriptor) }
    /// The columns of the terminal that the descriptor is; nil where it is none or does not say.
    package static func terminalColumns(_ descriptor: Int32) -> Int? {
        let columns = Int(cfs_terminal_columns(descriptor))
        return columns > 0 ? columns : nil
    }

    /// Writes all of the bytes, waiting where the descriptor's reader is slow; gives what kept it from that.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Errno? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { cfs_write(descriptor, $0.baseAddress, $0.count) }
            switch Errno(rawValue: Int32(clamping: -min(0, written))) {
            case .interrupted: continue
            // Whoever shares the terminal may have had it not wait.
            case .wouldBlock: cfs_pause(1)
            case let failure where written < 0: return failure
            default: rest = rest.dropFirst(written)
            }
        }
        return nil
    }

    /// From now on Ctrl-C, and being told to end or that the terminal has gone, call `end` with the signal's number, on a thread
    /// of its own, which ends the process. A pipe that no one reads any more is an error of the write.
    package static func catchEndings(_ end: @convention(c) (Int32) -> Void) { _ = cfs_catch_endings(end) }

    /// Returns if the process has not been told to end; else never.
    package static func yieldToEnding() { cfs_yield_to_ending() }
}
