internal import AppContainer
internal import ContainerTree
internal import FileSystem
public import Foundation
internal import SystemPackage

extension SimulatedDevice {
    /// Deletes the content of Library/Caches and tmp, as the system does to free space while the app is not running.
    ///
    /// Items that are excluded from backup are spared, with the directories that lead to them: Apple's guidelines of 2011
    /// keep them "even in low storage situations". Without arguments everything else is deleted. With `freeing`, the items
    /// with the oldest modification date are deleted first, until that many bytes of content are freed. iOS does not
    /// document its order. Links are deleted, not followed. After a power loss, deleted items may exist again.
    ///
    /// - Parameters:
    ///   - age: The minimum age of a deleted item by its modification date.
    ///   - bytes: The number of bytes to free; nil for all.
    ///   - now: The moment from which ages are counted.
    /// - Returns: Each item of Library/Caches and tmp, and the references to deleted items.
    /// - Throws: `appIsRunning`, `busy`, `ended`; `failed`, with the number of items that were removed before.
    @discardableResult
    public func purge(
        olderThan age: Duration? = nil, freeing bytes: UInt64? = nil, now: Date = Date()
    ) throws(DeviceError) -> EventResult {
        try withOperation { status throws(DeviceError) in
            try status.requireNoProcess(for: "a purge")
        } _: { status throws(DeviceError) in
            let latest = age.map { now.timeIntervalSince1970 - $0 / .seconds(1) }
            let result = try Self.purge(status.container, modifiedBefore: latest, freeing: bytes)
            send([.container(.purge)])
            return result
        }
    }

    private static func purge(
        _ container: Container, modifiedBefore latest: Double?, freeing bytes: UInt64?
    ) throws(DeviceError) -> EventResult {
        var plan: PurgePlan
        do throws(ContainerError) {
            let survey = PurgeSurvey(collectsCandidates: true)
            try DirectoryTree(container).visit(survey, threads: Host.processorCount)
            plan = PurgePlan(survey, modifiedBefore: latest, freeing: bytes)
        } catch { throw DeviceError(error) }
        // A path of a directory is a setting: the app creates the directory again.
        let removed = try plan.carryOut(in: container.folder)
        let references = ContainerReferences(to: container)
        let search = ReferenceSearch(references: references, container: container) { removed.contains($0.path) }
        try search.run()
        let (found, count) = search.found.sorted
        return EventResult(
            event: .purge, container: container, items: plan.outcomes, danglingReferences: found,
            danglingReferenceCount: count)
    }
}

/// The decisions of a purge on each item.
private struct PurgePlan {
    private typealias Candidate = PurgeSurvey.Candidate
    private(set) var outcomes: [ItemOutcome] = []
    /// The removed items other than directories, sorted by path.
    private var removed: [[UInt8]] = []
    /// Directories without a kept item, the deepest first.
    private var emptied: [[UInt8]] = []

    init(_ survey: PurgeSurvey, modifiedBefore latest: Double?, freeing bytes: UInt64?) {
        let candidates = survey.candidates
        // The oldest first, and equally old ones by path.
        let files = candidates.filter { $0.status.kind != .directory }.sorted {
            $0.status.modified == $1.status.modified
                ? $0.path.lexicographicallyPrecedes($1.path) : $0.status.modified < $1.status.modified
        }
        var freed: UInt64 = 0
        var kept: Set<[UInt8]> = []
        for file in files {
            var reason: String?
            if file.isSpared {
                reason = "excluded from backup"
            } else if let latest, file.status.modified.fraction > latest {
                reason = "changed recently"
            } else if let bytes, freed >= bytes {
                reason = "enough space was freed"
            }
            if let reason {
                add(file, action: .kept, reason: reason)
                Self.keepParents(of: file.path, in: &kept)
            } else {
                add(file, action: .removed, reason: "purgeable")
                removed.append(file.path)
                // Other names of a file keep its content.
                if file.status.isFile, file.status.links < 2 { freed += file.status.size }
            }
        }
        for directory in candidates where directory.status.kind == .directory {
            if directory.isSpared {
                add(directory, action: .kept, reason: "excluded from backup")
                Self.keepParents(of: directory.path, in: &kept)
            }
        }
        let removesEmpty = latest == nil && bytes == nil
        let parents = Set(removed.flatMap(Self.parents))
        for directory in candidates where directory.status.kind == .directory && !directory.isSpared {
            guard !kept.contains(directory.path) else {
                add(directory, action: .kept, reason: "contains kept items")
                continue
            }
            // A purge with limits removes only directories that it empties.
            guard removesEmpty || parents.contains(directory.path) else {
                add(directory, action: .kept, reason: "was empty before")
                Self.keepParents(of: directory.path, in: &kept)
                continue
            }
            emptied.append(directory.path)
        }
        emptied.removeAll(where: kept.contains)
        for path in emptied {
            outcomes.append(ItemOutcome(path: FilePath(bytes: path), action: .removed, bytes: 0, reason: "empty"))
        }
        removed.sort { $0.lexicographicallyPrecedes($1) }
        emptied.sort { $0.count > $1.count }
        outcomes.sort { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }

    /// Removes the items and returns the paths of those that are gone, without directories.
    mutating func carryOut(in root: Folder) throws(DeviceError) -> Set<[UInt8]> {
        var gone: Set<[UInt8]> = []
        var count = 0
        var folder: (path: [UInt8], folder: Folder)?
        func parent(of path: [UInt8]) throws(FileSystemError) -> (Folder, FilePath) {
            let end = path.lastIndex(of: UInt8(ascii: "/")) ?? 0
            let directory = Array(path[..<end])
            let name = FilePath(bytes: path[(end + 1)...])
            if let folder, folder.path == directory { return (folder.folder, name) }
            // The link that another program may have put in place of a directory is not followed.
            let opened = try root.openFolder(noLinks: FilePath(bytes: directory))
            folder = (directory, opened)
            return (opened, name)
        }
        do throws(FileSystemError) {
            for path in removed {
                let (folder, name) = try parent(of: path)
                try Self.ignoringMissing { () throws(FileSystemError) in try folder.removeFile(name) }
                gone.insert(path)
                count += 1
            }
            for path in emptied {
                let (folder, name) = try parent(of: path)
                count += 1
                do throws(FileSystemError) {
                    try Self.ignoringMissing { () throws(FileSystemError) in try folder.removeEmptyDirectory(name) }
                } catch {
                    // Another program has put something in it.
                    guard error.errno == .directoryNotEmpty || error.errno == .fileExists else { throw error }
                    count -= 1
                }
            }
        } catch {
            throw DeviceError(ContainerError(error, onDisk: "Items removed before the failure: \(count)."))
        }
        return gone
    }

    private mutating func add(_ candidate: Candidate, action: ItemOutcome.Action, reason: String) {
        outcomes.append(
            ItemOutcome(
                path: FilePath(bytes: candidate.path), action: action,
                bytes: candidate.status.isFile ? candidate.status.size : 0, reason: reason))
    }

    private static func keepParents(of path: [UInt8], in kept: inout Set<[UInt8]>) {
        for parent in parents(of: path) { guard kept.insert(parent).inserted else { return } }
    }

    /// Returns the directories above a path, the nearest first.
    private static func parents(of path: [UInt8]) -> [[UInt8]] {
        var parents: [[UInt8]] = []
        var rest = path[...]
        while let end = rest.lastIndex(of: UInt8(ascii: "/")) {
            rest = rest[..<end]
            parents.append(Array(rest))
        }
        return parents
    }

    private static func ignoringMissing(
        _ body: () throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        do throws(FileSystemError) { try body() } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw error }
        }
    }
}

extension Timestamp {
    /// The seconds since 1970.
    fileprivate var fraction: Double { Double(seconds) + Double(nanoseconds) / 1_000_000_000 }
}

extension ReferenceSearch {
    /// Searches the container.
    func run() throws(DeviceError) {
        do throws(ContainerError) {
            try DirectoryTree(container).visit(self, threads: Host.processorCount)
        } catch { throw DeviceError(error, onDisk: "The event is complete; the search for references is not.") }
    }
}
