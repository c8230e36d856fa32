/// A script of `tmutil` calls, which have Time Machine leave paths out.
enum TmutilList {
    static func command(_ path: [UInt8]) -> [UInt8] {
        var command = Array("tmutil addexclusion -p '".utf8)
        for byte in path { command += byte == UInt8(ascii: "'") ? Array("'\\''".utf8) : [byte] }
        return command + Array("'\n".utf8)
    }
}
