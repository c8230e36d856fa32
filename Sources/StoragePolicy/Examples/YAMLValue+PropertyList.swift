internal import PropertyLists

extension YAMLValue {
    /// The value as a property list: mappings, sequences, texts, numbers and truth values as they are; bytes as
    /// `{ $hex: "00ff" }` or `{ $zeros: 64KiB }`, a date as `{ $date: seconds since 2001 }`, a reference of a keyed
    /// archive as `{ $uid: 1 }`.
    func propertyList() throws(SourceError) -> PropertyList {
        if let recorder { return recorder.ask(.anything, .string("")) }
        if isMapping { return try mapping() }
        if isSequence {
            var members: [PropertyList] = []
            for member in list() { members.append(try member.propertyList()) }
            return .array(members)
        }
        return try plainValue()
    }

    private func mapping() throws(SourceError) -> PropertyList {
        let pairs = try pairs()
        if pairs.count == 1, let (key, value) = pairs.first {
            switch try key.string() {
            case "$hex":
                let digits = try value.string().utf8.filter { $0 > 0x20 }
                var bytes: [UInt8] = []
                for index in stride(from: 0, to: digits.count - 1, by: 2) {
                    guard let byte = UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16)
                    else {
                        throw value.error("expected pairs of hexadecimal digits")
                    }
                    bytes.append(byte)
                }
                return .data(bytes)
            case "$zeros": return .data([UInt8](repeating: 0, count: Int(min(try value.size(), 8 << 20))))
            case "$date": return .date(Double(try value.integer()))
            case "$uid": return .uid(UInt64(max(0, try value.integer())))
            default: break
            }
        }
        var entries: [(String, PropertyList)] = []
        for (key, value) in pairs { entries.append((try key.string(), try value.propertyList())) }
        return .dictionary(entries)
    }
}

extension YAMLValue {
    /// A scalar by its YAML type: what is quoted is a text.
    private func plainValue() throws(SourceError) -> PropertyList {
        if isPlain {
            if let number = try? integer() { return .integer(Int64(number)) }
            if let value = try? boolean() { return .boolean(value) }
            if let number = Double(try string()) { return .real(number) }
        }
        return .string(try string())
    }
}
