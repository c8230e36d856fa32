internal import ArgumentParser
internal import FileSystem
internal import SystemPackage
internal import TextOutput

/// The equivalent of a command of another tool.
package enum OtherWord: Sendable {
    /// One of these commands: arguments of this tool, or a whole command line of another one of the three.
    case use([String])
    /// A sentence without its full stop, where no command does the same.
    case note(String)

    /// One command.
    package static func use(_ command: String) -> OtherWord { .use([command]) }
}

/// A mistyped command or one of another tool, with a suggestion.
///
/// In a tool whose default command takes a path, the word is not an existing path, has no slash, and resembles a command or is
/// one of another tool.
package struct UnknownCommand: Error, CustomStringConvertible {
    package let description: String

    /// Finds the word in arguments whose commands come first. Nil if these are commands of the tool.
    init?<Tool: CommandLineTool>(in arguments: [String], of tool: Tool.Type) {
        var parents = [tool._commandName]
        var level: any ParsableCommand.Type = tool
        var words = arguments[...]
        while let word = words.first, let command = level.configuration.command(named: word) {
            parents.append(word)
            level = command
            words = words.dropFirst()
        }
        let isRoot = parents.count == 1
        // `help WORD` answers the words of other tools too.
        if isRoot, words.first == "help", let word = words.dropFirst().first, tool.otherWords[word.lowercased()] != nil,
            level.configuration.command(named: word) == nil
        {
            words = words.dropFirst()
        }
        guard let word = words.first, !word.hasPrefix("-") else { return nil }
        guard !(isRoot && word == "help") else { return nil }
        self.init(
            word, below: parents.joined(separator: " "),
            among: level.configuration.commandNames + (isRoot ? ["help"] : []),
            otherWords: isRoot ? tool.otherWords : [:], mayBePath: !isRoot || tool.defaultCommand != nil)
    }

    /// The first path of a default command, in arguments that begin with an option.
    package init?<Tool: CommandLineTool>(path: String, of tool: Tool.Type) {
        self.init(
            path, below: tool._commandName, among: tool.configuration.commandNames + ["help"], otherWords: [:],
            mayBePath: true)
    }

    /// Finds an option of another tool in arguments that cannot be parsed.
    init?<Tool: CommandLineTool>(option arguments: [String], of tool: Tool.Type) {
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            let name = String(argument.dropFirst(2).prefix { $0 != "=" })
            guard let answer = tool.otherOptions[name] else { continue }
            description =
                switch answer {
                case .use(let options): "“--\(name)” is not an option; use “\(options.joined(separator: "” or “"))”"
                case .note(let text): "“--\(name)” is not an option; \(text)"
                }
            return
        }
        return nil
    }

    private init?(
        _ word: String, below parent: String, among names: [String], otherWords: [String: OtherWord], mayBePath: Bool
    ) {
        guard !mayBePath || !word.contains("/") && !Self.exists(word) else { return nil }
        var suggestions: [String] = []
        var note: String?
        switch otherWords[word.lowercased()] {
        case .use(let commands):
            suggestions = commands.map { $0.hasPrefix("sandbox") ? "“\($0)”" : "“\(parent) \($0)”" }
        case .note(let text): note = text
        case nil: suggestions = NearestName.of(word, among: names, within: 2).map { ["“\(parent) \($0)”"] } ?? []
        }
        guard !mayBePath || note != nil || !suggestions.isEmpty else { return nil }
        if names.contains(word) {
            description =
                "the command must come before its options: “\(parent) \(word) …”. For a path, write ./\(word)."
            return
        }
        let hint =
            note.map { "\($0)." }
            ?? (suggestions.isEmpty
                ? "the commands are \(names.joined(separator: ", "))."
                : "did you mean \(suggestions.joined(separator: " or "))?")
        description =
            mayBePath
            ? "“\(parent) \(word)” is neither a command nor a path; \(hint) For a path, write ./\(word)."
            : "“\(parent) \(word)” is not a command; \(hint)"
    }

    /// Returns true if an item exists at the path, including a broken link.
    private static func exists(_ path: String) -> Bool {
        guard let folder = try? Folder(opening: ".") else { return false }
        return (try? folder.statusIfPresent(FilePath(path))).flatMap(\.self) != nil
    }
}

extension CommandConfiguration {
    /// The names of the subcommands, with their aliases.
    var commandNames: [String] { subcommands.flatMap { [$0._commandName] + $0.configuration.aliases } }

    /// Returns the subcommand of a name.
    func command(named name: String) -> (any ParsableCommand.Type)? {
        subcommands.first { $0._commandName == name || $0.configuration.aliases.contains(name) }
    }
}
