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
        return try value(graph.root, budget: &budget)
    }

    /// An array or dictionary of a file whose values have not all been read.
    private struct ReadLevel {
        let source: PropertyListValue
        private var position = 0
        private var key = ""
        private var members: [PreferenceValue] = []
        private var values: [String: PreferenceValue] = [:]

        init(_ source: PropertyListValue) { self.source = source }

        mutating func next() -> PropertyListValue? {
            defer { position += 1 }
            guard case .dictionary = source.node else { return source[position] }
            guard let pair = source.pair(at: position) else { return nil }
            key = pair.key
            return pair.value
        }

        mutating func add(_ value: PreferenceValue) {
            guard case .dictionary = source.node else { return members.append(value) }
            // As in CoreFoundation, the last value of a repeated key is used, also for keys that differ only in Unicode
            // composition, which Swift considers equal: one such pair must not make all other values unreadable.
            values[key] = value
        }

        var result: PreferenceValue {
            guard case .dictionary = source.node else { return .array(members) }
            return .dictionary(values)
        }
    }

    /// Reads a value with everything in it. Open containers are kept in an array, because a thread may have a small
    /// stack.
    private static func value(
        _ root: PropertyListValue, budget: inout Budget
    ) throws(UnfitForPreferences) -> PreferenceValue {
        var levels: [ReadLevel] = []
        var value = root
        while true {
            guard levels.count < maximumDepth else {
                throw UnfitForPreferences("it is nested too deeply, or contains itself")
            }
            try budget.spend()
            var finished = try plainValue(value, budget: &budget)
            if finished == nil { levels.append(ReadLevel(value)) }
            // Ends the containers that end here, and begins the next value.
            while true {
                if let done = finished {
                    guard !levels.isEmpty else { return done }
                    levels[levels.count - 1].add(done)
                }
                if let next = levels[levels.count - 1].next() {
                    value = next
                    break
                }
                finished = levels.removeLast().result
            }
        }
    }

    /// Reads a value that contains no others. Returns nil for an array or dictionary.
    private static func plainValue(
        _ value: PropertyListValue, budget: inout Budget
    ) throws(UnfitForPreferences) -> PreferenceValue? {
        switch value.node {
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
        case .real(let value): return .real(value)
        case .single(let value): return .float(value)
        case .date(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .data(let bytes):
            try budget.spend(bytes: bytes.count)
            return .data(Data(bytes))
        case .string(let text):
            try budget.spend(bytes: text.utf8.count)
            return .string(text)
        case .array, .dictionary: return nil
        case .null, .uid: throw UnfitForPreferences("it contains a value that only archives can contain")
        }
    }

    /// Returns the bytes of a binary property list of `values`, within the limits for reading. Equal values have equal
    /// bytes.
    static func bytes(
        of values: [String: PreferenceValue], within budget: Budget = Budget()
    ) throws(UnfitForPreferences) -> [UInt8] {
        var budget = budget
        let list = try dictionary(values).propertyList(&budget)
        do throws(PropertyListError) { return try list.binary() } catch {
            throw UnfitForPreferences(error.description, isTooLarge: error.code == .tooLarge)
        }
    }

    /// Returns the XML property list of `values`, within the limits for reading.
    ///
    /// XML has no single-precision numbers and no fractions of seconds; both are read back as the nearest value it has.
    package static func xml(
        of values: [String: PreferenceValue], within budget: Budget = Budget()
    ) throws(UnfitForPreferences) -> String {
        var budget = budget
        let list = try dictionary(values).propertyList(&budget)
        do throws(PropertyListError) { return try list.xml() } catch {
            throw UnfitForPreferences(error.description, isTooLarge: error.code == .tooLarge)
        }
    }

    /// An array or dictionary whose values have not all been converted.
    private struct WriteLevel {
        /// Nil for an array.
        let keys: [String]?
        let values: [PreferenceValue]
        var converted: [PropertyList] = []

        var result: PropertyList {
            guard let keys else { return .array(converted) }
            return .dictionary(zip(keys, converted).map { (key: $0, value: $1) })
        }
    }

    /// Converts a value with everything in it. Open containers are kept in an array, because a thread may have a small
    /// stack.
    private func propertyList(_ budget: inout Budget) throws(UnfitForPreferences) -> PropertyList {
        var levels: [WriteLevel] = []
        var value = self
        while true {
            guard levels.count < Self.maximumDepth else {
                throw UnfitForPreferences("the values are nested too deeply", isTooLarge: true)
            }
            do throws(UnfitForPreferences) {
                switch value {
                case .data(let data): try budget.spend(bytes: data.count)
                case .string(let text): try budget.spend(bytes: text.utf8.count)
                default: try budget.spend()
                }
            } catch { throw UnfitForPreferences("there are too many values, or they are too large", isTooLarge: true) }
            var finished = value.plainPropertyList
            switch value {
            case .array(let members): levels.append(WriteLevel(keys: nil, values: members))
            case .dictionary(let values):
                let sorted = values.sorted { $0.key < $1.key }
                levels.append(WriteLevel(keys: sorted.map(\.key), values: sorted.map(\.value)))
            default: break
            }
            // Ends the containers that end here, and begins the next value.
            while true {
                if let done = finished {
                    guard !levels.isEmpty else { return done }
                    levels[levels.count - 1].converted.append(done)
                }
                let level = levels[levels.count - 1]
                if level.converted.count < level.values.count {
                    value = level.values[level.converted.count]
                    break
                }
                finished = level.result
                levels.removeLast()
            }
        }
    }

    /// The value for a property list. Nil for an array or dictionary.
    private var plainPropertyList: PropertyList? {
        switch self {
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .unsigned(let value): .unsigned(value)
        case .real(let value): .real(value)
        case .float(let value): .single(value)
        case .date(let date): .date(date.timeIntervalSinceReferenceDate)
        case .data(let data): .data(Array(data))
        case .string(let text): .string(text)
        case .array, .dictionary: nil
        }
    }
}
