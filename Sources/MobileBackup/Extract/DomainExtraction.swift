package import FileSystem
internal import Foundation
internal import SystemPackage

/// The limits for the extraction of one domain, a hundred times above any known one.
package struct ExtractionLimits: Sendable, Hashable {
    /// The maximum number of files, directories and links, including directories that the backup does not list.
    package var items = 2_000_000
    /// The maximum size of all contents in bytes.
    package var bytes: UInt64 = 1 << 40
    /// The maximum size of all paths and link targets in bytes. Those of directories and links are kept in memory.
    package var pathBytes = 256 << 20
    /// The maximum number of directories above an item.
    package var depth = 128
    /// The maximum number of incidents that are listed. All are counted.
    package var incidents = 10_000

    package init() {}
}

/// The result of the extraction of a domain.
package struct ExtractedDomain: Sendable {
    package let domain: BackupDomain
    package fileprivate(set) var files = 0
    package fileprivate(set) var directories = 0
    package fileprivate(set) var links = 0
    /// The size of the contents.
    package fileprivate(set) var bytes: UInt64 = 0
    /// The rows and items that are missing or differ from the backup, in the order of the manifest, at most
    /// `ExtractionLimits.incidents`.
    package fileprivate(set) var incidents: [BackupProblem] = []
    /// The number of all incidents.
    package fileprivate(set) var incidentCount = 0
    /// The data protection classes of the files, with their numbers of files.
    package fileprivate(set) var protectionClasses: [Int64: Int] = [:]

    fileprivate init(_ domain: BackupDomain) { self.domain = domain }
}

extension MobileBackup {
    /// Writes the items of a domain below a directory: files, directories and links, with their attributes, modes and
    /// modification times. Rows that cannot be used are incidents, and everything else is written.
    ///
    /// Nothing is written outside the directory, and nothing that exists there is replaced. Set-user-ID and
    /// set-group-ID bits are dropped. Directories get all permissions of their owner, so that they can be listed and
    /// removed. Items belong to this process. Contents that are not encrypted share their blocks with the backup if the
    /// file system supports that. Nothing is flushed to disk.
    ///
    /// - Parameters: + domain: The domain. + target: The directory, which becomes the root of the domain. + limits: The
    ///   limits. + isCancelled: Called before each row; true ends the extraction.
    /// - Throws: `tooLarge` above the limits, `tooSlow`, `damaged`, `failed` if the directory cannot be written.
    package func extract(
        _ domain: BackupDomain, into target: Folder, limits: ExtractionLimits = ExtractionLimits(),
        isCancelled: () -> Bool = { false }
    ) throws -> ExtractedDomain {
        var extraction = DomainExtraction(of: domain, from: self, into: target, limits)
        if try !manifestFaults().isEmpty { extraction.record(BackupProblem(.manifestDamaged)) }
        try entries(of: domain) { row throws in
            if isCancelled() { throw CancellationError() }
            switch row {
            case .success(let stored): try extraction.add(stored)
            case .failure(let problem): extraction.record(problem)
            }
        }
        return try extraction.finish()
    }
}

/// The extraction of one domain, row by row. Links are created after all files, so that no path leads through one.
/// Directories get their modes and times last, because new entries change the times.
private struct DomainExtraction {
    private let backup: MobileBackup
    private let target: Folder
    private let limits: ExtractionLimits
    private var result: ExtractedDomain
    private var items = 0
    private var pathBytes = 0
    /// The listed directories by path; the root has the empty path.
    private var directories: [[UInt8]: BackupEntry.Facts] = [:]
    /// The paths of the created directories.
    private var created: [[UInt8]] = []
    private var links: [StoredEntry] = []
    /// The directory of the last item.
    private var open: (path: ArraySlice<UInt8>, folder: Folder)?

    init(of domain: BackupDomain, from backup: MobileBackup, into target: Folder, _ limits: ExtractionLimits) {
        (self.backup, self.target, self.limits) = (backup, target, limits)
        result = ExtractedDomain(domain)
    }

    mutating func record(_ problem: BackupProblem) {
        result.incidentCount += 1
        if result.incidents.count < limits.incidents { result.incidents.append(problem) }
    }

    /// Writes the item of a row, or records an incident.
    ///
    /// - Throws: `tooLarge`; `failed` if the disk is full or cannot be written.
    mutating func add(_ stored: StoredEntry) throws {
        let path = Array(stored.entry.path.bytes)
        try count(path.count)
        let names = path.split(separator: Self.slash)
        guard names.count <= limits.depth else { return record(stored.problem(.tooDeep)) }
        guard names.allSatisfy({ $0.count <= 255 }) else { return record(stored.problem(.impossibleName)) }
        if stored.entry.facts.permissions & Self.setIDBits != 0 { record(stored.problem(.setIDBitsDropped)) }
        switch stored.entry.kind {
        case .directory:
            try attempt(stored) { extraction throws in try extraction.addDirectory(stored, path: path) }
        case .file:
            try attempt(stored) { extraction throws in try extraction.addFile(stored, path: path) }
        case .symbolicLink(let target):
            try count(target.utf8.count, items: 0)
            links.append(stored)
        }
    }

    /// Creates the links and completes the directories.
    mutating func finish() throws -> ExtractedDomain {
        for stored in links {
            try attempt(stored) { extraction throws in try extraction.addLink(stored) }
        }
        for path in created where directories[path] == nil {
            record(BackupProblem(.parentMissing, domain: Array(result.domain.name.utf8), path: path))
        }
        // Deepest first, although no listed mode prevents an access by the owner.
        for (path, facts) in directories.sorted(by: { $1.key.lexicographicallyPrecedes($0.key) }) {
            do throws(FileSystemError) {
                let directory = try path.isEmpty ? target.open(".") : target.open(FilePath(bytes: path))
                try directory.setPermissions(facts.permissions & ~Self.setIDBits | 0o700)
                try directory.setTimes(facts)
            } catch {
                record(
                    BackupProblem(
                        .notStored, domain: Array(result.domain.name.utf8), path: path, error.errno.description))
            }
        }
        return result
    }

    private static let slash = UInt8(ascii: "/")
    private static let setIDBits: UInt16 = 0o6000

    /// Counts an item with its path or target.
    private mutating func count(_ bytes: Int, items more: Int = 1) throws(MobileBackupError) {
        items += more
        pathBytes += bytes
        guard items <= limits.items, pathBytes <= limits.pathBytes else {
            throw MobileBackupError(
                .tooLarge,
                description:
                    "\(result.domain.name) has more than \(limits.items) items, or \(limits.pathBytes) bytes of paths.")
        }
    }

    /// Writes one item. Its failure is an incident, unless the disk is full.
    private mutating func attempt(_ stored: StoredEntry, body: (inout DomainExtraction) throws -> Void) throws {
        do { try body(&self) } catch let problem as BackupProblem { record(problem) } catch let error as FileSystemError
        {
            switch error.errno {
            case .fileExists: record(stored.problem(.duplicate))
            case .notDirectory: record(stored.problem(.notInADirectory))
            case .noSpace, .diskQuotaExceeded, .readOnlyFileSystem, .permissionDenied:
                throw MobileBackupError(
                    .failed,
                    description: "\(error). The items of \(result.domain.name) are incomplete; free disk space.")
            default: record(stored.problem(.notStored, error.errno.description))
            }
        }
    }

    private mutating func addDirectory(_ stored: StoredEntry, path: [UInt8]) throws {
        guard directories[path] == nil else { throw stored.problem(.duplicate) }
        let folder = try directory(at: path[...])
        directories[path] = stored.entry.facts
        result.directories += 1
        apply(stored, to: try folder.open("."))
    }

    private mutating func addFile(_ stored: StoredEntry, path: [UInt8]) throws {
        let content = try backup.content(of: stored)
        let (sum, isOver) = result.bytes.addingReportingOverflow(content.size)
        guard !isOver, sum <= limits.bytes else {
            throw MobileBackupError(
                .tooLarge, description: "\(result.domain.name) has more than \(limits.bytes) bytes of content.")
        }
        let (folder, name) = try location(of: path)
        let file = try folder.createFile(name, permissions: 0o600)
        do throws(FileSystemError) {
            try content.write(to: file)
        } catch {
            try? folder.removeFile(name)
            guard error.operation == "read" else { throw error }
            throw stored.problem(.payloadUnreadable, error.errno.description)
        }
        result.files += 1
        result.bytes = sum
        result.protectionClasses[stored.entry.facts.protectionClass, default: 0] += 1
        if let problem = content.problem { record(problem) }
        if try file.status().size != content.size {
            record(stored.problem(.payloadLength, "the payload has changed while it was read"))
        }
        apply(stored, to: file)
        // The mode last: without the right to write, the attributes could not be set.
        do throws(FileSystemError) {
            try file.setTimes(stored.entry.facts)
            try file.setPermissions(stored.entry.facts.permissions & ~Self.setIDBits)
            try file.close()
        } catch { record(stored.problem(.notStored, error.errno.description)) }
    }

    private mutating func addLink(_ stored: StoredEntry) throws {
        guard case .symbolicLink(let target) = stored.entry.kind else { return }
        let (folder, name) = try location(of: Array(stored.entry.path.bytes))
        try folder.createSymbolicLink(name, to: Array(target.utf8))
        result.links += 1
        let modified = Timestamp(seconds: stored.entry.facts.modified)
        do throws(FileSystemError) {
            try folder.setTimes(name, accessed: modified, modified: modified)
            if !modified.isUsual, try folder.status(name).modified != modified {
                throw FileSystemError("set the times of", path: name, errno: .outOfRange)
            }
        } catch {
            record(stored.problem(.notStored, error.errno.description))
        }
        // Linux stores no attributes of links.
        if !stored.entry.attributes.isEmpty { record(stored.problem(.attributesNotStored)) }
    }

    /// Sets the attributes of an item. Those that cannot be stored are an incident.
    private mutating func apply(_ stored: StoredEntry, to file: OpenFile) {
        var last: String?
        for attribute in stored.entry.attributes {
            let isRepeated = last.map { $0.utf8.elementsEqual(attribute.name.utf8) } ?? false
            last = attribute.name
            guard !attribute.name.isEmpty, !attribute.name.utf8.contains(0), !isRepeated else {
                record(stored.problem(.fieldInvalid, "the name of an extended attribute"))
                continue
            }
            do throws(FileSystemError) { try file.setAttribute(attribute.name, value: attribute.value) } catch {
                record(stored.problem(.attributesNotStored, error.errno.description))
            }
        }
    }

    /// Returns the directory of an item and its name.
    private mutating func location(of path: [UInt8]) throws -> (Folder, FilePath) {
        let slash = path.lastIndex(of: Self.slash)
        let name = path[(slash.map { $0 + 1 } ?? 0)...]
        // The root is a directory.
        guard !name.isEmpty else { throw FileSystemError("create", path: "", errno: .notDirectory) }
        return (try directory(at: path[..<(slash ?? 0)]), FilePath(bytes: name))
    }

    /// Opens a directory, which is created with its parents if it is missing.
    private mutating func directory(at path: ArraySlice<UInt8>) throws -> Folder {
        guard !path.isEmpty else { return target }
        if let open, open.path == path { return open.folder }
        var folder = target
        do throws(FileSystemError) { folder = try target.openFolder(FilePath(bytes: path)) } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw error }
            var reached = path.startIndex
            for name in path.split(separator: Self.slash) {
                reached = name.endIndex
                let component = FilePath(bytes: name)
                do throws(FileSystemError) {
                    try folder.createDirectory(component, permissions: 0o700)
                    created.append(Array(path[..<reached]))
                } catch { guard error.errno == .fileExists else { throw error } }
                folder = try folder.openFolder(noFollow: component)
            }
            // Each is an item, also if the backup does not list it.
            try count(path.count)
        }
        open = (path, folder)
        return folder
    }
}

extension OpenFile {
    /// Sets the times of an entry, with the modification time as the access time.
    fileprivate func setTimes(_ facts: BackupEntry.Facts) throws(FileSystemError) {
        let modified = Timestamp(seconds: facts.modified)
        try setTimes(accessed: modified, modified: modified)
        if !modified.isUsual, try status().modified != modified {
            throw FileSystemError("set the times of", path: path, errno: .outOfRange)
        }
    }
}

extension Timestamp {
    /// True from 1970 to 2096. A file system may silently store another time instead of one outside its range.
    fileprivate var isUsual: Bool { (0...4_000_000_000).contains(seconds) }
}

extension PayloadContent {
    /// Writes the content to an empty file. What is not encrypted is copied by the kernel, if possible without
    /// duplicating the blocks on disk.
    fileprivate func write(to file: OpenFile) throws(FileSystemError) {
        guard isEncrypted else { return try stored.copyContentInKernel(to: file) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        var position: UInt64 = 0
        while position < size {
            let count = try read(into: buffer, from: position)
            guard count > 0 else { return }
            try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += UInt64(count)
        }
    }
}
