internal import Foundation
internal import PropertyLists

extension ArchiveWriter {
    /// A plain value in the object table. Equal values share an entry.
    enum Plain: Hashable {
        case text(String), data(Data), boolean(Bool), integer(Int64), unsigned(UInt64), real(bits: UInt64)
        case single(bits: UInt32)

        /// Returns nil for an object that is not a plain value.
        init?(_ object: NSObject, _ value: FoundationValue) {
            switch (value, object) {
            case (.string, let text as NSString): self = .text(String(text))
            case (.data, let data as NSData): self = .data(Data(referencing: data))
            case (.number, let number as NSNumber): self = Self.number(number)
            default: return nil
            }
        }

        /// On every system there is one object for each Boolean. The type of a number is that of its storage.
        static func number(_ number: NSNumber) -> Plain {
            if number === NSNumber(value: true) { return .boolean(true) }
            if number === NSNumber(value: false) { return .boolean(false) }
            switch UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "d"): return .real(bits: number.doubleValue.bitPattern)
            case UInt8(ascii: "f"): return .single(bits: number.floatValue.bitPattern)
            case UInt8(ascii: "Q"): return .unsigned(number.uint64Value)
            default: return .integer(number.int64Value)
            }
        }

        /// The value in the object table.
        var value: PropertyList {
            switch self {
            case .text(let text): .string(text)
            case .data(let data): .data(Array(data))
            case .boolean(let value): .boolean(value)
            case .integer(let value): .integer(value)
            case .unsigned(let value): .unsigned(value)
            case .real(let bits): .real(Double(bitPattern: bits))
            case .single(let bits): .single(Float(bitPattern: bits))
            }
        }
    }

    /// Writes the fields of a Foundation object with Foundation's field names.
    ///
    /// Source: swift-corelibs-foundation, encode(with:) of each class.
    func write(_ object: NSObject, _ value: FoundationValue) {
        defer { setClass(value.lineage) }
        switch object {
        case let text as NSString: set("NS.string", .string(String(text)))
        case let data as NSData: set("NS.data", .data(Array(Data(referencing: data))))
        case let date as NSDate: set("NS.time", .real(date.timeIntervalSinceReferenceDate))
        case let url as NSURL:
            encode(url.baseURL.map { $0 as NSURL }, forKey: "NS.base")
            encode(url.relativeString, forKey: "NS.relative")
        case let uuid as NSUUID: set("NS.uuidbytes", .data(withUnsafeBytes(of: (uuid as UUID).uuid) { Array($0) }))
        case let array as NSArray: setMembers(array.map { $0 }, "NS.objects")
        case let set as NSOrderedSet:
            checkMembers(set.map { $0 })
            for (index, member) in set.enumerated() { encode(member, forKey: "NS.object.\(index)") }
        case let set as NSCountedSet:
            checkMembers(set.map { $0 })
            self.set("NS.count", .integer(Int64(set.count)))
            for (index, member) in set.enumerated() {
                encode(member, forKey: "NS.object\(index)")
                self.set("NS.count\(index)", .integer(Int64(set.count(for: member))))
            }
        case let set as NSSet:
            checkMembers(set.map { $0 })
            setMembers(set.map { $0 }, "NS.objects")
        case let dictionary as NSDictionary:
            let pairs = sorted(dictionary)
            checkMembers(pairs.map(\.key))
            setMembers(pairs.map(\.key), "NS.keys")
            setMembers(pairs.map(\.value), "NS.objects")
        case let number as NSDecimalNumber: write(number)
        case let value as NSValue: write(value)
        case let set as NSIndexSet: write(set)
        case let path as NSIndexPath: write(path)
        case let locale as NSLocale: encode((locale as Locale).identifier, forKey: "NS.identifier")
        case let text as NSAttributedString: write(text)
        default: break
        }
    }

    /// Refuses members that a hash table could not store, and counts the comparisons of the reader.
    private func checkMembers(_ members: [Any]) {
        let objects = members.compactMap { $0 as AnyObject as? NSObject }
        // Before any hash value is computed, which ends the process on Linux for some classes.
        guard objects.count == members.count, objects.allSatisfy({ ArchiveMember($0) != nil }) else {
            return fail(.notEncodable, ArchiveMember.refusal, hint: "Archive an array of them.")
        }
        let hashes = Dictionary(objects.map { ($0.hash, 1) }) { $0 + $1 }
        comparisons += hashes.values.reduce(0) { $0 + $1 * ($1 - 1) }
    }

    private func setMembers(_ members: [Any], _ key: String) {
        set(key, .array(members.enumerated().map { .uid(UInt64(index(of: $1, ".\(key)[\($0)]"))) }))
    }

    /// Sorted by key if all keys are strings, so that equal dictionaries result in equal archives.
    private func sorted(_ dictionary: NSDictionary) -> [(key: Any, value: Any)] {
        let pairs = dictionary.map { (key: $0.key, value: $0.value) }
        let names = pairs.compactMap { $0.key as? String }
        guard names.count == pairs.count else { return pairs }
        return zip(names, pairs).sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func write(_ text: NSAttributedString) {
        encode(text.string, forKey: "NSString")
        guard text.length > 0 else { return }
        var range = NSRange()
        let attributes = text.attributes(at: 0, effectiveRange: &range)
        guard range.length == text.length else {
            return fail(
                .notEncodable, "an attributed string has several attribute runs",
                hint: "Archive the text, and its attributes by range.")
        }
        let named = Dictionary(uniqueKeysWithValues: attributes.map { ($0.key.rawValue, $0.value) })
        encode(NSDictionary(dictionary: named), forKey: "NSAttributes")
    }
}
