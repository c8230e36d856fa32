internal import BackupRepository
internal import Foundation

/// The lines that a program prints, as far as they come to an end.
struct EngineOutput {
    /// So many lines any run may print, beside a thousand for each second. restic tells five times a second how far it
    /// is.
    static let mostLines = 100_000
    private static let linesPerSecond = 1_000.0
    /// A snapshot's record is one line of restic's, with all that it began with.
    private static let maximumLine = 64 << 20

    private let mostLines: Int
    private let name: String
    private let begun = ContinuousClock.now

    init(mostLines: Int, of name: String) {
        self.mostLines = mostLines
        self.name = name
    }

    /// Reads a program's output to its end, line by line.
    ///
    /// - Throws: `failed` for more than may be; what `eachLine` throws.
    func readLines(
        of output: FileHandle, _ eachLine: (Data) throws(BackupError) -> Void
    ) throws(BackupError) {
        var (rest, lines) = (Data(), 0)
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { piece.deallocate() }
        while true {
            // A handle's own `read` waits until there is as much as it is asked for, and so for the end.
            let count = read(output.fileDescriptor, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw BackupError(.failed, "what a tool says cannot be read") }
            if count == 0 { break }
            // What was left of the last piece has no end of a line in it.
            var (start, known) = (0, rest.count)
            rest += piece[..<count]
            while let length = rest.withUnsafeBytes({ Self.endOfLine(in: $0, from: known) }) {
                lines += 1
                try eachLine(rest.subdata(in: start..<length))
                start = length + 1
                known = start
            }
            // A line that goes on is not moved for each piece of it.
            if start > 0 { rest = rest.subdata(in: start..<rest.count) }
            let seconds = (ContinuousClock.now - begun) / .seconds(1)
            guard rest.count <= Self.maximumLine, Double(lines) <= Double(mostLines) + seconds * Self.linesPerSecond
            else { throw Self.tooMuch(of: name) }
        }
        if !rest.isEmpty { try eachLine(rest) }
    }

    static func tooMuch(of name: String) -> BackupError {
        BackupError(
            .failed, "\(name) printed without end and was stopped",
            hint: "look which program is called \(name) on the search path")
    }

    private static func endOfLine(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard let base = rest.baseAddress, let end = memchr(base, Int32(UInt8(ascii: "\n")), rest.count) else {
            return nil
        }
        return start + base.distance(to: end)
    }
}
