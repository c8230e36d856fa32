internal import AppContainer
internal import ContainerTree
package import FileSystem
internal import SystemPackage
internal import TextOutput

/// A file that keeps what earlier runs read in the content of containers, so that unchanged files are not read again.
///
/// A result is used only if the file, and every file that it depends on, has the same size, times and identity as before
/// it was read. The file of another user, of another build of the linter, or a damaged one is ignored.
package final class LintCache: Sendable {
    private let path: String
    /// The file's content; empty if it is not used.
    private let earlier: LintCacheFile
    /// The reason why the existing file is ignored, as a sentence.
    package let problem: String?
    /// False if the existing file may be something else, or belongs to another user.
    private let isReplaced: Bool
    private let build: String
    private let clock: @Sendable () -> Timestamp
    private let containers = LockedValue<[CachedContainer]>([])

    /// Opens a cache.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which need not exist.
    ///   - build: The identity of the program; a change of its code may change results.
    ///   - clock: Returns the time from which the age of a change is computed.
    /// - Throws: `UnreadableSource` if the path is a directory or a special file, or its directory cannot be opened.
    package init(
        path: String, build: String, clock: @escaping @Sendable () -> Timestamp = { .now }
    ) throws(UnreadableSource) {
        (self.path, self.build, self.clock) = (path, build, clock)
        let printed = "the cache “\(ByteText.printable(path))” is ignored"
        do throws(CacheRefusal) {
            earlier = try LintCacheFile(reading: path, build: build)
            (problem, isReplaced) = (nil, true)
        } catch {
            earlier = LintCacheFile()
            switch error {
            case .unusablePath(let error): throw error
            case .missing: (problem, isReplaced) = (nil, true)
            case .otherBuild: (problem, isReplaced) = ("\(printed): another version of sandboxlint wrote it.", true)
            case .damaged: (problem, isReplaced) = ("\(printed): it is damaged.", true)
            case .tooLarge: (problem, isReplaced) = ("\(printed): it is larger than 256 MiB.", true)
            case .foreign:
                problem = "\(printed) and not replaced: another user owns it or can modify it. Specify another file."
                isReplaced = false
            case .otherContent:
                problem = "\(printed) and not replaced: it is not a cache of sandboxlint. Specify another file."
                isReplaced = false
            }
        }
    }

    /// Returns the part of the cache for a container that is about to be linted.
    func container(_ tree: DirectoryTree) -> CachedContainer? {
        guard let status = try? tree.container.folder.status(""),
            let location = try? tree.container.folder.absolutePath()
        else { return nil }
        let key = LintCacheFile.Key(path: Array(location.string.utf8), status)
        return CachedContainer(key, earlier, clock)
    }

    /// Keeps the results of a container, which was linted completely.
    func keep(_ container: CachedContainer) { containers.withLock { $0.append(container) } }

    /// Writes the file if there is something new.
    ///
    /// - Returns: The reason why it cannot be written, as a sentence; nil if it was, or need not be.
    package func write() -> String? {
        let linted = containers.withLock { $0 }
        let isUnchanged = earlier.exists && linted.allSatisfy { !$0.isChanged }
        guard isReplaced, !isUnchanged else { return nil }
        var containers = earlier.otherContainers(than: Set(linted.map(\.key)))
        for container in linted { containers[container.key] = container.directories }
        let bytes = LintCacheFile.encoded(containers, build: build)
        let printed = "the cache “\(ByteText.printable(path))” was not written"
        guard bytes.count <= LintCacheFile.mostBytes else { return "\(printed): it would be larger than 256 MiB." }
        do throws(UnreadableSource) { try LintCacheFile.write(bytes, to: path) } catch {
            return "\(printed): \(error.reason)"
        }
        return nil
    }
}

/// The part of a cache that belongs to one container, during a run.
final class CachedContainer: Sendable {
    let key: LintCacheFile.Key
    private let earlier: LintCacheFile
    private let earlierDirectories: [[UInt8]: Range<Int>]
    private let clock: @Sendable () -> Timestamp

    private struct Current {
        var directories: [[UInt8]: [UInt8]] = [:]
        var isChanged = false
    }
    private let current = LockedValue(Current())

    init(_ key: LintCacheFile.Key, _ file: LintCacheFile, _ clock: @escaping @Sendable () -> Timestamp) {
        self.key = key
        self.clock = clock
        earlier = file
        earlierDirectories = file.directories(of: key)
    }

    /// Returns the cached content of a directory's files. A second visit of a directory begins with the result of the first.
    func directory(at path: [UInt8]) -> CachedDirectory {
        if let bytes = current.withLock({ $0.directories[path] }) {
            let stored = try? CachedDirectory.Stored(bytes, bytes.indices)
            return CachedDirectory(stored ?? .none, keepsAll: true, clock)
        }
        let stored = earlierDirectories[path].flatMap { try? CachedDirectory.Stored(earlier.bytes, $0) }
        return CachedDirectory(stored ?? .none, keepsAll: false, clock)
    }

    /// Keeps a directory after its visit.
    func keep(_ directory: CachedDirectory, at path: [UInt8]) { keep(directory.encoded, at: path) }

    /// Keeps a new stored form, or the existing one.
    private func keep(_ encoded: [UInt8]?, at path: [UInt8]) {
        current.withLock { current in
            if let encoded {
                current.directories[path] = encoded
                current.isChanged = true
            } else if current.directories[path] == nil, let range = earlierDirectories[path] {
                current.directories[path] = Array(earlier.bytes[range])
            }
        }
    }

    /// Returns the cached results of reading files of the container after the walk.
    func comparisons(in folder: Folder) -> CachedComparisons {
        CachedComparisons(
            earlierDirectories[Self.comparisons].map { CacheReader(earlier.bytes, $0) }, in: folder, clock)
    }

    func keep(_ comparisons: CachedComparisons) { keep(comparisons.encoded, at: Self.comparisons) }

    /// The path of the comparisons among the directories. No name contains a zero.
    private static let comparisons: [UInt8] = [0]

    /// The directories after the run, in their stored form.
    var directories: [[UInt8]: [UInt8]] { current.withLock { $0.directories } }

    /// True if the stored directories differ from those before the run.
    var isChanged: Bool {
        current.withLock { $0.isChanged || $0.directories.count != earlierDirectories.count }
    }
}
