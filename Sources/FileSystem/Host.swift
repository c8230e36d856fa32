internal import CFileSystem
package import SystemPackage

/// Properties and services of the host system.
package enum Host {
    /// The number of processors available to this process, at least 1.
    package static var processorCount: Int { max(1, Int(cfs_processor_count())) }
    /// The value of a monotonic clock in nanoseconds.
    package static var uptime: UInt64 { cfs_uptime_nanoseconds() }
    /// The value of a monotonic clock in nanoseconds, with a resolution of a few milliseconds.
    package static var coarseUptime: UInt64 { cfs_coarse_uptime_nanoseconds() }
    /// The effective user ID.
    package static var user: UInt32 { cfs_user() }
    /// Prevents this process from downloading files that are not on this disk, and from changing access times, where these
    /// are properties of a process (Darwin). Must be called before any file is read.
    package static func leaveFilesUntouched() { _ = cfs_leave_files_untouched() }
    /// True if this process may have changed the access time of a file or directory that it read: on Linux only the owner
    /// can prevent that, on Darwin `leaveFilesUntouched()`.
    package static var movesAccessTimes: Bool { cfs_moves_access_times() }
    /// True if the status of a file shows whether its content was evicted, as on Darwin (`FileStatus.isDataless`).
    package static var marksEvictedFiles: Bool { cfs_marks_evicted_files() }
    /// Returns true if the descriptor is a terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool { cfs_is_terminal(descriptor) }
    /// Returns the number of columns of a terminal, or nil if the descriptor is not a terminal or the number is unknown.
    package static func terminalColumns(_ descriptor: Int32) -> Int? {
        let columns = Int(cfs_terminal_columns(descriptor))
        return columns > 0 ? columns : nil
    }

    /// The variables of the environment of this process.
    package static var environment: [String: String] {
        var variables: [String: String] = [:]
        var index = 0
        while let variable = cfs_variable(index) {
            index += 1
            let text = String(cString: variable)
            guard let equals = text.firstIndex(of: "=") else { continue }
            variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        return variables
    }

    /// The absolute path of the working directory of this process; empty if it has none that can be read.
    package static var workingDirectory: FilePath {
        var bytes = [CChar](repeating: 0, count: 4_096)
        let length = cfs_working_directory(&bytes, bytes.count)
        return length > 0 ? FilePath(bytes: bytes[..<length].map { UInt8(bitPattern: $0) }) : FilePath()
    }

    /// Reads a line from a descriptor, byte by byte, and returns it without its end; nil at the end of the input.
    package static func readLine(from descriptor: Int32) -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while case let count = cfs_read_next(descriptor, &byte, 1), count != 0 {
            if count == -Int(Errno.interrupted.rawValue) { continue }
            guard count > 0 else { break }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// Reads a key from a terminal; nil at the end of the input.
    static func readKey(from descriptor: Int32) -> UInt8? {
        var byte: UInt8 = 0
        return cfs_read_key(descriptor, &byte) == 1 ? byte : nil
    }

    /// Writes all bytes and waits for a slow reader. Returns the error that prevented it, or nil.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Errno? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { cfs_write(descriptor, $0.baseAddress, $0.count) }
            switch Errno(rawValue: Int32(clamping: -min(0, written))) {
            case .interrupted: continue
            // Another process may have made the shared terminal non-blocking.
            case .wouldBlock: cfs_pause(1)
            case let failure where written < 0: return failure
            default: rest = rest.dropFirst(written)
            }
        }
        return nil
    }

    /// Installs handlers for SIGINT, SIGTERM and SIGHUP that call `end` with the signal's number on a separate thread; `end`
    /// ends the process. Ignores SIGPIPE, so that a write to a closed pipe is an error.
    package static func handleTerminationSignals(_ end: @convention(c) (Int32) -> Void) {
        _ = cfs_handle_termination_signals(end)
    }

    /// Returns immediately unless a signal is ending the process; in that case it never returns.
    package static func waitIfTerminating() { cfs_wait_if_terminating() }
}
