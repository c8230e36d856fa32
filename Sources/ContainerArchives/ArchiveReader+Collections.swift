internal import Foundation
internal import PropertyLists

extension ArchiveReader {
    /// Creates a collection of Foundation.
    func collection(_ value: FoundationValue, fields: ArchiveFields) throws(ArchiveFault) -> Made {
        switch value {
        case .dictionary, .mutableDictionary: return try dictionary(fields, isMutable: value == .mutableDictionary)
        case .countedSet: return try countedSet(fields)
        case .orderedSet where fields["NS.objects"] == nil, .mutableOrderedSet where fields["NS.objects"] == nil:
            return try collection(value, of: try numbered("NS.object.", in: fields))
        default: return try collection(value, of: try members(fields, key: "NS.objects"))
        }
    }

    private func collection(_ value: FoundationValue, of members: [Made]) throws(ArchiveFault) -> Made {
        let objects = members.map(\.object)
        let weight = try weight(members)
        switch value {
        case .array: return Made(object: NSArray(array: objects), weight: weight)
        case .mutableArray: return Made(object: NSMutableArray(array: objects), weight: weight)
        default: try checkMembers(members)
        }
        switch value {
        case .set: return Made(object: NSSet(array: objects), weight: weight)
        case .mutableSet: return Made(object: NSMutableSet(array: objects), weight: weight)
        case .orderedSet: return Made(object: NSOrderedSet(array: objects), weight: weight)
        default: return Made(object: NSMutableOrderedSet(array: objects), weight: weight)
        }
    }

    private func dictionary(_ fields: ArchiveFields, isMutable: Bool) throws(ArchiveFault) -> Made {
        let keys = try members(fields, key: "NS.keys")
        return try dictionary(keys, values: try members(fields, key: "NS.objects"), isMutable: isMutable)
    }

    private func dictionary(_ keys: [Made], values: [Made], isMutable: Bool) throws(ArchiveFault) -> Made {
        guard keys.count == values.count else {
            throw fault(.damaged, text: "the numbers of keys and values of a dictionary differ")
        }
        let weight = try weight(keys + values)
        try checkMembers(keys)
        let pairs = Dictionary(zip(keys.map(\.object), values.map(\.object))) { first, _ in first }
        return Made(
            object: isMutable ? NSMutableDictionary(dictionary: pairs) : NSDictionary(dictionary: pairs), weight: weight
        )
    }

    private func countedSet(_ fields: ArchiveFields) throws(ArchiveFault) -> Made {
        let count = try integer(fields, key: "NS.count")
        let members = try numbered("NS.object", in: fields)
        guard members.count == count else {
            throw fault(.damaged, text: "a counted set does not have the size that it states")
        }
        let weight = try weight(members)
        try checkMembers(members)
        let set = NSCountedSet()
        for (index, member) in members.enumerated() {
            let times = try integer(fields, key: "NS.count\(index)")
            guard times > 0 else { throw fault(.wrongType, text: "a member has the count \(times)") }
            try pay(objects: times)
            for _ in 0..<times { set.add(member.object) }
        }
        return Made(object: set, weight: weight)
    }

    /// Returns the objects of an array of references in a field.
    private func members(_ fields: ArchiveFields, key: String) throws(ArchiveFault) -> [Made] {
        try within(field: key) { () throws(ArchiveFault) in
            guard let references = fields[key]?.members else { throw fault(.wrongType, text: "the array is missing") }
            try pay(objects: references.count)
            var members: [Made] = []
            for (index, reference) in references.enumerated() {
                members.append(try member(reference, at: index))
            }
            return members
        }
    }

    /// Returns the objects of numbered fields, starting from 0.
    private func numbered(_ prefix: String, in fields: ArchiveFields) throws(ArchiveFault) -> [Made] {
        var members: [Made] = []
        while fields["\(prefix)\(members.count)"] != nil {
            members.append(try present(try object(fields, "\(prefix)\(members.count)", of: nil)))
        }
        return members
    }

    /// Refuses nil as a member of a collection.
    func present(_ made: Made?) throws(ArchiveFault) -> Made {
        guard let made else { throw fault(.damaged, text: "a collection contains nil") }
        return made
    }

    /// Returns the number of objects in a traversal of a collection, and checks it against the limits.
    private func weight(_ members: [Made]) throws(ArchiveFault) -> Int {
        let weight = members.reduce(1) { $0 + $1.weight }
        guard weight <= limits.objects else {
            throw fault(
                .tooLarge, text: "more than \(limits.objects) objects, where shared objects count for each reference")
        }
        return weight
    }

    /// Checks that a hash table can store the members, and charges for its comparisons: a hostile file may have many
    /// members with equal hash values.
    private func checkMembers(_ members: [Made]) throws(ArchiveFault) {
        // Before any hash value is computed, which ends the process on Linux for some classes.
        let kinds = members.compactMap { ArchiveMember($0.object) }
        guard kinds.count == members.count else {
            throw fault(.wrongType, text: ArchiveMember.refusal, hint: "Archive an array of them.")
        }
        let hashes = Dictionary(members.map { ($0.object.hash, 1) }) { $0 + $1 }
        try pay(objects: hashes.values.reduce(0) { $0 + $1 * ($1 - 1) })
        guard ArchiveMember.areDistinct(kinds) else { throw fault(.damaged, text: "two members or keys are equal") }
    }
}

/// The identity of a member of a set or a key of a dictionary.
///
/// Foundation on Linux considers two strings equal that differ in Unicode composition, and an integer and a fraction
/// that round to the same number, but returns different hash values for them. A hash table with such a pair ends the
/// process. So does a comparison of sets that contain collections. Measured with Swift 6.3.1. Therefore only values
/// that this type can distinguish are inserted into a hash table.
enum ArchiveMember: Hashable {
    case text(String), integer(Int64), unsigned(UInt64), real(Double), notANumber, data(Data), date(Double)
    case url(String), uuid(UUID), null, object(ObjectIdentifier)

    /// The description of an object that cannot be a member.
    static let refusal =
        "a member of a set or a key of a dictionary is a collection, an NSValue, a decimal number, an index set or path, a "
        + "locale or an attributed string"

    /// Returns nil for objects that cannot be members. Of decimal numbers and locales, Foundation on Linux cannot compute
    /// a hash value: the process ends. Measured with Swift 6.3.1.
    init?(_ object: NSObject) {
        guard let value = FoundationValue(object) else {
            self = .object(ObjectIdentifier(object))
            return
        }
        switch (value, object) {
        case (.string, let text as NSString), (.mutableString, let text as NSString): self = .text(String(text))
        case (.data, let data as NSData), (.mutableData, let data as NSData): self = .data(Data(referencing: data))
        case (.date, let date as NSDate): self = .date(date.timeIntervalSinceReferenceDate)
        case (.url, let url as NSURL): self = .url((url as URL).absoluteString)
        case (.uuid, let uuid as NSUUID): self = .uuid(uuid as UUID)
        case (.null, _): self = .null
        case (.number, let number as NSNumber):
            switch UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "d"), UInt8(ascii: "f"):
                self = number.doubleValue.isNaN ? .notANumber : .real(number.doubleValue)
            case UInt8(ascii: "Q"): self = .unsigned(number.uint64Value)
            default: self = .integer(number.int64Value)
            }
        default: return nil
        }
    }

    /// The value for a comparison with fractions.
    private var rounded: ArchiveMember {
        switch self {
        case .integer(let value): .real(Double(value))
        case .unsigned(let value): .real(Double(value))
        default: self
        }
    }

    /// Returns true if no two members are equal.
    static func areDistinct(_ members: [ArchiveMember]) -> Bool {
        let hasFractions = members.contains { if case .real = $0 { true } else { false } }
        return Set(hasFractions ? members.map(\.rounded) : members).count == members.count
    }
}
