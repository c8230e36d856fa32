internal import Foundation
internal import PropertyLists

/// The reason why bytes are not preferences, or why values cannot be encoded as such.
package struct UnfitForPreferences: Error {
    package let reason: String
    /// True if a limit is exceeded.
    package let isTooLarge: Bool

    init(_ reason: String, isTooLarge: Bool = false) {
        self.reason = reason
        self.isTooLarge = isTooLarge
    }
}

extension PreferenceValue {
    private static let maximumDepth = 400

    /// The limits for expanding the shared values of a file.
    package struct Budget {
        var values: Int
        /// The bytes of strings and data.
        var bytes: Int

        package init(values: Int = 500_000, bytes: Int = 64 << 20) {
            self.values = values
            self.bytes = bytes
        }

        fileprivate mutating func spend(bytes count: Int = 0) throws(UnfitForPreferences) {
            values -= 1
            bytes -= count
            guard values >= 0, bytes >= 0 else {
                throw UnfitForPreferences("it has too many values", isTooLarge: true)
            }
        }
    }

    /// Returns the dictionary in the bytes of a file, at most 400 levels deep.
    package static func dictionary(
        reading bytes: [UInt8], within budget: Budget = Budget()
    ) throws(UnfitForPreferences) -> [String: PreferenceValue] {
        guard case .dictionary(let values) = try plain(reading: bytes, within: budget) else {
            throw UnfitForPreferences("it is not a dictionary")
        }
        return values
    }

    /// Returns the value in the bytes of a property list, at most 400 levels deep.
    static func plain(
        reading bytes: [UInt8], within budget: Budget = Budget()
    ) throws(UnfitForPreferences) -> PreferenceValue {
        let graph: PropertyListGraph
        do throws(PropertyListError) { graph = try PropertyListGraph(parsing: bytes) } catch {
            throw UnfitForPreferences(error.description)
        }
        var budget = budget
        return try PreferenceValue(graph.root, &budget, depth: 0)
    }

    private init(_ value: PropertyListValue, _ budget: inout Budget, depth: Int) throws(UnfitForPreferences) {
        guard depth < Self.maximumDepth else {
            throw UnfitForPreferences("it is nested too deeply, or contains itself")
        }
        try budget.spend()
        switch value.node {
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .unsigned(let value): self = Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
        case .real(let value): self = .real(value)
        case .single(let value): self = .float(value)
        case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .data(let bytes):
            try budget.spend(bytes: bytes.count)
            self = .data(Data(bytes))
        case .string(let text):
            try budget.spend(bytes: text.utf8.count)
            self = .string(text)
        case .array:
            var members: [PreferenceValue] = []
            for member in value.members ?? [] {
                members.append(try PreferenceValue(member, &budget, depth: depth + 1))
            }
            self = .array(members)
        case .dictionary:
            var values: [String: PreferenceValue] = [:]
            for (key, member) in value.pairs ?? [] {
                let member = try PreferenceValue(member, &budget, depth: depth + 1)
                // Also for keys that only Swift considers equal: the next save would lose one of them.
                guard values.updateValue(member, forKey: key) == nil else {
                    throw UnfitForPreferences("the key “\(key)” is repeated")
                }
            }
            self = .dictionary(values)
        case .null, .uid: throw UnfitForPreferences("it contains a value that only archives can contain")
        }
    }

    /// Returns the bytes of a binary property list of `values`, within the limits for reading. Equal values have equal
    /// bytes.
    static func bytes(
        of values: [String: PreferenceValue], within budget: Budget = Budget()
    ) throws(UnfitForPreferences) -> [UInt8] {
        var budget = budget
        let list = try dictionary(values).propertyList(&budget, depth: 0)
        do throws(PropertyListError) { return try list.binary() } catch {
            throw UnfitForPreferences(error.description, isTooLarge: error.code == .tooLarge)
        }
    }

    private func propertyList(_ budget: inout Budget, depth: Int) throws(UnfitForPreferences) -> PropertyList {
        guard depth < Self.maximumDepth else {
            throw UnfitForPreferences("the values are nested too deeply", isTooLarge: true)
        }
        do throws(UnfitForPreferences) {
            switch self {
            case .data(let data): try budget.spend(bytes: data.count)
            case .string(let text): try budget.spend(bytes: text.utf8.count)
            default: try budget.spend()
            }
        } catch { throw UnfitForPreferences("there are too many values, or they are too large", isTooLarge: true) }
        switch self {
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .real(let value): return .real(value)
        case .float(let value): return .single(value)
        case .date(let date): return .date(date.timeIntervalSinceReferenceDate)
        case .data(let data): return .data(Array(data))
        case .string(let text): return .string(text)
        case .array(let members):
            var list: [PropertyList] = []
            for member in members { list.append(try member.propertyList(&budget, depth: depth + 1)) }
            return .array(list)
        case .dictionary(let values):
            var pairs: [(key: String, value: PropertyList)] = []
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                pairs.append((key, try value.propertyList(&budget, depth: depth + 1)))
            }
            return .dictionary(pairs)
        }
    }
}
