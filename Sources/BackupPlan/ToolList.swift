package import AppContainer
internal import FileSystem
internal import Foundation
package import SystemPackage
internal import TextOutput

/// An external backup tool that reads a list of paths to include or exclude.
package enum ListedTool: String, Sendable, CaseIterable {
    case restic, borg, rsync, tar, tmutil

    /// True if the tool compares absolute paths.
    package var needsAbsolutePath: Bool { self == .restic || self == .tmutil }

    /// The command line of the tool with the list.
    package var usage: String {
        switch self {
        case .restic: "restic backup --exclude-file=LIST CONTAINER"
        case .borg: "cd CONTAINER && borg create --exclude-from LIST REPOSITORY::NAME ."
        case .rsync: "rsync -aHAX --from0 --exclude-from=LIST CONTAINER/ TARGET/"
        case .tar: "tar --create --file=ARCHIVE --directory=CONTAINER --null --no-recursion --files-from=LIST"
        case .tmutil: "sudo sh LIST"
        }
    }
}

/// The reason why there is no list.
package enum ToolListError: Error, Hashable, CustomStringConvertible {
    /// The container itself is excluded.
    case nothingKept(BackupReason)

    package var description: String {
        switch self {
        case .nothingKept(let reason): "The container itself is excluded (\(reason.phrase)): the list would be empty."
        }
    }
}

/// A plan as a list for another tool, which then stores exactly what the plan includes.
package struct ToolList: Sendable {
    private let plan: Plan
    private let tool: ListedTool
    /// The absolute path of the container; empty if the tool does not need it.
    private let root: [UInt8]

    /// Creates the list for a tool that is called with this path of the container. A relative path counts from the
    /// current directory.
    ///
    /// - Throws: `nothingKept`.
    package init(_ plan: Plan, for tool: ListedTool, at location: FilePath) throws(ToolListError) {
        if let first = plan.first, !first.isStored { throw .nothingKept(first.decision.reason) }
        self.plan = plan
        self.tool = tool
        // As the tools do: resolve `.`, `..` and repeated slashes, but not symbolic links.
        let whole = location.isAbsolute ? location : Self.workingDirectory.appending(location.components)
        root = tool.needsAbsolutePath ? whole.lexicallyNormalized().bytes : []
    }

    /// The working directory by the name in `PWD`, which may contain symbolic links. Go's tools use it (`os.Getwd`).
    private static var workingDirectory: FilePath {
        let invocation = Invocation.current
        if let name = invocation.environment["PWD"], name.hasPrefix("/"),
            let named = try? Folder(opening: FilePath(name)).status("").identity,
            let current = try? Folder(opening: ".").status("").identity, named == current
        {
            return FilePath(name)
        }
        return invocation.workingDirectory.path
    }

    /// Writes the list as the tool reads it.
    package func write(to output: ([UInt8]) -> Void) {
        for entry in plan where entry.isStored == (tool == .tar) {
            switch tool {
            case .restic: output(ResticList.pattern(root + [slash] + entry.path))
            case .borg: output(BorgList.pattern(entry.path))
            case .rsync: output(RsyncList.pattern(entry.path))
            case .tmutil: output(TmutilList.command(root + [slash] + entry.path))
            case .tar: output(TarList.member(entry.path))
            }
        }
    }

    private var slash: UInt8 { UInt8(ascii: "/") }
}

/// Lines for borg's `--exclude-from`, relative to the container.
///
/// A plain name is a full path (`pf:`), which borg looks up directly. Any other name is an ASCII regular expression
/// with Python escapes. Bytes outside UTF-8 appear as the surrogates U+DC80 to U+DCFF (PEP 383). Source: borg 1.2,
/// `patterns.py` and `clean_lines`.
enum BorgList {
    static func pattern(_ path: [UInt8]) -> [UInt8] {
        if isPlain(path) { return Array("pf:".utf8) + path + [UInt8(ascii: "\n")] }
        var line = "re:^"
        ByteText.forEachScalar(of: path) { scalar, byte in
            switch scalar {
            case nil: line += "\\udc" + hexadecimal(UInt32(byte), width: 2)
            case let scalar? where isWord(scalar): line.unicodeScalars.append(scalar)
            case let scalar? where scalar.value > 0xffff: line += "\\U" + hexadecimal(scalar.value, width: 8)
            case let scalar?: line += "\\u" + hexadecimal(scalar.value, width: 4)
            }
        }
        return Array((line + "\\Z\n").utf8)
    }

    /// Returns true if a line can contain the path unescaped: UTF-8 without control characters, line separators and
    /// trailing white space.
    private static func isPlain(_ path: [UInt8]) -> Bool {
        var isPlain = true
        ByteText.forEachScalar(of: path) { scalar, _ in
            switch scalar?.properties.generalCategory {
            case nil, .control, .lineSeparator, .paragraphSeparator: isPlain = false
            default: break
            }
        }
        return isPlain && ByteText.lastScalar(of: path)?.properties.isWhitespace == false
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "/")
    }

    private static func hexadecimal(_ number: UInt32, width: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Lines for restic's `--exclude-file`: globs of Go's `filepath.Match`, compared with whole paths by component.
///
/// Source: restic's `cmd/restic/exclude.go` (white space around a line is removed, `$NAME` is expanded) and Go's
/// `path/filepath`.
package enum ResticList {
    package static func pattern(_ path: [UInt8]) -> [UInt8] {
        var line: [UInt8] = []
        for byte in path {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["):
                line += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "$"): line += [byte, byte]
            case UInt8(ascii: "\n"): line += newline
            default: line.append(byte)
            }
        }
        // A character class protects white space at the end of a line.
        if let blank = ByteText.lastScalar(of: line), blank.properties.isWhitespace {
            let bytes = Array(Character(blank).utf8)
            line = line.dropLast(bytes.count) + [UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")]
        }
        return line + [UInt8(ascii: "\n")]
    }

    /// Returns the pattern for the content of a directory, without the directory itself.
    package static func contents(of directory: [UInt8]) -> [UInt8] {
        pattern(directory).dropLast() + Array("/*\n".utf8)
    }

    /// A line cannot contain a line feed: the class of everything except all other characters matches it.
    private static let newline = Array("[^\u{1}-\t\u{b}-\u{10ffff}]".utf8)
}

/// Patterns for rsync's `--exclude-from` with `--from0`, terminated by NUL. A leading slash anchors a pattern at the
/// container.
///
/// Source: rsync(1), “Pattern matching rules”: a backslash escapes only in a pattern with a wildcard.
enum RsyncList {
    static func pattern(_ path: [UInt8]) -> [UInt8] {
        var pattern: [UInt8] = [UInt8(ascii: "/")]
        let wildcards = Array("*?[".utf8)
        if path.contains(where: wildcards.contains) {
            for byte in path {
                if wildcards.contains(byte) || byte == UInt8(ascii: "\\") { pattern.append(UInt8(ascii: "\\")) }
                pattern.append(byte)
            }
        } else {
            pattern += path
        }
        return pattern + [0]
    }
}

/// Names for tar's `--files-from` with `--null`: the included items.
///
/// GNU tar and bsdtar read exclude patterns differently (anchoring, line endings, character set), so no exclude list
/// works for both. Both accept any name in a list of names.
enum TarList {
    static func member(_ path: [UInt8]) -> [UInt8] {
        // A leading `./` keeps a name from being read as an option.
        (path.isEmpty ? [UInt8(ascii: ".")] : Array("./".utf8) + path) + [0]
    }
}

/// A script of `tmutil` calls that exclude paths from Time Machine.
enum TmutilList {
    static func command(_ path: [UInt8]) -> [UInt8] {
        var command = Array("tmutil addexclusion -p '".utf8)
        for byte in path { command += byte == UInt8(ascii: "'") ? Array("'\\''".utf8) : [byte] }
        return command + Array("'\n".utf8)
    }
}
