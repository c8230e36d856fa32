internal import FileSystem
internal import Foundation
package import SystemPackage
internal import TextOutput

/// A backup tool of someone else's that is told by a list what to take of a container.
package enum ListedTool: String, Sendable, CaseIterable {
    case restic, borg, rsync, tar, tmutil

    /// Whether the tool compares whole paths, from the disk's root on.
    package var needsAbsolutePath: Bool { self == .restic || self == .tmutil }

    /// How the list is given to the tool.
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

/// Why a list cannot be made.
package enum ToolListError: Error, Hashable, CustomStringConvertible {
    /// The container itself is left out, which no list can say.
    case nothingKept(PlanReason)

    package var description: String {
        switch self {
        case .nothingKept(let reason): "The container itself is left out (\(reason.phrase)): there is nothing to take."
        }
    }
}

/// A plan as the list that another tool takes: with it, the tool takes what the plan keeps and nothing else.
package struct ToolList: Sendable {
    private let plan: Plan
    private let tool: ListedTool
    /// Where the container lies, as the tool names it; empty where it does not matter.
    private let root: [UInt8]

    /// The list for a tool that will be given the container by this path, from the same directory where it is relative.
    ///
    /// - Throws: `nothingKept`.
    package init(_ plan: Plan, for tool: ListedTool, at location: FilePath) throws(ToolListError) {
        if let first = plan.first, first.decision == .exclude { throw .nothingKept(first.reason) }
        self.plan = plan
        self.tool = tool
        // As the tools do: `.`, `..` and doubled slashes are taken out, links stay.
        let whole = location.isAbsolute ? location : Self.workingDirectory.appending(location.components)
        root = tool.needsAbsolutePath ? whole.lexicallyNormalized().bytes : []
    }

    /// The working directory by the name that the shell has for it, as Go's tools have it (`os.Getwd`); that may hold
    /// links.
    private static var workingDirectory: FilePath {
        if let name = ProcessInfo.processInfo.environment["PWD"], name.hasPrefix("/"),
            let named = try? Folder(opening: FilePath(name)).status("").identity,
            let current = try? Folder(opening: ".").status("").identity, named == current
        {
            return FilePath(name)
        }
        return FilePath(FileManager.default.currentDirectoryPath)
    }

    /// The list, bytes as the tool reads them.
    package func write(to output: ([UInt8]) -> Void) {
        let listed: PlanDecision = tool == .tar ? .include : .exclude
        for entry in plan where entry.decision == listed {
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

/// Lines of borg's `--exclude-from`, for paths from the container on.
///
/// A plain name is a path in full (`pf:`), which borg looks up at once; any other is a regular expression of ASCII
/// alone, in which Python's escapes say what a line cannot hold. Bytes outside UTF-8 are there what Python makes of
/// them, U+DC80 to U+DCFF (PEP 383). Source: borg 1.2, `patterns.py` and `clean_lines`.
enum BorgList {
    static func pattern(_ path: [UInt8]) -> [UInt8] {
        if isPlain(path) { return Array("pf:".utf8) + path + [UInt8(ascii: "\n")] }
        var line = "re:^"
        ByteText.forEachScalar(of: path) { scalar, byte in
            switch scalar {
            case nil: line += "\\udc" + hexadecimal(UInt32(byte), 2)
            case let scalar? where isWord(scalar): line.unicodeScalars.append(scalar)
            case let scalar? where scalar.value > 0xffff: line += "\\U" + hexadecimal(scalar.value, 8)
            case let scalar?: line += "\\u" + hexadecimal(scalar.value, 4)
            }
        }
        return Array((line + "\\Z\n").utf8)
    }

    /// Whether a line can hold the path: UTF-8, no character that ends a line or steers anything, no blank at its end.
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

    private static func hexadecimal(_ number: UInt32, _ width: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Lines of restic's `--exclude-file`: globs of Go's `filepath.Match`, a path component each, compared with whole paths.
///
/// Source: restic's `cmd/restic/exclude.go` (blanks around a line are cut off, `$NAME` is replaced) and Go's `path/filepath`.
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
        // A blank that ends the line is kept from being cut off as the one member of a class.
        if let blank = ByteText.lastScalar(of: line), blank.properties.isWhitespace {
            let bytes = Array(Character(blank).utf8)
            line = line.dropLast(bytes.count) + [UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")]
        }
        return line + [UInt8(ascii: "\n")]
    }

    /// All that lies in a directory, and not the directory.
    package static func contents(of directory: [UInt8]) -> [UInt8] {
        pattern(directory).dropLast() + Array("/*\n".utf8)
    }

    /// A line cannot hold the byte that ends it: the class of all that is not every other character.
    private static let newline = Array("[^\u{1}-\t\u{b}-\u{10ffff}]".utf8)
}

/// Patterns of rsync's `--exclude-from` under `--from0`: closed by NUL, so that any name fits; the slash at the
/// beginning ties one to the container.
///
/// Source: rsync(1), “Pattern matching rules”: a backslash escapes only in a pattern that holds a wildcard.
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

/// Names for tar's `--files-from` under `--null`: what is kept, and not what is left out.
///
/// GNU tar and libarchive's read patterns of exclusion differently (what ties one to the beginning, which end of line is
/// cut off, the character set), and no list is exact for both; each takes any name from a list of names.
enum TarList {
    static func member(_ path: [UInt8]) -> [UInt8] {
        // Nothing that begins with a dot is taken for an option.
        (path.isEmpty ? [UInt8(ascii: ".")] : Array("./".utf8) + path) + [0]
    }
}

/// A script of `tmutil` calls, which have Time Machine leave paths out.
enum TmutilList {
    static func command(_ path: [UInt8]) -> [UInt8] {
        var command = Array("tmutil addexclusion -p '".utf8)
        for byte in path { command += byte == UInt8(ascii: "'") ? Array("'\\''".utf8) : [byte] }
        return command + Array("'\n".utf8)
    }
}
