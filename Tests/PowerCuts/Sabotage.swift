import CFileSystem
import FileSystem

/// A way of losing saves, which proves that the check detects losses.
enum Sabotage: String, CaseIterable {
    case everySync = "no sync at all"
    case directories = "directories not synced"
    case files = "files not synced"
    case attributes = "attributes not carried"

    /// The fault that the check must find.
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
