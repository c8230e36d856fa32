internal import Foundation
internal import PropertyLists

/// Why bytes are no preferences, or values cannot be written as such; in a few words.
struct UnfitForPreferences: Error {
    let reason: String
    /// True where a limit is passed.
    let isTooLarge: Bool

    init(_ reason: String, isTooLarge: Bool = false) {
        self.reason = reason
        self.isTooLarge = isTooLarge
    }
}

extension PreferenceValue {
    private static let maximumDepth = 400

    /// How much of what a file's bytes share is written out at most.
    struct Budget {
        var values = 500_000
        /// Of texts and data together.
        var bytes = 64 << 20

        fileprivate mutating func spend(bytes count: Int = 0) throws(UnfitForPreferences) {
            values -= 1
            bytes -= count
            guard values >= 0, bytes >= 0 else {
                throw UnfitForPreferences("it unfolds to too many values", isTooLarge: true)
            }
        }
    }

    /// The dictionary that a file holds, at most 400 levels deep.
    static func dictionary(
        reading bytes: [UInt8], within budget: Budget = Budget()
    ) throws(UnfitForPreferences) -> [String: PreferenceValue] {
        let graph: PropertyListGraph
        do throws(PropertyListError) { graph = try PropertyListGraph(parsing: bytes) } catch {
            throw UnfitForPreferences(error.description)
        }
        var budget = budget
        guard case .dictionary(let values) = try PreferenceValue(graph.root, &budget, depth: 0) else {
            throw UnfitForPreferences("it holds no dictionary")
        }
        return values
    }

    private init(_ value: PropertyListValue, _ budget: inout Budget, depth: Int) throws(UnfitForPreferences) {
        guard depth < Self.maximumDepth else { throw UnfitForPreferences("it is too deep, or holds itself") }
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
                // Also keys that only Swift calls the same: one of them would be lost at the next save.
                guard values.updateValue(member, forKey: key) == nil else {
                    throw UnfitForPreferences("the key “\(key)” is there twice")
                }
            }
            self = .dictionary(values)
        case .null, .uid: throw UnfitForPreferences("it holds a value of an archive, which is no preference")
        }
    }

    /// The bytes of a binary property list of `values`, the same for the same values; of no more than is read again.
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
        guard depth < Self.maximumDepth else { throw UnfitForPreferences("the values are too deep", isTooLarge: true) }
        do throws(UnfitForPreferences) {
            switch self {
            case .data(let data): try budget.spend(bytes: data.count)
            case .string(let text): try budget.spend(bytes: text.utf8.count)
            default: try budget.spend()
            }
        } catch { throw UnfitForPreferences("they are too many, or too large together", isTooLarge: true) }
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
