import CFileSystem
import FileSystem
import Foundation
import SystemPackage

/// A directory in memory that no other process sees, for images and what is mounted.
///
/// It lies in a mount namespace of this process's own, made by `unshare`. However the process ends, the kernel then
/// takes away all that was mounted in it, with the loop devices beneath and the memory. What a killed process leaves
/// is the directory's name, empty, which the next run sweeps: no one holds its lock any more.
struct Workplace {
    let path: FilePath
    private let lock: Lock

    private static let prefix = "sandboxlint-power-cuts-"
    private static var surroundings: FilePath { FilePath(FileManager.default.temporaryDirectory.path) }

    /// Why this process cannot have one; nil where it can.
    static func obstacle() -> String? {
        guard geteuid() == 0 else { return "mounting takes root" }
        do throws(ProgramFailure) { try run("unshare", "--mount", "true") } catch {
            return "no mount namespace of its own: \(error)"
        }
        return nil
    }

    /// Starts this program once more in a mount namespace of its own, with `arguments`; returns only if that fails.
    static func enter(_ arguments: [String]) {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let words = ["unshare", "--mount", "--", program] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        execvp("unshare", &pointers)
    }

    /// Sweeps what killed runs have left, then makes a directory and puts memory in its place.
    init() throws {
        let folder = try Folder(opening: Self.surroundings)
        // No other run may sweep between the making of the directory and its lock.
        let turn = try Lock(folder, within: .seconds(60))
        defer { turn.release() }
        for name in try folder.names() where name.string.hasPrefix(Self.prefix) {
            guard let left = try? folder.folder(name), (try? Lock(left, within: .zero)) != nil else { continue }
            try folder.remove(name)
        }
        let name = FilePath(Self.prefix + String(cfs_random(), radix: 16))
        try folder.makeFolder(name)
        lock = try Lock(try folder.folder(name), within: .zero)
        path = Self.surroundings.appending(name.components)
        do { try run("mount", "-t", "tmpfs", "-o", "mode=700", "power-cuts", path.string) } catch {
            try folder.remove(name)
            throw error
        }
    }

    /// Takes away what is mounted, and the directory.
    func leave() {
        try? run("umount", "--recursive", "--lazy", path.string)
        _ = path.withPlatformString { rmdir($0) }
    }

    /// Leaves and ends the process when it is told to end.
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
