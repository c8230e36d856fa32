internal import CFileSystem
package import SystemPackage

/// The input of a password. A password is never an argument, which other processes could see.
package enum PasswordInput {
    /// The maximum size of a password file in bytes.
    package static let maximumSize = 64 << 10

    /// Reads a password file: UTF-8, or UTF-16 with a byte order mark. The file is read once, so it may be a pipe such as
    /// `/dev/fd/63`.
    ///
    /// - Returns: The text with its line breaks, or nil for other bytes.
    /// - Throws: `FileSystemError`; `Errno.fileTooLarge` above the maximum size.
    package static func text(ofFile path: FilePath) throws(FileSystemError) -> String? {
        let start = Folder.start(of: path)
        let bytes = try read("read the password file", path: path) { buffer, size in
            path.withPlatformString { cfs_read_stream(start, $0, buffer, size) }
        }
        guard bytes.count <= maximumSize else {
            throw FileSystemError("read the password file", path: path, errno: .fileTooLarge)
        }
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xfe, 0xff): return text(bytes.dropFirst(2)) { UInt16($0) << 8 | UInt16($1) }
        case (0xff, 0xfe): return text(bytes.dropFirst(2)) { UInt16($1) << 8 | UInt16($0) }
        default: return text(bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...])
        }
    }

    /// Returns the password in a file: its text without one line break at the end.
    ///
    /// - Returns: Nil if the file is not text.
    /// - Throws: As `text(ofFile:)`.
    package static func password(inFile path: FilePath) throws(FileSystemError) -> String? {
        try text(ofFile: path).map(withoutLineBreak)
    }

    /// Asks the user for a password on the terminal, which does not show it.
    ///
    /// - Returns: Nil if the process has no terminal, or if the user enters nothing or text that is not UTF-8.
    package static func askTerminal(_ prompt: String) -> String? {
        let bytes = try? read("read from the terminal", path: "/dev/tty") { cfs_ask_terminal(prompt, $0, $1) }
        let password = bytes.flatMap { text($0[...]) }.map(withoutLineBreak)
        return password?.isEmpty == false ? password : nil
    }

    /// Lets the terminal show its input again if a signal ends the process during `askTerminal`.
    package static func restoreTerminal() { cfs_restore_echo() }

    /// Reads one byte more than the maximum size.
    private static func read(
        _ operation: String, path: FilePath, _ read: (UnsafeMutablePointer<CChar>?, Int) -> Int
    ) throws(FileSystemError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: maximumSize + 1) { buffer, count in
            let result = buffer.withMemoryRebound(to: CChar.self) { read($0.baseAddress, $0.count) }
            failure = Int32(min(0, result))
            count = max(0, result)
        }
        try succeed(failure, operation: operation, path)
        return bytes
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        // Each repair changes the bytes.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    private static func text(_ bytes: ArraySlice<UInt8>, _ unit: (UInt8, UInt8) -> UInt16) -> String? {
        guard bytes.count % 2 == 0 else { return nil }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
        let text = String(decoding: units, as: UTF16.self)
        return text.utf16.elementsEqual(units) ? text : nil
    }

    private static func withoutLineBreak(_ text: String) -> String {
        var bytes = Array(text.utf8)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
