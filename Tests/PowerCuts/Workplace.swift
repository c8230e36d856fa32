import CFileSystem
import FileSystem
import Foundation
import SystemPackage

/// A private directory in memory for images and mounts.
///
/// It is in a mount namespace of this process, created by `unshare`. When the process ends for any reason, the kernel
/// removes all mounts in it, with the loop devices and the memory. A killed process leaves only the empty directory,
/// which the next run sweeps, because nobody holds its lock.
struct Workplace {
    let path: FilePath
    private let lock: Lock

    private static let prefix = "sandboxlint-power-cuts-"
    private static var surroundings: FilePath { FilePath(FileManager.default.temporaryDirectory.path) }

    /// The reason why this process cannot have one, or nil.
    static func obstacle() -> String? {
        guard geteuid() == 0 else { return "mounting takes root" }
        do throws(ProgramFailure) { try run("unshare", "--mount", "true") } catch {
            return "no mount namespace of its own: \(error)"
        }
        return nil
    }

    /// Restarts this program in a mount namespace of its own with `arguments`. Returns only on failure.
    static func enter(_ arguments: [String]) {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let words = ["unshare", "--mount", "--", program] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        execvp("unshare", &pointers)
    }

    /// Sweeps the directories of killed runs, then creates a directory and mounts memory on it.
    init() throws {
        let folder = try Folder(opening: Self.surroundings)
        // No other run may sweep between the creation of the directory and its lock.
        let turn = try Lock(folder, within: .seconds(60))
        defer { turn.release() }
        for name in try folder.names() where name.string.hasPrefix(Self.prefix) {
            guard let left = try? folder.openFolder(name), (try? Lock(left, within: .zero)) != nil else { continue }
            try folder.remove(name)
        }
        let name = FilePath(Self.prefix + String(cfs_random(), radix: 16))
        try folder.createDirectories(name)
        lock = try Lock(try folder.openFolder(name), within: .zero)
        path = Self.surroundings.appending(name.components)
        do { try run("mount", "-t", "tmpfs", "-o", "mode=700", "power-cuts", path.string) } catch {
            try folder.remove(name)
            throw error
        }
    }

    /// Unmounts and removes the directory.
    func leave() {
        try? run("umount", "--recursive", "--lazy", path.string)
        _ = path.withPlatformString { rmdir($0) }
    }

    /// Cleans up and ends the process on a signal.
    func leaveOnSignals() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                leave()
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }
}
