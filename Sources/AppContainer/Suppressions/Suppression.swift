public import Foundation

/// A suppression of linter findings for an item, with its reason. It is stored on the item.
public struct Suppression: Sendable, Hashable {
    /// The rule: its id, its number, or its group.
    public let rule: String
    /// The reason why the findings are acceptable.
    public let reason: String
    /// The date from which the findings are reported again. Nil for never.
    public let until: Date?

    /// The attribute with the suppressions, one per line: `stale-tmp until 2026-06-30: sent with the next launch`.
    package static let attribute = "appcontainer.suppress"
    /// On ext4, all attributes of a file share one block of 4 KiB.
    package static let mostBytes = 3_072

    /// Returns nil for an invalid rule or an empty reason.
    init?(_ rule: String, reason: String, until: Date?) {
        let reason = reason.split(whereSeparator: \.isNewline).joined(separator: " ").trimmingCharacters(
            in: .whitespaces)
        guard Self.isWord(rule), !reason.isEmpty else { return nil }
        (self.rule, self.reason, self.until) = (rule, reason, until)
    }

    /// Returns true for lowercase letters, digits and `-`, as in the names of rules and groups.
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

    /// A line of the attribute, or the problem with it.
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
                    self = .wrong("the date does not have a form such as 2026-06-30")
                    return
                }
            } else if words.count != 1 {
                self = .wrong("it does not begin with a rule")
                return
            }
            guard parts.count == 2, parts[1].contains(where: { !$0.isWhitespace }) else {
                self = .wrong("the reason is missing")
                return
            }
            guard let read = Suppression(words[0], reason: String(parts[1]), until: until) else {
                self = .wrong("its rule is not valid")
                return
            }
            self = .suppression(read)
        }
    }

    /// Returns the lines of the attribute's value, or a problem if the value is not text.
    package static func lines(_ value: [UInt8]) -> [Line] {
        guard value.count <= 4 * mostBytes else { return [.wrong("it is too long")] }
        guard let text = String(validating: value, as: UTF8.self) else { return [.wrong("it is not text")] }
        let lines = text.split(whereSeparator: \.isNewline)
        return lines.isEmpty ? [.wrong("it is empty")] : lines.map { Line($0) }
    }

    /// Returns the end of a date. For a day, its end in UTC.
    package static func end(_ text: String) -> Date? {
        if text.contains("T") { return try? Date(text, strategy: .iso8601) }
        return (try? Date(text + "T00:00:00Z", strategy: .iso8601))?.addingTimeInterval(86_400)
    }
}
