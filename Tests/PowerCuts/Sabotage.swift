import CFileSystem
import FileSystem

/// A way of losing saves, to prove that what is lost is found.
enum Sabotage: String, CaseIterable {
    case everySync = "no sync at all"
    case directories = "directories not synced"
    case files = "files not synced"
    case attributes = "attributes not carried"

    /// What a check must then find.
    var fault: Fault.Kind { self == .files ? .tear : .loss }

    func isSyncLeftOut(_ file: Int32) -> Bool {
        var status = cfs_status()
        let isDirectory = cfs_status_at(file, "", &status) == 0 && FileStatus(status).kind == .directory
        return switch self {
        case .everySync: true
        case .directories: isDirectory
        case .files: !isDirectory
        case .attributes: false
        }
    }
}
