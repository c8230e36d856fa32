package import ContainerPreferences
internal import Foundation
internal import TextOutput

/// The type of a preference on the command line.
package enum PreferenceType: String, CaseIterable, Sendable {
    case boolean, integer, real, string, date, data, array, dictionary

    /// The type of a value.
    package init(_ value: PreferenceValue) {
        self =
            switch value {
            case .boolean: .boolean
            case .integer, .unsigned: .integer
            case .real, .float: .real
            case .string: .string
            case .date: .date
            case .data: .data
            case .array: .array
            case .dictionary: .dictionary
            }
    }

    /// The type with its article.
    var phrase: String {
        self == .integer || self == .array ? "an \(rawValue)" : self == .data ? "data" : "a \(rawValue)"
    }

    /// The form of the values on the command line.
    private var form: String {
        switch self {
        case .boolean: "true or false"
        case .integer: "a whole number such as 12"
        case .real: "a number such as 1.5"
        case .string: "any text"
        case .date: "a date such as 2026-01-31T12:00:00Z"
        case .data: "hexadecimal digits such as 0aff"
        case .array: "a JSON array such as [1, \"a\"]"
        case .dictionary: "a JSON object such as {\"a\": 1}"
        }
    }

    /// Returns the value of a text.
    ///
    /// - Throws: `wrongContent` for a text that is not a value of this type.
    package func value(of text: String) throws(ExplorerError) -> PreferenceValue {
        guard let value = parsed(text) else {
            throw ExplorerError(
                .wrongContent,
                description:
                    "“\(ByteText.escaped(Array(text.utf8)))” is not \(phrase). Nothing on disk has changed. Use \(form)."
            )
        }
        return value
    }

    private func parsed(_ text: String) -> PreferenceValue? {
        switch self {
        case .boolean:
            return ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false][text.lowercased()]
                .map { .boolean($0) }
        case .integer: return Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
        case .real: return Double(text).flatMap { $0.isFinite ? .real($0) : nil }
        case .string: return .string(text)
        case .date: return (try? Date(text, strategy: .iso8601)).map { .date($0) }
        case .data:
            let digits = Array(text.utf8)
            guard digits.count % 2 == 0 else { return nil }
            var bytes: [UInt8] = []
            for start in stride(from: 0, to: digits.count, by: 2) {
                let pair = digits[start..<(start + 2)]
                guard pair.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                    let byte = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(byte)
            }
            return .data(Data(bytes))
        case .array, .dictionary:
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)).value,
                PreferenceType(value) == self
            else { return nil }
            return value
        }
    }
}

/// A value in JSON.
private struct JSONValue: Decodable {
    let value: PreferenceValue

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count < 100 else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "nested too deeply"))
        }
        if let keyed = try? decoder.container(keyedBy: Key.self) {
            var values: [String: PreferenceValue] = [:]
            for key in keyed.allKeys { values[key.stringValue] = try keyed.decode(JSONValue.self, forKey: key).value }
            value = .dictionary(values)
        } else if var list = try? decoder.unkeyedContainer() {
            var values: [PreferenceValue] = []
            while !list.isAtEnd { values.append(try list.decode(JSONValue.self).value) }
            value = .array(values)
        } else {
            let single = try decoder.singleValueContainer()
            if let boolean = try? single.decode(Bool.self) {
                value = .boolean(boolean)
            } else if let integer = try? single.decode(Int64.self) {
                value = .integer(integer)
            } else if let real = try? single.decode(Double.self) {
                value = .real(real)
            } else {
                value = .string(try single.decode(String.self))
            }
        }
    }
}
