#if !canImport(Darwin)
internal import Foundation
internal import PropertyLists

extension ArchiveWriter {
    /// Writes the fields of a Foundation object with Foundation's field names.
    ///
    /// Source: swift-corelibs-foundation, encode(with:) of each class.
    func write(_ object: NSObject, value: FoundationValue) {
        defer { setClass(value.lineage) }
        switch object {
        case let text as NSString: set("NS.string", value: .string(String(text)))
        case let data as NSData: set("NS.data", value: .data(Array(Data(referencing: data))))
        case let date as NSDate: set("NS.time", value: .real(date.timeIntervalSinceReferenceDate))
        case let url as NSURL:
            encode(url.baseURL.map { $0 as NSURL }, forKey: "NS.base")
            encode(url.relativeString, forKey: "NS.relative")
        case let uuid as NSUUID:
            set("NS.uuidbytes", value: .data(withUnsafeBytes(of: (uuid as UUID).uuid) { Array($0) }))
        case let array as NSArray: setMembers(array.map { $0 }, key: "NS.objects")
        case let set as NSOrderedSet:
            checkMembers(set.map { $0 })
            for (index, member) in set.enumerated() { encode(member, forKey: "NS.object.\(index)") }
        case let set as NSCountedSet:
            checkMembers(set.map { $0 })
            self.set("NS.count", value: .integer(Int64(set.count)))
            for (index, member) in set.enumerated() {
                encode(member, forKey: "NS.object\(index)")
                self.set("NS.count\(index)", value: .integer(Int64(set.count(for: member))))
            }
        case let set as NSSet:
            checkMembers(set.map { $0 })
            setMembers(set.map { $0 }, key: "NS.objects")
        case let dictionary as NSDictionary:
            let pairs = sorted(dictionary)
            checkMembers(pairs.map(\.key))
            setMembers(pairs.map(\.key), key: "NS.keys")
            setMembers(pairs.map(\.value), key: "NS.objects")
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
            return fail(.notEncodable, text: ArchiveMember.refusal, hint: "Archive an array of them.")
        }
        let hashes = Dictionary(objects.map { ($0.hash, 1) }) { $0 + $1 }
        comparisons += hashes.values.reduce(0) { $0 + $1 * ($1 - 1) }
    }

    private func setMembers(_ members: [Any], key: String) {
        set(key, value: .array(members.enumerated().map { .uid(UInt64(index(of: $1, ".\(key)[\($0)]"))) }))
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
                .notEncodable, text: "an attributed string has several attribute runs",
                hint: "Archive the text, and its attributes by range.")
        }
        let named = Dictionary(uniqueKeysWithValues: attributes.map { ($0.key.rawValue, $0.value) })
        encode(NSDictionary(dictionary: named), forKey: "NSAttributes")
    }

    // MARK: - Numbers, structures and indexes

    func write(_ number: NSDecimalNumber) {
        guard let decimal = ArchivedDecimal(number.decimalValue) else {
            return fail(.notEncodable, text: "a decimal number is out of range", hint: "Archive its text.")
        }
        set("NS.exponent", value: .integer(Int64(decimal.exponent)))
        set("NS.length", value: .integer(Int64(decimal.length)))
        set("NS.negative", value: .boolean(decimal.isNegative))
        set("NS.compact", value: .boolean(true))
        // The words are little-endian: NS_LittleEndian in NSByteOrder.h.
        set("NS.mantissa.bo", value: .integer(1))
        set("NS.mantissa", value: .data(decimal.words))
    }

    func write(_ value: NSValue) {
        let encoding = String(cString: value.objCType)
        guard let kind = ArchivedGeometry.allCases.first(where: { $0.encoding == encoding }) else {
            return fail(
                .notEncodable, text: "an NSValue is not a range, point, size or rectangle",
                hint: "Archive its numbers instead.")
        }
        set("NS.special", value: .integer(Int64(kind.rawValue)))
        guard kind != .range else {
            encode(NSNumber(value: value.rangeValue.location), forKey: "NS.rangeval.location")
            encode(NSNumber(value: value.rangeValue.length), forKey: "NS.rangeval.length")
            return
        }
        // A C structure of doubles.
        var coordinates: [CGFloat] = Array(repeating: 0, count: kind == .rect ? 4 : 2)
        coordinates.withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { value.getValue(start) }
        }
        guard coordinates.allSatisfy(\.isFinite) else {
            return fail(
                .notEncodable, text: "a coordinate is infinite or not a number", hint: "Archive its numbers instead.")
        }
        encode(kind.text(coordinates.map { Double($0) }), forKey: kind.field)
    }

    func write(_ set: NSIndexSet) {
        var ranges: [NSRange] = []
        set.enumerateRanges { range, _ in ranges.append(range) }
        self.set("NSRangeCount", value: .integer(Int64(ranges.count)))
        if ranges.count == 1 {
            self.set("NSLocation", value: .integer(Int64(ranges[0].location)))
            self.set("NSLength", value: .integer(Int64(ranges[0].length)))
        } else if ranges.count > 1 {
            var bytes: [UInt8] = []
            for range in ranges {
                ArchivedIndexes.append(range.location, to: &bytes)
                ArchivedIndexes.append(range.length, to: &bytes)
            }
            encode(NSMutableData(data: Data(bytes)), forKey: "NSRangeData")
        }
    }

    func write(_ path: NSIndexPath) {
        set("NSIndexPathLength", value: .integer(Int64(path.length)))
        if path.length == 1 {
            set("NSIndexPathValue", value: .integer(Int64(path.index(atPosition: 0))))
        } else if path.length > 1 {
            var bytes: [UInt8] = []
            for position in 0..<path.length { ArchivedIndexes.append(path.index(atPosition: position), to: &bytes) }
            encode(NSMutableData(data: Data(bytes)), forKey: "NSIndexPathData")
        }
    }
}
#endif
