internal import FileSystem
internal import SystemPackage

extension Baseline {
    private static let mostBytes = 32 << 20
    private static let longestLine = 16 << 10

    /// A baseline's file. Bounded: 32 MiB, lines of 16 KiB.
    ///
    /// - Throws: `UnreadableSource` for what cannot be opened or is no file or too large, `SourceError` for what is no
    ///   baseline, one of a later version, or damaged, at its line.
    package init(reading path: String) throws {
        try self.init(file: path, text: String(decoding: Self.bytes(path), as: UTF8.self))
    }

    /// Whether anything has the path.
    package static func exists(_ path: String) -> Bool {
        (try? place(path)).flatMap { try? $0.0.statusIfPresent($0.1) } != nil
    }

    /// Whether a file is a baseline, of whatever version and in whatever state.
    package static func isBaseline(_ path: String) throws(UnreadableSource) -> Bool {
        try bytes(path).starts(with: "sandboxlint-baseline/".utf8)
    }

    private static func bytes(_ path: String) throws(UnreadableSource) -> [UInt8] {
        let (folder, name) = try place(path)
        do throws(FileSystemError) {
            let status = try folder.status(name)
            guard status.kind == .file || status.kind == .symbolicLink else {
                throw FileSystemError("read", name, .invalidArgument)
            }
            let file = try folder.open(name)
            guard try file.status().kind == .file else { throw FileSystemError("read", name, .invalidArgument) }
            let bytes = try file.read(upTo: mostBytes + 1)
            guard bytes.count <= mostBytes else { throw FileSystemError("read", name, .fileTooLarge) }
            return bytes
        } catch {
            switch error.errno {
            case .noSuchFileOrDirectory:
                throw UnreadableSource(
                    path: path, reason: "there is no such baseline",
                    hint: "`sandboxlint baseline write` makes it.")
            case .fileTooLarge:
                throw UnreadableSource(
                    path: path, reason: "it is larger than 32 MiB",
                    hint: "Hold fewer: name what is not yours under `ignore`.")
            case .invalidArgument, .isDirectory:
                throw UnreadableSource(path: path, reason: "it is no file", hint: "Name a file.")
            default:
                throw UnreadableSource(
                    path: path, reason: "it cannot be read: \(error)", hint: "Check whose it is, and its mode.")
            }
        }
    }

    /// Writes the file, whole: after a crash at any moment it is the old one or the new one.
    ///
    /// - Throws: `UnreadableSource` where that cannot be done; the old file is untouched then.
    package func write(to path: String) throws(UnreadableSource) {
        let (folder, name) = try Self.place(path)
        var existing = Existing()
        existing.symbolicLink = .follow
        let bytes = Array(text.utf8)
        do throws(ReplaceError) {
            try Replace(existing: existing).write(to: name, in: folder) { file throws(FileSystemError) in
                try file.write(bytes)
            }
        } catch {
            throw UnreadableSource(
                path: path, reason: "it cannot be written: \(error.cause)",
                hint: "Check who may write there, and that there is room.")
        }
    }

    private static func place(_ path: String) throws(UnreadableSource) -> (Folder, FilePath) {
        let path = FilePath(path)
        guard let name = path.lastComponent else {
            throw UnreadableSource(path: path.string, reason: "it is no file", hint: "Name a file.")
        }
        let above = path.removingLastComponent()
        do throws(FileSystemError) {
            return (try Folder(opening: above.isEmpty ? "." : above), FilePath(root: nil, [name]))
        } catch {
            throw UnreadableSource(
                path: path.string, reason: "its folder cannot be opened: \(error)", hint: "Check the path.")
        }
    }

    /// A baseline from its file's text; the order of lines, and lines that are there twice, as a merge may leave them,
    /// are no matter.
    ///
    /// - Throws: What is wrong, at its line.
    init(file: String, text: String) throws(SourceError) {
        var entries: [Entry] = []
        // By bytes: to find where characters end takes many times as long in a large file.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, ended) in lines.enumerated() {
            let bytes = ended.last == UInt8(ascii: "\r") ? ended.dropLast() : ended
            let line = Substring(bytes)
            func error(_ message: String, column: Int = 1) -> SourceError {
                // A configuration may name any file as the baseline, so that no line of it is shown.
                SourceError(
                    file: file, text: "", line: index + 1, column: column, message,
                    help: "Mend the line, or write the baseline anew by `sandboxlint baseline write`.")
            }
            if index == 0 {
                guard line != Self.header else { continue }
                let version =
                    line.hasPrefix("sandboxlint-baseline/") ? line.split(separator: "/").last.map { Int($0) } : nil
                if let version = version ?? nil, version > 1 {
                    throw error("written by a later sandboxlint, in format \(version); this one reads format 1")
                }
                throw error("no baseline of sandboxlint: the first line would be “\(Self.header)”")
            }
            guard let first = bytes.first else { continue }
            if "<=>|".utf8.contains(first),
                ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].contains(where: line.hasPrefix)
            {
                throw error("a merge left its marks; take them out, the lines of both sides may stay")
            }
            guard line.utf8.count <= Self.longestLine else { throw error("the line is longer than 16 KiB") }
            let parts = bytes.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
                .map(Substring.init)
            guard parts[0].utf8.count == 16, parts[0].utf8.allSatisfy(Self.isDigit) else {
                throw error("expected a fingerprint of 16 hexadecimal digits")
            }
            guard parts.count == 4, !parts[1].isEmpty, !parts[2].isEmpty, !parts[3].isEmpty else {
                throw error("expected fingerprint, rule, container and path", column: min(line.count, 18))
            }
            entries.append(
                Entry(
                    fingerprint: String(parts[0]), rule: String(parts[1]),
                    container: parts[2] == "-" ? "" : String(parts[2]), path: String(parts[3])))
        }
        self.init(entries)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte || (UInt8(ascii: "a")...UInt8(ascii: "f")) ~= byte
    }
}
