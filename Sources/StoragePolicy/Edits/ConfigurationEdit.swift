internal import FileSystem
internal import Foundation
internal import PropertyLists
internal import Secrets
internal import TextOutput

/// A suppression that is added to the text of a configuration.
package struct ConfigurationEdit {
    /// The reason for which a suppression cannot be added.
    package struct Refusal: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    private let finding: Finding
    private let reason: String
    private let owner: String?
    private let until: String?

    /// Creates a suppression of one finding.
    ///
    /// - Parameters:
    ///   - finding: The finding.
    ///   - reason: The reason; not empty.
    ///   - owner: The person to ask about it.
    ///   - until: The last day, such as `2026-06-30`, or a time.
    package init(suppressing finding: Finding, reason: String, owner: String?, until: String?) {
        (self.finding, self.reason, self.owner, self.until) = (finding, reason, owner, until)
    }

    /// The entry of `suppressions`, as one line of YAML: by the path of an item, or by the fingerprint of a finding that is
    /// about several items or whose path a pattern cannot express.
    package var line: String {
        let path = String(utf8: finding.path)
        let isPlain = path.map { !$0.isEmpty && !$0.utf8.contains { "*?".utf8.contains($0) || $0 < 0x20 } } ?? false
        var fields: [(String, String)] = []
        if let path, isPlain, finding.part == .item, path.withoutSecrets == path {
            fields.append(("path", Self.quoted(path)))
        } else {
            fields.append(("fingerprint", Self.quoted(finding.fingerprint)))
        }
        fields += [("rule", finding.rule.id), ("reason", Self.quoted(reason))]
        if let owner { fields.append(("owner", Self.quoted(owner))) }
        if let until { fields.append(("until", until)) }
        return "{ \(fields.map { "\($0): \($1)" }.joined(separator: ", ")) }"
    }

    /// A text as YAML.
    private static func quoted(_ text: String) -> String { JSONValue.string(text).flow }

    /// Returns the text of a configuration with the suppression.
    ///
    /// - Parameters:
    ///   - text: The text of the configuration; empty for a new one.
    ///   - file: The name of the configuration in messages.
    /// - Returns: The new text. All other lines are unchanged.
    /// - Throws: `SourceError` if the text or the result is not a configuration, `Refusal` if the list is not written in lines.
    package func applied(to text: String, file: String) throws -> String {
        let before = try Configuration(file: file, text: text).suppressions.count
        let new = try Self.adding(["- \(line)"], to: .suppressions, in: text, file: file)
        guard try Configuration(file: file, text: new).suppressions.count == before + 1 else {
            throw Refusal(description: "the form of \(file) is unusual; add the entry to “suppressions”: \(line)")
        }
        return new
    }

    /// Returns the text of a configuration with lines added to a list.
    ///
    /// - Parameters:
    ///   - entries: The lines without their indentation.
    ///   - key: The key of the list.
    ///   - text: The text of the configuration; empty for a new one.
    ///   - file: The name of the configuration in messages.
    /// - Returns: The new text. All other lines are unchanged.
    /// - Throws: `Refusal` if the list is not written in lines.
    static func adding(
        _ entries: [String], to key: ConfigurationKey, in text: String, file: String
    ) throws(Refusal) -> String {
        guard !entries.isEmpty else { return text }
        let end = text.contains("\r\n") ? "\r\n" : "\n"
        var lines = text.isEmpty ? [] : text.replacing("\r\n", with: "\n").components(separatedBy: "\n")
        if lines.last == "" { lines.removeLast() }
        let name = key.rawValue + ":"
        if let index = lines.firstIndex(where: { $0.hasPrefix(name) }) {
            let value = lines[index].dropFirst(name.count).drop { $0 == " " }
            guard value.isEmpty || value.hasPrefix("#") else {
                throw Refusal(
                    description: "“\(key.rawValue)” in \(file):\(index + 1) is written on one line; add the entry: "
                        + entries[0].drop { $0 == "-" || $0 == " " })
            }
            let next = lines[(index + 1)...].first { line in
                let text = line.drop { $0 == " " }
                return !text.isEmpty && !text.hasPrefix("#")
            }
            let indent = next.flatMap { line in
                line.drop { $0 == " " }.hasPrefix("-") ? String(line.prefix { $0 == " " }) : nil
            }
            lines.insert(contentsOf: entries.map { (indent ?? "  ") + $0 }, at: index + 1)
        } else {
            lines += [name] + entries.map { "  " + $0 }
        }
        return lines.joined(separator: end) + end
    }

    /// Returns the text of a configuration with the declarations of answers, and without the comments that ask for them.
    ///
    /// - Throws: `SourceError` if the text or the result is not a configuration, `Refusal` if a list is not written in lines.
    package static func adding(_ answers: AnsweredQuestions, to text: String, file: String) throws -> String {
        _ = try Configuration(file: file, text: text)
        var new = withoutQuestions(about: answers.declaredPaths, in: text)
        for key in ConfigurationKey.allCases {
            new = try adding(answers.lines(for: key), to: key, in: new, file: file)
        }
        _ = try Configuration(file: file, text: new)
        return new
    }

    /// Returns the text without the comments of an earlier `init` that ask about these paths. Other comments are unchanged.
    private static func withoutQuestions(about paths: Set<String>, in text: String) -> String {
        let end = text.contains("\r\n") ? "\r\n" : "\n"
        let pattern = "#   - "
        var lines = text.replacing("\r\n", with: "\n").components(separatedBy: "\n")
        guard let start = lines.firstIndex(where: { $0.hasPrefix("# " + AnsweredQuestions.heading) }) else {
            return text
        }
        let after = lines[start...].firstIndex { !$0.hasPrefix("#") } ?? lines.endIndex
        var kept: [String] = []
        // The last line that is no pattern, until it is known whether a pattern is left below it.
        var title: (line: String, hasPatterns: Bool)?
        for line in lines[start..<after] + ["#"] {
            guard line.hasPrefix(pattern) else {
                if let title, !title.hasPatterns { kept.append(title.line) }
                title = (line, false)
                continue
            }
            title?.hasPatterns = true
            let path = line.dropFirst(pattern.count)
            let comment = path.firstRange(of: "  #")?.lowerBound ?? path.endIndex
            if paths.contains(String(path[..<comment])) { continue }
            kept += [title?.line, line].compactMap { $0 }
            title = nil
        }
        let isAnswered = !kept.contains { $0.hasPrefix(pattern) }
        let first = isAnswered && start > 0 && lines[start - 1].isEmpty ? start - 1 : start
        lines.replaceSubrange(first..<after, with: isAnswered ? [] : kept)
        return lines.joined(separator: end)
    }

    /// Reads a configuration, adds the suppression, and writes the file, whole.
    ///
    /// - Parameter path: The configuration. Created if it does not exist.
    /// - Throws: The errors of `applied`; `UnreadableSource` if the file cannot be read or written. The file is unchanged then.
    package func apply(to path: String) throws {
        let isThere = FileManager.default.fileExists(
            atPath: Invocation.current.workingDirectory.resolved(path))
        let new = try applied(to: isThere ? SourceFile.text(path) : "", file: path)
        try SourceFile.write(new, to: path)
    }
}
