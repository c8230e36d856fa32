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
