internal import Foundation

/// Returns the sorted paths of the open files of this process beneath a directory. On Linux those of removed files end in
/// `(deleted)`.
public func openFiles(beneath path: String) throws -> [String] {
    #if os(Linux)
    let folder = "/proc/self/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder)
        .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
        .filter { $0.hasPrefix(path) }.sorted()
    #else
    // The kernel returns paths without links, such as /var.
    var root = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard realpath(path, &root) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let prefix = String(cString: root)
    return (0..<getdtablesize()).compactMap { descriptor in
        var found = [CChar](repeating: 0, count: Int(PATH_MAX))
        return fcntl(descriptor, F_GETPATH, &found) == 0 ? String(cString: found) : nil
    }.filter { $0.hasPrefix(prefix) }.sorted()
    #endif
}
