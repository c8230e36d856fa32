/// The bits of a mode that tell the kind. Source: POSIX, sys_stat.h; the numbers are those of every system that has them.
enum RecordMode {
    static let kindMask: UInt16 = 0o170000

    static func bits(of kind: BackupEntry.Kind) -> UInt16 {
        switch kind {
        case .file: 0o100000
        case .directory: 0o040000
        case .symbolicLink: 0o120000
        }
    }
}
