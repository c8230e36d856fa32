internal import Foundation

/// A bounded reader for the lines that a program prints.
package struct ProgramOutput {
    /// The number of lines that is always allowed, plus a thousand per second. restic reports its progress five times a
    /// second.
    package static let mostLines = 100_000
    private static let linesPerSecond = 1_000.0
    /// The maximum length of a line. restic prints the record of a snapshot, with all start paths, as one line.
    private static let maximumLine = 64 << 20

    private let mostLines: Int
    private let name: String
    private let begun = ContinuousClock.now

    init(mostLines: Int, of name: String) {
        self.mostLines = mostLines
        self.name = name
    }

    /// Reads the output of a program to its end, line by line.
    ///
    /// - Throws: `outputLimit`, `failed`; errors of `eachLine`.
    func readLines(of output: FileHandle, _ eachLine: (Data) throws -> Void) throws {
        var (rest, lines) = (Data(), 0)
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { piece.deallocate() }
        while true {
            // `FileHandle.read` would wait until all requested bytes are there.
            let count = read(output.fileDescriptor, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw ExternalProgramError(.failed, description: "the output of \(name) cannot be read")
            }
            if count == 0 { break }
            // The rest of the last read has no line end.
            var (start, known) = (0, rest.count)
            rest += piece[..<count]
            while let length = rest.withUnsafeBytes({ Self.endOfLine(in: $0, from: known) }) {
                lines += 1
                try eachLine(rest.subdata(in: start..<length))
                start = length + 1
                known = start
            }
            // A long line is not copied for each read.
            if start > 0 { rest = rest.subdata(in: start..<rest.count) }
            let seconds = (ContinuousClock.now - begun) / .seconds(1)
            guard rest.count <= Self.maximumLine, Double(lines) <= Double(mostLines) + seconds * Self.linesPerSecond
            else { throw ExternalProgramError.outputLimit(of: name) }
        }
        if !rest.isEmpty { try eachLine(rest) }
    }

    private static func endOfLine(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard let base = rest.baseAddress, let end = memchr(base, Int32(UInt8(ascii: "\n")), rest.count) else {
            return nil
        }
        return start + base.distance(to: end)
    }
}
