/// The log files of a directory, by name: `app.log`, and numbered or dated `app.log.1`, `app 2026-01-01.log`.
struct LogNames: Sendable {
    private(set) var count = 0
    private(set) var numbered = 0

    private static let log = PathExtension.word("log") ?? 0
    private static let middle = Array(".log.".utf8)

    mutating func add(_ name: UnsafeRawBufferPointer) {
        let isPlain = PathExtension.word(of: name) == Self.log
        guard isPlain || Self.isRotated(name) else { return }
        count += 1
        if name.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }) { numbered += 1 }
    }

    /// `app.log.1`, `app.log.12`, `app.log.1.gz`.
    private static func isRotated(_ name: UnsafeRawBufferPointer) -> Bool {
        // A number or what a compressor adds is all that may follow, which most names do not end with.
        guard let last = name.last, (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= last || last == UInt8(ascii: "z") else {
            return false
        }
        return name.indices.contains { name[$0...].starts(with: middle) }
    }
}
