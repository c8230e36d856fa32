internal import Foundation
internal import PropertyLists

extension ArchiveReader {
    /// Creates an object for a plain value of the property list.
    func plain(_ value: PropertyListValue) throws(ArchiveFault) -> NSObject {
        switch value.node {
        case .string(let text):
            try pay(objects: 1, bytes: text.utf8.count)
            return NSString(string: text)
        case .data(let bytes):
            try pay(objects: 1, bytes: bytes.count)
            return NSData(data: Data(bytes))
        default:
            try pay(objects: 1)
            if case .date(let seconds) = value.node { return try date(seconds) }
            if let number = value.number { return number }
            throw fault(.damaged, text: "an object is neither a value nor an instance of a class")
        }
    }

    /// Creates a value of Foundation.
    func make(_ value: FoundationValue, fields: ArchiveFields) throws(ArchiveFault) -> Made {
        switch value {
        case .array, .mutableArray, .dictionary, .mutableDictionary, .set, .mutableSet, .countedSet, .orderedSet,
            .mutableOrderedSet:
            return try collection(value, fields: fields)
        case .attributedString, .mutableAttributedString:
            return try attributedString(fields, isMutable: value == .mutableAttributedString)
        default: return Made(object: try scalar(value, fields))
        }
    }

    /// Creates a value of Foundation that contains no other objects.
    private func scalar(_ value: FoundationValue, _ fields: ArchiveFields) throws(ArchiveFault) -> NSObject {
        switch value {
        case .string: NSString(string: try text(fields))
        case .mutableString: NSMutableString(string: try text(fields))
        case .data: NSData(data: try data(fields))
        case .mutableData: NSMutableData(data: try data(fields))
        case .date: try date(try real(fields, key: "NS.time"))
        case .null: NSNull()
        case .url: try url(fields)
        case .uuid: try uuid(fields)
        case .value: try geometry(fields)
        case .decimalNumber: try decimal(fields)
        case .indexSet, .mutableIndexSet: try indexSet(fields, isMutable: value == .mutableIndexSet)
        case .indexPath: try indexPath(fields)
        case .locale: try locale(fields)
        default: throw fault(.wrongType, text: "a number is stored as an object")
        }
    }

    /// Returns the value of a field. Follows a reference to a plain value.
    func value(_ fields: ArchiveFields, key: String) throws(ArchiveFault) -> PropertyListValue {
        guard let value = fields[key] else { throw fault(.wrongType, text: "the field \(key) is missing") }
        guard case .uid(let number) = value.node else { return value }
        guard let value = archive.object(number) else {
            throw fault(.badReference, text: "\(key) refers to object \(number), which is missing")
        }
        return value
    }

    /// Returns the integer in a field.
    func integer(_ fields: ArchiveFields, key: String) throws(ArchiveFault) -> Int {
        guard let number = try value(fields, key: key).integer.flatMap({ Int(exactly: $0) }) else {
            throw fault(.wrongType, text: "\(key) is not an integer")
        }
        return number
    }

    private func real(_ fields: ArchiveFields, key: String) throws(ArchiveFault) -> Double {
        guard let number = try value(fields, key: key).real else {
            throw fault(.wrongType, text: "\(key) is not a number")
        }
        return number
    }

    private func text(_ fields: ArchiveFields) throws(ArchiveFault) -> String {
        guard let text = try value(fields, key: "NS.string").string else {
            throw fault(.wrongType, text: "NS.string is not a string")
        }
        try pay(bytes: text.utf8.count)
        return text
    }

    /// Returns the bytes in a field.
    func bytes(_ fields: ArchiveFields, key: String) throws(ArchiveFault) -> [UInt8] {
        guard case .data(let bytes) = try value(fields, key: key).node else {
            throw fault(.wrongType, text: "\(key) is not data")
        }
        try pay(bytes: bytes.count)
        return bytes
    }

    private func data(_ fields: ArchiveFields) throws(ArchiveFault) -> Data {
        Data(try bytes(fields, key: fields["NS.data"] == nil ? "NS.bytes" : "NS.data"))
    }

    private func date(_ seconds: Double) throws(ArchiveFault) -> NSDate {
        guard seconds.isFinite else { throw fault(.wrongType, text: "a date is not finite") }
        return NSDate(timeIntervalSinceReferenceDate: seconds)
    }

    private func url(_ fields: ArchiveFields) throws(ArchiveFault) -> NSURL {
        guard let text = try object(fields, "NS.relative", of: [NSString.self])?.object as? NSString else {
            throw fault(.wrongType, text: "a URL has no text")
        }
        let base = try object(fields, "NS.base", of: [NSURL.self])?.object as? NSURL
        let baseURL = base.map { $0 as URL }
        guard let url = URL(string: String(text), relativeTo: baseURL) else {
            throw fault(.wrongType, text: "the text of a URL is not valid")
        }
        // On Linux, a bridged URL has no base. Measured with Swift 6.3.1.
        guard let baseURL, let object = NSURL(string: String(text), relativeTo: baseURL) else { return url as NSURL }
        return object
    }

    private func uuid(_ fields: ArchiveFields) throws(ArchiveFault) -> NSUUID {
        let bytes = try bytes(fields, key: "NS.uuidbytes")
        var text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        guard text.count == 16 else { throw fault(.wrongType, text: "a UUID has \(text.count) bytes") }
        for position in [10, 8, 6, 4] { text.insert("-", at: position) }
        guard let uuid = NSUUID(uuidString: text.joined()) else { throw fault(.wrongType, text: "no UUID") }
        return uuid
    }

    private func locale(_ fields: ArchiveFields) throws(ArchiveFault) -> NSLocale {
        guard let name = try value(fields, key: "NS.identifier").string else {
            throw fault(.wrongType, text: "a locale has no identifier")
        }
        // Far longer than any identifier: Foundation caches locales by it.
        guard name.utf8.count <= 256 else { throw fault(.wrongType, text: "the identifier of a locale is not valid") }
        return NSLocale(localeIdentifier: name)
    }

    private func attributedString(_ fields: ArchiveFields, isMutable: Bool) throws(ArchiveFault) -> Made {
        guard fields["NSAttributeInfo"] == nil else {
            throw fault(
                .wrongType, text: "an attributed string has several attribute runs, which are not supported",
                hint: "Archive the text, and its attributes by range.")
        }
        guard let text = try object(fields, "NSString", of: [NSString.self])?.object as? NSString else {
            throw fault(.wrongType, text: "an attributed string has no text")
        }
        let made = try object(fields, "NSAttributes", of: nil)
        var attributes: [NSAttributedString.Key: Any] = [:]
        if let made {
            guard let dictionary = made.object as? NSDictionary else { throw fault(.wrongType, text: "no attributes") }
            for (key, value) in dictionary {
                guard let key = key as? String else {
                    throw fault(.wrongType, text: "the name of an attribute is not a string")
                }
                attributes[NSAttributedString.Key(key)] = value
            }
        }
        let string = NSAttributedString(string: String(text), attributes: attributes)
        let weight = 1 + (made?.weight ?? 0)
        return Made(object: isMutable ? NSMutableAttributedString(attributedString: string) : string, weight: weight)
    }
}
