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
