internal import PropertyLists
internal import FileSystem
public import Foundation
internal import SystemPackage

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
        guard let text = String(utf8: value) else { return [.wrong("it is not text")] }
        let lines = text.split(whereSeparator: \.isNewline)
        return lines.isEmpty ? [.wrong("it is empty")] : lines.map { Line($0) }
    }

    /// Returns the end of a date. For a day, its end in UTC.
    package static func end(_ text: String) -> Date? {
        if text.contains("T") { return try? Date(text, strategy: .iso8601) }
        return (try? Date(text + "T00:00:00Z", strategy: .iso8601))?.addingTimeInterval(86_400)
    }
}

extension Container {
    /// Suppresses the findings of a linter rule for an item, and stores the reason on the item. On a directory, the
    /// suppression applies to its content. An existing suppression of the same rule is replaced.
    ///
    /// The linter reports suppressions that have expired, that refer to an unknown rule, and that match no finding.
    ///
    /// - Parameters:
    ///   - rule: The rule's id (`stale-tmp`), its number, or a group (`stale`).
    ///   - reason: The reason why the findings are acceptable. It must not be empty.
    ///   - until: The date, in whole seconds, from which the findings are reported again.
    ///   - item: A file or directory. A symbolic link cannot have attributes.
    /// - Throws: `notEncodable` for an invalid rule, an empty reason, or more than 3 KiB of suppressions on one item;
    ///   `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noAttributes`,
    ///   `durabilityUnknown`, `failed`.
    public func suppress(
        _ rule: String, reason: String, until: Date? = nil, at item: ContainerPath
    ) throws(ContainerError) {
        let path = try relative(item)
        guard let new = Suppression(rule, reason: reason, until: until) else {
            throw ContainerError(
                .notEncodable, path,
                "A suppression on “\(item)” needs a reason and a rule that consists of lowercase letters, digits "
                    + "and “-”. Nothing on disk has changed.")
        }
        try changeSuppressions(of: rule, at: path, to: new)
    }

    /// Removes the suppressions of a rule from an item. A suppression on a parent directory remains in effect.
    ///
    /// - Throws: The errors of `suppress`.
    public func unsuppress(_ rule: String, at item: ContainerPath) throws(ContainerError) {
        try changeSuppressions(of: rule, at: try relative(item), to: nil)
    }

    /// Returns the suppressions on an item itself. Skips invalid ones.
    ///
    /// - Throws: `notFound`, `notAFile` for a symbolic link, `leavesContainer`, `noIdentifier`, `permissionDenied`,
    ///   `noAttributes`, `failed`.
    public func suppressions(of item: ContainerPath) throws(ContainerError) -> [Suppression] {
        let path = try relative(item)
        do throws(FileSystemError) {
            let file = try folder.open(path.isEmpty ? "." : path, followingLinks: false)
            return try file.attribute(Suppression.attribute).map(Suppression.lines)?.compactMap { line in
                if case .suppression(let suppression) = line { suppression } else { nil }
            } ?? []
        } catch { throw ContainerError(error) }
    }

    private func changeSuppressions(
        of rule: String, at path: FilePath, to new: Suppression?
    ) throws(ContainerError) {
        var isTooLong = false
        try forEachItem(path, recursively: false) { file throws(FileSystemError) in
            let old = String(decoding: try file.attribute(Suppression.attribute) ?? [], as: UTF8.self)
            var lines = old.split(whereSeparator: \.isNewline).filter { line in
                if case .suppression(let suppression) = Suppression.Line(line) {
                    suppression.rule != rule
                } else {
                    true
                }
            }.map(String.init)
            if let new { lines.append(new.line) }
            let value = Array(lines.map { $0 + "\n" }.joined().utf8)
            isTooLong = new != nil && value.count > Suppression.mostBytes
            if isTooLong { return }
            if value.isEmpty {
                try file.removeAttribute(Suppression.attribute)
            } else {
                try file.setAttribute(Suppression.attribute, value: value)
            }
        }
        if isTooLong {
            throw ContainerError(
                .notEncodable, path,
                "The suppressions on “\(path)” would take more than 3 KiB. Nothing on disk has changed. Shorten the "
                    + "reasons.")
        }
    }
}
