package import AppContainer
internal import FileSystem
internal import PolicyTexts
internal import Secrets
internal import SystemPackage

/// The text of a new rule: about items like one of a container, or about files in tmp as an example.
///
/// Names that vary, secrets and the bundle identifier become `*`, so that the rule matches items of the same kind. The two bad
/// and two good examples have names of their own.
package struct RuleTemplate {
    /// An item that no rule can be made from.
    package struct Refusal: Error {
        /// The reason, as the end of a sentence that begins with the path.
        package let reason: String
    }

    private let location: RuleScope.LocationName
    /// The patterns of the directories above the item.
    private let directories: [String]
    /// The pattern of the name, without the extension.
    private let name: String
    private let fileExtension: String?
    private let isDirectory: Bool
    private let magic: Magic?
    private let isLarge: Bool

    /// Files of at least this size get a rule with a size.
    private static let largeSize: UInt64 = 1 << 20

    /// Creates a template about files with the extension `example` in tmp.
    package init() {
        (location, directories, name, fileExtension) = (.temporary, ["tmp"], "*", "example")
        (isDirectory, magic, isLarge) = (false, nil, false)
    }

    /// Creates a template about items like the one at a path.
    ///
    /// - Throws: `Refusal` for an item that is neither a file nor a directory in a location, and for one that cannot be read.
    package init(_ path: String, in container: Container) throws(Refusal) {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != Array(".".utf8) }
        let known: [(String, RuleScope.LocationName)] = [
            ("Library/Application Support", .applicationSupport), ("Library/Caches", .caches),
            ("Library/Preferences", .preferences), ("Library", .library), ("Documents", .documents),
            ("tmp", .temporary), ("", .root),
        ]
        let names = parts.map { String(decoding: $0, as: UTF8.self) }
        guard
            let (start, location) = known.first(where: {
                names.starts(with: $0.0.split(separator: "/").map(String.init))
            })
        else { throw Refusal(reason: "is in no location") }
        let own = start.split(separator: "/").map(String.init)
        guard let last = parts.last, parts.count > own.count, !names.contains("..") else {
            throw Refusal(reason: "is not an item below a location. Pass the path of a file, relative to the container")
        }
        let status: FileStatus
        var head: [UInt8] = []
        do throws(FileSystemError) {
            let relative = FilePath(path)
            status = try container.folder.status(relative)
            if status.kind == .file {
                head = try container.folder.open(relative, followingLinks: false).read(upTo: 64)
            }
        } catch { throw Refusal(reason: "cannot be read: \(error)") }
        guard status.kind == .file || status.kind == .directory else {
            throw Refusal(reason: "is neither a file nor a directory")
        }
        self.location = location
        isDirectory = status.kind == .directory
        let identifier = container.bundleIdentifier
        directories = own + parts.dropLast().dropFirst(own.count).map { Self.pattern(of: $0, identifier) }
        let dot = last.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil }
        let suffix = dot.map { Array(last[($0 + 1)...]) } ?? []
        if !isDirectory, (1...12).contains(suffix.count), suffix.allSatisfy(ASCII.isAlphanumeric),
            !SecretShape.isContained(in: String(decoding: last, as: UTF8.self))
        {
            (name, fileExtension) = ("*", String(decoding: suffix, as: UTF8.self).lowercased())
        } else {
            (name, fileExtension) = (Self.pattern(of: last, identifier), nil)
        }
        magic = isDirectory ? nil : Magic(head)
        isLarge = !isDirectory && status.size >= Self.largeSize
    }

    /// Returns the pattern of a name: `*` for parts that vary, and for a name that must not be shown.
    private static func pattern(of name: [UInt8], _ identifier: String?) -> String {
        let text = String(decoding: name, as: UTF8.self)
        let isShowable = text.unicodeScalars.allSatisfy { scalar in
            ![.control, .format, .lineSeparator, .paragraphSeparator, .privateUse].contains(
                scalar.properties.generalCategory)
        }
        guard Array(text.utf8) == name, isShowable, text != identifier, !SecretShape.isContained(in: text) else {
            return "*"
        }
        let wild = Set("*?[]{}\\".utf8)
        let plain = VaryingName.pattern(of: name.map { wild.contains($0) ? UInt8(ascii: "?") : $0 })
        return String(decoding: plain, as: UTF8.self)
    }

    /// Returns the text of the file of a rule.
    package func text(id: String, number: Int) -> String {
        let pattern = (directories + [name]).joined(separator: "/")
        let shown = pattern + (fileExtension.map { ".\($0)" } ?? "")
        var conditions = ["{ path: \(Self.quoted(pattern)) }"]
        if let fileExtension { conditions.append("{ extension: [\(Self.quoted(fileExtension))] }") }
        if let magic { conditions.append("{ magic: [\(magic.rawValue)] }") }
        if isLarge { conditions.append("{ size: { at-least: $size } }") }
        let good = alternative
        return """
            id: \(id)
            number: \(number)
            group: layout
            severity: warning
            since: 1.0.0
            title: \(Self.quoted("\(isDirectory ? "a directory" : "a file") such as \(shown)"))
            message: "“{name}” does not belong here"
            help: state what the app should do instead
            rationale: State the reason for this rule.
            references: []
            \(isLarge ? "thresholds: { size: 1MiB }\n" : "")\
            applies: { in: \(location.rawValue), kind: \(isDirectory ? "directory" : "file") }
            when: { all: [\(conditions.joined(separator: ", "))] }
            bad:
              - { title: An example, tree: { \(item("one")) }, finds: \(Self.quoted(path("one"))) }
              - { title: Thirty days old, tree: { \(item("two", age: "30d")) }, finds: \(Self.quoted(path("two"))) }
            good:
              - title: Known false positive, an item with the same name in another location
                tree: { \(item("one", in: location == .temporary ? "Documents" : "tmp")) }
              - title: \(good.title)
                tree: { \(good.item) }

            """
    }

    /// An item in the same directory that the rule does not match.
    private var alternative: (title: String, item: String) {
        if let fileExtension {
            let other = fileExtension == "other" ? "another" : "other"
            return ("Another extension", "\(Self.quoted(path("one", fileExtension: other))): \(content())")
        }
        return isDirectory
            ? ("A file with that name", "\(Self.quoted(path("one"))): {}")
            : ("A directory with that name", "\(Self.quoted(path("one") + "/")): {}")
    }

    private func item(_ word: String, in directory: String? = nil, age: String? = nil) -> String {
        "\(Self.quoted(path(word, in: directory) + (isDirectory ? "/" : ""))): \(content(age: age))"
    }

    /// Returns the content of the item, as a recipe.
    private func content(age: String? = nil) -> String {
        let hex = magic.map { "hex: \"\($0.header.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())\"" }
        let parts = [hex, isLarge ? "size: 1MiB" : nil, age.map { "age: \($0)" }].compactMap(\.self)
        return parts.isEmpty ? "{}" : "{ \(parts.joined(separator: ", ")) }"
    }

    /// Returns a path that the pattern matches, or the same name in another directory. The word replaces each `*`.
    private func path(_ word: String, in directory: String? = nil, fileExtension other: String? = nil) -> String {
        let names = (directory.map { [$0] } ?? directories) + [name]
        let suffix = (other ?? fileExtension).map { ".\($0)" } ?? ""
        return names.joined(separator: "/").replacing("*", with: word).replacing("?", with: "x") + suffix
    }

    private static func quoted(_ text: String) -> String { JSONValue.string(text).compact }
}
