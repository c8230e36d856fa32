internal import FileSystem
package import StoragePolicy
internal import SystemPackage
internal import TextOutput

extension Baseline {
    private static let mostBytes = 128 << 20
    private static let longestLine = 16 << 10

    /// A baseline's file. Bounded: 128 MiB, lines of 16 KiB.
    ///
    /// - Throws: `UnreadableSource` if the file is missing, not a regular file or too large, `SourceError` if it is not
    ///   a baseline, has another format, or is damaged, with the line.
    package init(reading path: String) throws {
        try self.init(file: path, text: String(decoding: Self.bytes(path), as: UTF8.self))
    }

    /// Returns true if an item exists at the path.
    package static func exists(_ path: String) -> Bool {
        (try? SourceFile.folderAndName(path)).flatMap { try? $0.0.statusIfPresent($0.1) } != nil
    }

    /// Returns true if a file is a baseline, of whatever version and in whatever state.
    package static func isBaseline(_ path: String) throws(UnreadableSource) -> Bool {
        try bytes(path).starts(with: name.utf8)
    }

    private static func bytes(_ path: String) throws(UnreadableSource) -> [UInt8] {
        let (folder, name) = try SourceFile.folderAndName(path)
        do throws(FileSystemError) {
            let status = try folder.status(name)
            guard status.kind == .file || status.kind == .symbolicLink else {
                throw FileSystemError("read", path: name, errno: .invalidArgument)
            }
            let file = try folder.open(name)
            guard try file.status().kind == .file else {
                throw FileSystemError("read", path: name, errno: .invalidArgument)
            }
            let bytes = try file.read(upTo: mostBytes + 1)
            guard bytes.count <= mostBytes else { throw FileSystemError("read", path: name, errno: .fileTooLarge) }
            return bytes
        } catch {
            switch error.errno {
            case .noSuchFileOrDirectory:
                throw UnreadableSource(
                    path: path, reason: "the baseline does not exist",
                    hint: "Create it with `sandboxlint baseline write`.")
            case .fileTooLarge:
                throw UnreadableSource(
                    path: path, reason: "it is larger than 128 MiB",
                    hint: "Reduce the number of entries: list files of other software under `ignore`.")
            case .invalidArgument, .isDirectory:
                throw UnreadableSource(path: path, reason: "it is not a file", hint: "Specify a file.")
            case .improperLink:
                throw UnreadableSource(
                    path: path, reason: "it is a link that leads out of its directory",
                    hint: "Specify the file that it leads to.")
            default:
                throw UnreadableSource(
                    path: path, reason: "it cannot be read: \(error)", hint: "Check its owner and permissions.")
            }
        }
    }

    /// Writes the file, whole: after a crash at any moment it is the old one or the new one.
    ///
    /// - Throws: `UnreadableSource` where that cannot be done; the old file is untouched then.
    package func write(to path: String) throws(UnreadableSource) {
        let text = text
        // No command would read it.
        guard text.utf8.count <= Self.mostBytes else {
            throw UnreadableSource(
                path: path, reason: "it would be larger than 128 MiB",
                hint: "Write a baseline for each app, or list files of other software under `ignore`.")
        }
        try SourceFile.write(text, to: path)
    }

    /// A baseline from its file's text. Neither the order of lines nor a repeated line, as a merge may leave them, matters.
    ///
    /// - Throws: The first mistake, at its line and column.
    package init(file: String, text: String) throws(SourceError) {
        var table = BaselineTable()
        let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
        // Without room, the table would be copied as it grows. Paths take about half of a file.
        table.reserve(entries: lines + 1, bytes: text.utf8.count / 2)
        // Most lines have the rule and the container of another one.
        var names: [Substring: String] = [:]
        var rest: Line? = Substring(text).utf8
        var index = -1
        while let ended = Self.nextLine(&rest) {
            index += 1
            let bytes = ended.last == UInt8(ascii: "\r") ? ended.dropLast() : ended
            do throws(Mistake) {
                if index == 0 {
                    try Self.check(header: Substring(bytes))
                } else if let entry = try Self.entry(bytes, into: &names) {
                    table.append(entry, line: index + 1)
                }
            } catch {
                // A configuration may name any file as the baseline, so no line of it is shown.
                throw SourceError(
                    file: file, text: "", line: index + 1, column: error.column, error.message,
                    suggestion: error.suggestion,
                    help: index == 0
                        ? "Specify another file, or write the baseline with `sandboxlint baseline write`."
                        : "Correct the line, or write the baseline again with `sandboxlint baseline write`.")
            }
        }
        self.init(file: file, table)
    }

    /// Removes the next line from the rest of a text, and returns it without its end; nil after the last one.
    ///
    /// By bytes: to find where characters end takes many times as long in a large file.
    private static func nextLine(_ rest: inout Line?) -> Line? {
        guard let text = rest else { return nil }
        guard let end = text.firstIndex(of: UInt8(ascii: "\n")) else {
            rest = nil
            return text
        }
        rest = text[text.index(after: end)...]
        return text[..<end]
    }

    private struct Mistake: Error {
        let message: String
        var column = 1
        var suggestion: String?
    }
    private typealias Line = Substring.UTF8View

    /// Checks the first line.
    private static func check(header line: Substring) throws(Mistake) {
        guard line != header else { return }
        if line.hasPrefix(name), let version = UInt64(line.dropFirst(name.count)) {
            throw Mistake(
                message: "the baseline has format \(version); this version of sandboxlint reads format \(format)")
        }
        throw Mistake(message: "not a sandboxlint baseline: the first line must be “\(header)”")
    }

    /// Returns the words of a line; of more than five, the sixth contains the rest. Empty for an empty line.
    private static func words(_ line: Line) throws(Mistake) -> [Substring] {
        guard let first = line.first else { return [] }
        if "<=>|".utf8.contains(first),
            ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].contains(where: Substring(line).hasPrefix)
        {
            throw Mistake(
                message: "unresolved merge conflict; remove the conflict markers and keep the lines of both sides")
        }
        guard line.count <= longestLine else { throw Mistake(message: "the line is longer than 16 KiB") }
        return line.split(separator: UInt8(ascii: " "), maxSplits: 5, omittingEmptySubsequences: false)
            .map(Substring.init)
    }

    /// `stale-tmp com.example.app tmp/ max:items=2,bytes=10KB`, or with the digest of what was found in an item,
    /// `found:0123456789abcdef`, at its end.
    private static func entry(_ line: Line, into names: inout [Substring: String]) throws(Mistake) -> Entry? {
        let words = try words(line)
        guard !words.isEmpty else { return nil }
        guard (4...5).contains(words.count), words.allSatisfy({ !$0.isEmpty }) else {
            throw Mistake(message: "expected rule, container, path and limit, separated by single spaces")
        }
        func name(_ word: Substring) -> String {
            if let name = names[word] { return name }
            let name = String(word)
            names[word] = name
            return name
        }
        // To count characters takes longer than the rest, so that it is done for a mistake only.
        func column(_ index: Int) -> Int { words[..<index].reduce(1) { $0 + $1.count + 1 } }
        let limit = try limit(words[3], column: column(3))
        let path = try path(words[2], column: column(2))
        var key = Key(rule: name(words[0]), container: words[1] == "-" ? "" : name(words[1]), path: path)
        if words.count == 5 { key.found = try found(words[4], of: key, column: column(4)) }
        return Entry(key: key, limit: limit)
    }

    /// The path in composed form, as it may have been typed.
    private static func path(_ word: Substring, column: @autoclosure () -> Int) throws(Mistake) -> String {
        guard word == anywhere || !word.utf8.contains(UInt8(ascii: "*")) || !word.contains("**") else {
            throw Mistake(
                message:
                    "“**” stands for any path and must be alone; “*” stands for a part of a name that changes by itself",
                column: column())
        }
        return String(decoding: NameSpelling.composed(Array(word.utf8)), as: UTF8.self)
    }

    private static func found(
        _ word: Substring, of key: Key, column: @autoclosure () -> Int
    ) throws(Mistake) -> UInt64 {
        guard word.hasPrefix("found:"), word.utf8.count == 22, let digest = UInt64(word.dropFirst(6), radix: 16) else {
            throw Mistake(message: "expected “found:” and 16 hexadecimal digits", column: column())
        }
        guard key.isItem else {
            throw Mistake(message: "only the path of an item can be followed by “found:”", column: column())
        }
        return digest
    }

    private static func limit(_ word: Substring, column: @autoclosure () -> Int) throws(Mistake) -> Limit {
        guard word.hasPrefix("max:") else {
            throw Mistake(message: "expected a limit such as max:items=16,bytes=2MB", column: column())
        }
        var (items, bytes): (Int?, UInt64?) = (nil, nil)
        if word == "max:none" { return Limit(items: items, bytes: bytes) }
        for part in word.utf8.dropFirst(4).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            func position() -> Int { column() + word.utf8.distance(from: word.startIndex, to: part.startIndex) }
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(Substring($0)) }
            let value = sides.count == 2 ? sides[1] : ""
            switch sides.first {
            case "items" where items == nil:
                guard let number = Int(value), number >= 0 else {
                    throw Mistake(message: "“\(value)” is not a number of items", column: position() + 6)
                }
                items = number
            case "bytes" where bytes == nil:
                guard let size = Quantity.readBytes(value) else {
                    throw Mistake(
                        message: "“\(value)” is not a size; write 512, 64KiB or 10MB", column: position() + 6)
                }
                bytes = size
            default:
                throw Mistake(
                    message: "expected items=…, bytes=… or both, each once, or max:none", column: position(),
                    suggestion: sides.first.flatMap { NearestName.of($0, among: ["items", "bytes"]) })
            }
        }
        return Limit(items: items, bytes: bytes)
    }
}
