internal import CFileSystem

/// What the machine says of itself.
package enum Host {
    /// The processors that this process may use; at least 1.
    package static var processorCount: Int { max(1, Int(cfs_processor_count())) }
    /// Nanoseconds of a clock that only goes forward.
    package static var uptime: UInt64 { cfs_uptime_nanoseconds() }
    /// Whether the descriptor is a person's terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool { cfs_is_terminal(descriptor) }
}
