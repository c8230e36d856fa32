internal import PolicyTexts

/// A database of LevelDB: `CURRENT` names the manifest, and the manifest the tables and the log.
///
/// The end of the manifest and of the log may be cut off or zero, as after an interrupted save. Source: doc/log_format.md and
/// db/version_edit.cc of github.com/google/leveldb. A manifest with entries of other engines, such as RocksDB's, is not
/// interpreted.
enum LevelDBStore {
    static let current = Array("CURRENT".utf8)
    private static let prefix = Array("MANIFEST-".utf8)
    private static let longestEdit = 4 << 20

    static func check(_ file: StoreFile) -> StoreFile.Check {
        guard file.name == current, file.size <= 64, let content = file.bytes(Int(file.size), at: 0),
            content.starts(with: prefix)
        else { return .passed }
        guard content.last == 0x0a,
            content.dropFirst(prefix.count).dropLast().allSatisfy({ (0x30...0x39).contains($0) })
        else {
            return .damaged(
                "its content is no name of a manifest with a line break, so LevelDB does not open the database")
        }
        let name = Array(content.dropLast())
        let shown = String(decoding: name, as: UTF8.self)
        guard file.bytes(0, of: name) != nil else {
            return .damaged("it names \(shown), which does not exist, so LevelDB does not open the database")
        }
        var state = LevelDBState()
        switch records(of: name, beside: file, joined: { state.add($0) }) {
        case .tooLarge: return .tooLarge
        case .damaged(let reason): return .damaged("\(shown): \(reason), so LevelDB does not open the database")
        case .passed: break
        }
        guard state.isUnderstood else { return .passed }
        for table in state.tables.sorted() {
            let names = ["ldb", "sst"].map { Array((LevelDBState.number(table) + "." + $0).utf8) }
            guard names.contains(where: { file.bytes(0, of: $0) != nil }) else {
                return .damaged("\(shown) has the table \(LevelDBState.number(table)), which does not exist")
            }
        }
        let log = LevelDBState.number(state.log) + ".log"
        guard state.log > 0, case .damaged(let reason) = records(of: Array(log.utf8), beside: file) else {
            return .passed
        }
        return .damaged("\(log): \(reason), so LevelDB loses what follows")
    }

    /// Reads the records of a log or a manifest, and passes each whole one to `joined`.
    private static func records(
        of name: [UInt8], beside file: StoreFile, joined: (([UInt8]) -> Void)? = nil
    ) -> StoreFile.Check {
        var (offset, record) = (UInt64(0), [UInt8]())
        while let block = file.bytes(blockSize, at: offset, of: name), !block.isEmpty {
            guard offset < StoreFile.limit else { return .tooLarge }
            func isLastBlock() -> Bool {
                block.count < blockSize || file.bytes(1, at: offset + UInt64(blockSize), of: name)?.isEmpty ?? true
            }
            var position = 0
            while position + 7 <= block.count {
                let header = block[position..<(position + 7)]
                guard let check = header.number(at: 0, bytes: 4), let length = header.number(at: 4, bytes: 2),
                    let kind = header.last
                else { break }
                // Space that was reserved and not written.
                if kind == 0, length == 0, check == 0 { break }
                guard (1...4).contains(kind) else { return .passed }
                let end = position + 7 + Int(length)
                guard end <= block.count else {
                    return isLastBlock()
                        ? .passed : .damaged("the record at byte \(offset + UInt64(position)) has a wrong length")
                }
                guard unmasked(UInt32(check)) == CRC32.value(of: block[(position + 6)..<end], .castagnoli) else {
                    // The last record may not have been written completely.
                    let isLast = block[end...].allSatisfy { $0 == 0 } && isLastBlock()
                    return isLast
                        ? .passed
                        : .damaged("the record at byte \(offset + UInt64(position)) does not match its checksum")
                }
                if let joined {
                    if kind == 1 || kind == 2 { record = [] }
                    record += block[(position + 7)..<end]
                    guard record.count <= longestEdit else { return .tooLarge }
                    if kind == 1 || kind == 4 { joined(record) }
                }
                position = end
            }
            offset += UInt64(block.count)
            if block.count < blockSize { break }
        }
        return .passed
    }

    private static let blockSize = 32_768

    /// Checksums are stored rotated, with a constant added.
    private static func unmasked(_ check: UInt32) -> UInt32 {
        let rotated = check &- 0xa282_ead8
        return rotated >> 17 | rotated << 15
    }
}

/// The tables and the log of a database, from the edits in its manifest.
struct LevelDBState {
    private(set) var tables: Set<UInt64> = []
    private(set) var log: UInt64 = 0
    /// False after an entry of another engine, or with too many tables.
    private(set) var isUnderstood = true
    private static let mostTables = 100_000

    /// The name of a file, without its extension.
    static func number(_ number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    mutating func add(_ edit: [UInt8]) {
        var rest = edit[...]
        while isUnderstood, !rest.isEmpty {
            isUnderstood = take(&rest) && tables.count <= Self.mostTables
        }
    }

    /// Reads one entry. Returns false if it is no entry of LevelDB.
    private mutating func take(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let tag = Self.integer(&rest) else { return false }
        switch tag {
        case 1: return Self.skipText(&rest)
        case 2:
            guard let number = Self.integer(&rest) else { return false }
            log = number
            return true
        case 3, 4, 9: return Self.integer(&rest) != nil
        case 5: return Self.integer(&rest) != nil && Self.skipText(&rest)
        case 6:
            guard Self.integer(&rest) != nil, let number = Self.integer(&rest) else { return false }
            tables.remove(number)
            return true
        case 7:
            guard Self.integer(&rest) != nil, let number = Self.integer(&rest), Self.integer(&rest) != nil,
                Self.skipText(&rest), Self.skipText(&rest)
            else { return false }
            tables.insert(number)
            return true
        default: return false
        }
    }

    private static func integer(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    private static func skipText(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let length = integer(&rest), length <= UInt64(rest.count) else { return false }
        rest = rest.dropFirst(Int(length))
        return true
    }
}
