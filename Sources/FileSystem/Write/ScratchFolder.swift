package import SystemPackage

/// A private directory for data that a run needs for a while, such as the content of an archive.
///
/// Only this user can access it. It is removed when the last reference ends, when the process of a tool ends, and by a
/// signal, also if its items have modes that forbid it.
package final class ScratchFolder: Sendable {
    /// The path of the directory.
    package let path: FilePath
    /// The open directory.
    package let folder: Folder
    private let parent: Folder
    private let name: FilePath

    /// Creates an empty directory.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of its name.
    ///   - directory: The temporary directory.
    /// - Throws: `FileSystemError` if the temporary directory cannot be written.
    package init(named prefix: String, in directory: FilePath) throws(FileSystemError) {
        name = FilePath("\(prefix)-\(String(UInt64.random(in: .min ... .max), radix: 16))")
        path = directory.appending(name.components)
        parent = try Folder(opening: directory)
        Self.sweep(prefix, in: parent)
        try TemporaryFileRegistry.createTree(name, in: parent, permissions: 0o700)
        folder = try parent.openFolder(noFollow: name)
        // Before anything is written into it.
        _ = folder.calls.lock(folder.descriptor, false)
    }

    /// Removes the directories that killed processes of this user have left: those with the prefix and hexadecimal digits, of
    /// this user, with content, that no process has locked.
    private static func sweep(_ prefix: String, in directory: Folder) {
        let start = Array("\(prefix)-".utf8)
        let names =
            (try? directory.names {
                $0.starts(with: start) && (1...16).contains($0.count - start.count)
                    && $0.dropFirst(start.count).allSatisfy {
                        (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 || (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= $0
                    }
            }) ?? []
        for name in names {
            guard let status = try? directory.status(name), status.kind == .directory, status.isOwnedByThisUser,
                let leftover = try? directory.openFolder(noFollow: name), (try? leftover.names())?.isEmpty == false,
                leftover.calls.lock(leftover.descriptor, true) >= 0
            else { continue }
            TemporaryFileRegistry.removeTree(name, in: directory)
        }
    }

    deinit {
        TemporaryFileRegistry.removeTree(name, in: parent)
        TemporaryFileRegistry.unregister(name, in: parent)
    }
}
