public import Foundation

/// What a linter is to let be of an item, and why: kept on the item, so that whoever lints the container knows.
public struct Suppression: Sendable, Hashable {
    /// The rule: its id, its number, or its group.
    public let rule: String
    /// Why what it finds is right here.
    public let reason: String
    /// From when on it is reported again; nil for never.
    public let until: Date?

    /// The attribute that holds suppressions, a line each: `stale-tmp until 2026-06-30: sent with the next launch`.
    package static let attribute = "appcontainer.suppress"
    /// All of a file's attributes share one block of 4 KiB on ext4.
    package static let mostBytes = 3_072

    /// Nil for a rule that is no word, and for no reason.
    init?(_ rule: String, reason: String, until: Date?) {
        let reason = reason.split(whereSeparator: \.isNewline).joined(separator: " ").trimmingCharacters(
            in: .whitespaces)
        guard Self.isWord(rule), !reason.isEmpty else { return nil }
        (self.rule, self.reason, self.until) = (rule, reason, until)
    }

    /// Small letters, digits and `-`, as the names of rules and groups are.
    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    var line: String { rule + (until.map { " until \($0.ISO8601Format())" } ?? "") + ": " + reason }

    /// A line of the attribute, or what is wrong with it.
    package enum Line: Sendable, Hashable {
        case suppression(Suppression)
        case wrong(String)

        init(_ line: Substring) {
            let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
            let words = parts[0].split(separator: " ").map(String.init)
            var until: Date?
            if words.count == 3, words[1] == "until" {
                until = Suppression.end(words[2])
                guard until != nil else {
                    self = .wrong("the date is none such as 2026-06-30")
                    return
                }
            } else if words.count != 1 {
                self = .wrong("it begins with no rule")
                return
            }
            guard parts.count == 2, parts[1].contains(where: { !$0.isWhitespace }) else {
                self = .wrong("the reason is missing")
                return
            }
            guard let read = Suppression(words[0], reason: String(parts[1]), until: until) else {
                self = .wrong("its rule is no word")
                return
            }
            self = .suppression(read)
        }
    }

    /// The lines of the attribute's value; one that says what is wrong for a value that is no text.
    package static func lines(_ value: [UInt8]) -> [Line] {
        guard value.count <= 4 * mostBytes else { return [.wrong("it is too long")] }
        guard let text = String(validating: value, as: UTF8.self) else { return [.wrong("it is no text")] }
        let lines = text.split(whereSeparator: \.isNewline)
        return lines.isEmpty ? [.wrong("it is empty")] : lines.map { Line($0) }
    }

    /// The moment when a date is over: of a day its end, in universal time.
    package static func end(_ text: String) -> Date? {
        if text.contains("T") { return try? Date(text, strategy: .iso8601) }
        return (try? Date(text + "T00:00:00Z", strategy: .iso8601))?.addingTimeInterval(86_400)
    }
}
