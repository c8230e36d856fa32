internal import Foundation

/// The values of launch arguments, as in the argument domain of `UserDefaults`.
///
/// Source: Apple, Preferences and Settings Programming Guide, "The Argument Domain"; Property List Programming Guide,
/// "Old-Style ASCII Property Lists".
enum LaunchArguments {
    /// Returns the values of the pairs `-key value`.
    static func values(in arguments: [String]) -> [String: PreferenceValue] {
        var values: [String: PreferenceValue] = [:]
        var index = 0
        while index + 1 < arguments.count {
            let (key, text) = (arguments[index], arguments[index + 1])
            index += 1
            guard key.hasPrefix("-"), key.utf8.count > 1, isValue(text) else { continue }
            values[String(key.dropFirst())] = value(text)
            index += 1
        }
        return values
    }

    private static func isValue(_ text: String) -> Bool {
        guard text.hasPrefix("-") else { return true }
        return text.dropFirst().first?.isNumber == true
    }

    private static func value(_ text: String) -> PreferenceValue {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let first = trimmed.utf8.first, "({<\"".utf8.contains(first), trimmed.utf8.count <= 1 << 20 else {
            return .string(text)
        }
        if trimmed.hasPrefix("<?xml") || trimmed.hasPrefix("<!") || trimmed.hasPrefix("<plist") {
            // The reader of files expects a dictionary.
            return (try? PreferenceValue.plain(reading: Array(trimmed.utf8))) ?? .string(text)
        }
        var list = OldStyleList(trimmed)
        return list.read() ?? .string(text)
    }
}

/// A parser for a property list in the old style: `(a, "b c")`, `{a = 1; b = (c);}`, `<0fbd77>`, strings.
private struct OldStyleList {
    private static let depthLimit = 64
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// Returns the value, or nil if the text is not a property list as a whole.
    mutating func read() -> PreferenceValue? {
        guard let value = value(depth: 0) else { return nil }
        skipBlanks()
        return position == scalars.count ? value : nil
    }

    private mutating func value(depth: Int) -> PreferenceValue? {
        skipBlanks()
        guard depth < Self.depthLimit, position < scalars.count else { return nil }
        switch scalars[position] {
        case "(": return array(depth)
        case "{": return dictionary(depth)
        case "<": return data()
        default: return string().map { .string($0) }
        }
    }

    private mutating func array(_ depth: Int) -> PreferenceValue? {
        position += 1
        var members: [PreferenceValue] = []
        while true {
            if consume(")") { return .array(members) }
            guard let member = value(depth: depth + 1) else { return nil }
            members.append(member)
            guard consume(",") else { return consume(")") ? .array(members) : nil }
        }
    }

    private mutating func dictionary(_ depth: Int) -> PreferenceValue? {
        position += 1
        var values: [String: PreferenceValue] = [:]
        while !consume("}") {
            skipBlanks()
            guard let key = string(), consume("="), let value = value(depth: depth + 1) else { return nil }
            values[key] = value
            guard consume(";") else { return consume("}") ? .dictionary(values) : nil }
        }
        return .dictionary(values)
    }

    private mutating func data() -> PreferenceValue? {
        position += 1
        var digits: [UInt8] = []
        while position < scalars.count, scalars[position] != ">" {
            let scalar = scalars[position]
            position += 1
            if scalar.properties.isWhitespace { continue }
            guard let digit = Character(scalar).hexDigitValue, scalar.isASCII else { return nil }
            digits.append(UInt8(digit))
        }
        guard consume(">"), digits.count.isMultiple(of: 2) else { return nil }
        return .data(Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }))
    }

    private mutating func string() -> String? {
        guard position < scalars.count else { return nil }
        var text = String.UnicodeScalarView()
        guard scalars[position] == "\"" else {
            while position < scalars.count, isPlain(scalars[position]) {
                text.append(scalars[position])
                position += 1
            }
            return text.isEmpty ? nil : String(text)
        }
        position += 1
        while position < scalars.count {
            let scalar = scalars[position]
            position += 1
            if scalar == "\"" { return String(text) }
            guard scalar == "\\" else {
                text.append(scalar)
                continue
            }
            guard position < scalars.count else { return nil }
            let escaped = scalars[position]
            position += 1
            switch escaped {
            case "n": text.append("\n")
            case "t": text.append("\t")
            default: text.append(escaped)
            }
        }
        return nil
    }

    private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "_$/:.-+".unicodeScalars.contains(scalar)
    }

    private mutating func skipBlanks() {
        while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
    }

    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard position < scalars.count, scalars[position] == scalar else { return false }
        position += 1
        return true
    }
}
