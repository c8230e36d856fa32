internal import TextOutput

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
