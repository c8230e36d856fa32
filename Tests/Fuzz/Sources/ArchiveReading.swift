internal import ArchiveExtraction

/// Reads what an archive states about its entries.
enum ArchiveReading {
    private static let limits = ExtractionLimits()

    /// Reads the bytes as the whole of an AppleDouble file, and as the start of a long one.
    static func tryAppleDouble(_ bytes: [UInt8]) {
        for size in [UInt64(bytes.count), 1 << 32] {
            guard let file = try? AppleDouble(parsing: bytes, fileSize: size, mostAttributes: limits.attributes) else {
                continue
            }
            let total = file.attributes.reduce(0) { $0 + $1.value.count }
            let areNamesValid = file.attributes.allSatisfy { !$0.name.isEmpty && !$0.name.contains(0) }
            // The Finder information may be part of a value as well.
            guard areNamesValid, file.attributes.count <= limits.attributes + 1, total <= bytes.count + 32 else {
                fatalError("the attributes of AppleDouble exceed a limit")
            }
        }
    }

    /// Reads a tar of one entry with the bytes as its extended header.
    static func tryExtendedHeader(_ bytes: [UInt8]) {
        guard bytes.count < 1 << 20 else { return }
        let tar =
            header("x", size: bytes.count) + padded(bytes) + header("0", size: 1) + padded([1])
            + [UInt8](repeating: 0, count: 1024)
        guard let stream = try? ArchiveStream(bytes: tar) else { return }
        var entries = 0
        while entries < 4, let entry = try? stream.next(limits) {
            entries += 1
            let values = entry.attributes.values
            guard values.count <= limits.attributes, Set(values.map(\.name)).count == values.count,
                values.allSatisfy({ !$0.name.isEmpty && $0.value.count <= limits.attributeSize })
            else { fatalError("the attributes of an entry exceed a limit") }
            var (blocks, damage) = (0, String?.none)
            while blocks < 16, damage == nil, (try? stream.readBlock(damage: &damage) { _, _ in }) == true {
                blocks += 1
            }
        }
    }

    /// A header of ustar for an entry “x”.
    private static func header(_ kind: Character, size: Int) -> [UInt8] {
        func octal(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text + "\0"
        }
        func field(_ text: String, _ count: Int) -> [UInt8] {
            Array(text.utf8) + [UInt8](repeating: 0, count: count - text.utf8.count)
        }
        let start =
            field("x", 100) + field("0000644", 8) + field("", 16) + field(octal(size, 11), 12) + field(octal(0, 11), 12)
        let end = field(String(kind), 1) + field("", 100) + field("ustar\u{0}00", 255)
        let sum = (start + end).reduce(8 * 32) { $0 + Int($1) }
        return start + field(octal(sum, 6) + " ", 8) + end
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
    }
}
