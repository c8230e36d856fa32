/// The pairs of a key-value store, and the evidence in them: answers of a server by request, or what an app stores about its user.
///
/// A store is a mirror of server data only if at least half of its pairs are answers, so that one cached answer among settings says
/// nothing; a single pair about the user makes it the user's. Sources: Core/MMKV_IO.cpp and Core/CodedInputData.cpp of
/// github.com/Tencent/MMKV; lib/src/binary of github.com/isar/hive; doc/log_format.md, doc/table_format.md and
/// db/write_batch.cc of github.com/google/leveldb; format_description.txt of github.com/google/snappy.
package struct StoredPairs {
    package enum Kind: String, CaseIterable { case serverEntries = "server-entries" }

    /// A key, and its value as JSON.
    struct Pair {
        let key: [UInt8]
        let json: [UInt8]
    }
    /// The last value of each key.
    private var values: [[UInt8]: [UInt8]] = [:]

    /// The most bytes of a store that are looked at.
    package static let mostBytes = 4 << 20
    private static let most = 50_000

    package init() {}

    private mutating func add(_ pair: Pair) {
        guard values.count < Self.most || values[pair.key] != nil else { return }
        values[pair.key] = pair.json.isEmpty ? nil : pair.json
    }

    /// Adds a pair by its number.
    package mutating func add(key: Int, value: [UInt8]) {
        add(Pair(key: Array(String(key).utf8), json: Self.json(value)))
    }

    // MARK: - Evidence

    /// The evidence in all pairs.
    package var pieces: [PieceOfEvidence] {
        var (answers, shown, users) = (0, Set<String>(), Set<String>())
        var (records, published) = (0, Set<String>())
        var (tags, others) = (Set<String>(), Set<[UInt8]>())
        var hasAddress = false
        for (key, json) in values {
            let last = key.split { "/:.".utf8.contains($0) }.last ?? []
            let isRequest = Self.isRequest(key)
            let named = Array("{\"".utf8) + (isRequest ? [UInt8(ascii: "x")] : Array(last)) + Array("\":".utf8) + json
            let found = FieldEvidence(json: named + Array("}".utf8)).pieces.first
            if found?.id == FieldEvidence.Kind.user.rawValue {
                users.insert(found?.detail ?? "")
                continue
            }
            if let found, found.id == FieldEvidence.Kind.published.rawValue, !isRequest {
                records += 1
                published.insert(found.detail)
                continue
            }
            let isTag = FieldEvidence.isFreshName(last)
            if isTag { tags.insert(String(decoding: last, as: UTF8.self)) }
            if json.starts(with: "\"http".utf8) { hasAddress = true }
            if found != nil || isRequest { answers += 1 }
            if let found { shown.insert(found.detail) }
            if !isTag { others.insert(Array(key.prefix { !"/:".utf8.contains($0) })) }
        }
        if let user = users.min() { return [PieceOfEvidence(FieldEvidence.Kind.user, 1, user)] }
        guard !values.isEmpty else { return [] }
        // The tag of the whole store beside entries of one kind, and the address of its source.
        let isDescribed = tags.count >= 2 || tags.count == 1 && hasAddress
        if answers * 2 >= values.count || isDescribed && others.count <= 2 {
            return [PieceOfEvidence(Kind.serverEntries, 1, shown.min() ?? tags.min() ?? "an address")]
        }
        guard let name = published.min(), records >= 2, (answers + records) * 2 >= values.count else { return [] }
        return [PieceOfEvidence(FieldEvidence.Kind.published, 1, name)]
    }

    /// Returns true for a request as a key: an address, perhaps after a method.
    private static func isRequest(_ key: [UInt8]) -> Bool {
        ["https://", "http://", "GET http"].contains { key.starts(with: $0.utf8) }
    }

    /// A value as JSON: JSON itself, or a text.
    private static func json(_ value: some Collection<UInt8>) -> [UInt8] {
        if let first = value.first(where: { $0 > 0x20 }), "{[".utf8.contains(first) { return Array(value) }
        guard !value.isEmpty, value.count <= 4_096, value.allSatisfy({ $0 >= 0x20 }) else {
            return value.allSatisfy { $0 == 0 } ? Array("0".utf8) : Array("1".utf8)
        }
        if value.allSatisfy({ (0x30...0x39).contains($0) }) { return Array(value) }
        return quoted(value)
    }

    private static func quoted(_ text: some Collection<UInt8>) -> [UInt8] {
        [UInt8(ascii: "\"")] + text.map { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c ? 0x20 : $0 } + [UInt8(ascii: "\"")]
    }

    // MARK: - MMKV

    /// Reads a store of MMKV. Returns nil for other bytes.
    package init?(mmkv bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        let size = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16 | Int(bytes[3]) << 24
        guard size > 8, size <= bytes.count - 4 else { return nil }
        var rest = bytes[4..<(4 + size)]
        // The place of the size that the list of pairs would have in a message.
        guard Self.integer(&rest) != nil else { return nil }
        while !rest.isEmpty {
            guard let key = Self.text(&rest), (1...512).contains(key.count), key.allSatisfy({ $0 >= 0x20 }),
                let value = Self.text(&rest)
            else { return nil }
            // Texts and data have their own length before them.
            var inner = value
            let whole = Self.integer(&inner).map { Int($0) == inner.count } ?? false
            add(Pair(key: Array(key), json: value.isEmpty ? [] : Self.json(whole ? inner : value)))
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

    /// Bytes after their length.
    private static func text(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let length = integer(&rest), length <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return rest.prefix(Int(length))
    }

    // MARK: - Hive

    /// Reads a box of Hive that is not encrypted. Returns nil for other bytes.
    package init?(hive bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let length = Self.number(&rest, bytes: 4).map(Int.init), length >= 8, length - 4 <= rest.count else {
                return nil
            }
            var frame = rest.prefix(length - 8)
            let check = rest.dropFirst(length - 8).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard CRC32.value(of: bytes[(rest.startIndex - 4)..<frame.endIndex]) == check else { return nil }
            rest = rest.dropFirst(length - 4)
            guard let kind = frame.popFirst() else { return nil }
            let key: [UInt8]
            switch kind {
            case 0:
                guard let number = Self.number(&frame, bytes: 4) else { return nil }
                key = Array(String(number).utf8)
            case 1:
                guard let count = frame.popFirst(), Int(count) <= frame.count else { return nil }
                key = Array(frame.prefix(Int(count)))
                frame = frame.dropFirst(Int(count))
            default: return nil
            }
            var json: [UInt8] = []
            // The rest of an adapter that is not known is not read.
            if !frame.isEmpty, !Self.value(&frame, into: &json, depth: 0) { json = Array("1".utf8) }
            add(Pair(key: key, json: json))
        }
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, bytes count: Int) -> UInt64? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads a value of Hive as JSON. Returns false if it is not understood.
    private static func value(_ rest: inout ArraySlice<UInt8>, into json: inout [UInt8], depth: Int) -> Bool {
        guard depth < 16, let kind = rest.popFirst() else { return false }
        switch kind {
        case 0: json += "null".utf8
        case 1, 2:
            guard let bits = number(&rest, bytes: 8) else { return false }
            json += (bits << 1 == 0 ? "0" : "1").utf8
        case 3:
            guard let flag = rest.popFirst() else { return false }
            json += (flag == 0 ? "false" : "true").utf8
        case 4: return textValue(&rest, into: &json)
        case 5:
            guard let count = number(&rest, bytes: 4), count <= UInt64(rest.count) else { return false }
            rest = rest.dropFirst(Int(count))
            json += "1".utf8
        case 9, 10, 11: return container(kind, &rest, into: &json, depth: depth)
        case 16, 18:
            guard number(&rest, bytes: 8) != nil, kind == 16 || rest.popFirst() != nil else { return false }
            json += "1".utf8
        default:
            guard kind >= 32, let count = rest.popFirst() else { return false }
            json += "[".utf8
            for position in 0..<count {
                if position > 0 { json += ",".utf8 }
                guard rest.popFirst() != nil, value(&rest, into: &json, depth: depth + 1) else { return false }
            }
            json += "]".utf8
        }
        return true
    }

    private static func textValue(_ rest: inout ArraySlice<UInt8>, into json: inout [UInt8]) -> Bool {
        guard let count = number(&rest, bytes: 4), count <= UInt64(rest.count) else { return false }
        json += Self.json(rest.prefix(Int(count)))
        rest = rest.dropFirst(Int(count))
        return true
    }

    private static func container(
        _ kind: UInt8, _ rest: inout ArraySlice<UInt8>, into json: inout [UInt8], depth: Int
    ) -> Bool {
        guard let count = number(&rest, bytes: 4), count <= UInt64(rest.count) else { return false }
        let isMap = kind == 11
        json += (isMap ? "{" : "[").utf8
        for position in 0..<count {
            if position > 0 { json += ",".utf8 }
            if isMap {
                var name: [UInt8] = []
                guard value(&rest, into: &name, depth: depth + 1) else { return false }
                json += name.first == UInt8(ascii: "\"") ? name : quoted(name)
                json += ":".utf8
            }
            let isRead = kind == 9 ? textValue(&rest, into: &json) : value(&rest, into: &json, depth: depth + 1)
            guard isRead else { return false }
        }
        json += (isMap ? "}" : "]").utf8
        return true
    }

    // MARK: - LevelDB

    /// Adds the records of a log of LevelDB. Returns false for other bytes.
    package mutating func add(levelDBLog bytes: [UInt8]) -> Bool {
        var (at, record, isRead) = (0, [UInt8](), false)
        while at + 7 <= bytes.count {
            let left = 32_768 - at % 32_768
            if left < 7 {
                at += left
                continue
            }
            let (length, kind) = (Int(bytes[at + 4]) | Int(bytes[at + 5]) << 8, bytes[at + 6])
            if kind == 0, length == 0 { break }
            guard (1...4).contains(kind), length <= left - 7, at + 7 + length <= bytes.count else { return isRead }
            record = (kind == 1 || kind == 2 ? [] : record) + bytes[(at + 7)..<(at + 7 + length)]
            at += 7 + length
            if kind == 1 || kind == 4 {
                guard addBatch(record) else { return false }
                isRead = true
            }
        }
        return isRead
    }

    private mutating func addBatch(_ record: [UInt8]) -> Bool {
        var rest = record[...]
        guard Self.number(&rest, bytes: 8) != nil, Self.number(&rest, bytes: 4) != nil else { return false }
        while let kind = rest.popFirst() {
            guard kind <= 1, let key = Self.text(&rest) else { return false }
            guard kind == 1 else {
                add(Pair(key: Array(key), json: []))
                continue
            }
            guard let value = Self.text(&rest) else { return false }
            add(Pair(key: Array(key), json: Self.json(value)))
        }
        return true
    }

    /// Adds the entries of a table of LevelDB. Returns false for other bytes.
    package mutating func add(levelDBTable bytes: [UInt8]) -> Bool {
        guard bytes.count >= 48, bytes.suffix(8).elementsEqual([0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb]) else {
            return false
        }
        var footer = bytes[(bytes.count - 48)...]
        // The first handle is that of the index of other blocks.
        _ = (Self.integer(&footer), Self.integer(&footer))
        guard let index = Self.block(at: &footer, in: bytes) else { return false }
        return Self.entries(of: index).allSatisfy { entry in
            var handle = entry.value[...]
            guard let block = Self.block(at: &handle, in: bytes) else { return false }
            for entry in Self.entries(of: block) where entry.key.count > 8 {
                // The number and the kind of the entry are behind its key.
                let isPut = entry.key[entry.key.count - 8] == 1
                let key = Array(entry.key.dropLast(8))
                // The values of the log are newer.
                guard values[key] == nil else { continue }
                add(Pair(key: key, json: isPut ? Self.json(entry.value) : []))
            }
            return true
        }
    }

    private static func block(at handle: inout ArraySlice<UInt8>, in bytes: [UInt8]) -> [UInt8]? {
        guard let offset = integer(&handle), let size = integer(&handle), offset < UInt64(bytes.count),
            size < UInt64(bytes.count) - offset
        else { return nil }
        let (start, end) = (Int(offset), Int(offset + size))
        switch bytes[end] {
        case 0: return Array(bytes[start..<end])
        case 1: return unpacked(bytes[start..<end])
        default: return nil
        }
    }

    /// The entries of a block. A key shares its beginning with the one before it.
    private static func entries(of block: [UInt8]) -> [(key: [UInt8], value: [UInt8])] {
        guard block.count >= 4 else { return [] }
        let restarts = block.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard restarts <= block.count / 4 - 1 else { return [] }
        var rest = block[..<(block.count - 4 - restarts * 4)]
        var found: [(key: [UInt8], value: [UInt8])] = []
        while !rest.isEmpty {
            guard let shared = integer(&rest), let own = integer(&rest), let length = integer(&rest),
                shared <= UInt64(found.last?.key.count ?? 0), own <= UInt64(rest.count),
                length <= UInt64(rest.count) - own
            else { return found }
            let key = (found.last?.key.prefix(Int(shared)) ?? []) + rest.prefix(Int(own))
            rest = rest.dropFirst(Int(own))
            found.append((Array(key), Array(rest.prefix(Int(length)))))
            rest = rest.dropFirst(Int(length))
        }
        return found
    }

    /// The content of bytes that Snappy has compressed, of at most 1 MiB.
    private static func unpacked(_ packed: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = packed
        guard let size = integer(&rest), size <= 1 << 20 else { return nil }
        var bytes: [UInt8] = []
        while let tag = rest.popFirst() {
            var (length, back) = (0, 0)
            switch tag & 3 {
            case 0:
                length = Int(tag >> 2) + 1
                if length > 60 {
                    guard let long = number(&rest, bytes: length - 60) else { return nil }
                    length = Int(long) + 1
                }
                guard length <= rest.count else { return nil }
                bytes += rest.prefix(length)
                rest = rest.dropFirst(length)
                continue
            case 1:
                guard let low = rest.popFirst() else { return nil }
                (length, back) = (Int(tag >> 2 & 7) + 4, Int(tag >> 5) << 8 | Int(low))
            default:
                guard let distance = number(&rest, bytes: tag & 3 == 2 ? 2 : 4) else { return nil }
                (length, back) = (Int(tag >> 2) + 1, Int(distance))
            }
            guard back > 0, back <= bytes.count, bytes.count + length <= Int(size) else { return nil }
            for _ in 0..<length { bytes.append(bytes[bytes.count - back]) }
        }
        return bytes.count == Int(size) ? bytes : nil
    }
}
