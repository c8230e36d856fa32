internal import Crypto
internal import FileSystem
internal import SystemPackage

/// The reason why the file of a cache is not used.
enum CacheRefusal: Error {
    case missing
    /// The path cannot be that of a cache.
    case unusablePath(UnreadableSource)
    /// Another user owns the file or can modify it.
    case foreign
    /// It does not begin as a cache.
    case otherContent
    case otherBuild
    case tooLarge
    case damaged
}

/// The file of a cache: a line with the version, the SHA-256 of the rest, the user, the build, and the containers with
/// their directories. Bounded: 256 MiB.
struct LintCacheFile: Sendable {
    /// A container, by its path and its directory's identity.
    struct Key: Hashable, Sendable {
        let path: [UInt8]
        let device: UInt64
        let inode: UInt64

        init(path: [UInt8], _ status: FileStatus) {
            self.path = path
            (device, inode) = status.identity
        }

        fileprivate init(_ reader: inout CacheReader) throws(DamagedCache) {
            (path, device, inode) = (try reader.string(), try reader.number(), try reader.number())
        }
    }

    static let mostBytes = 256 << 20
    /// The beginning of every version.
    private static let name = Array("sandboxlint cache ".utf8)
    private static let beginning = name + Array("1\n".utf8)
    private static let digestBytes = 32

    let bytes: [UInt8]
    private(set) var containers: [Key: [[UInt8]: Range<Int>]] = [:]
    /// True if the file was read.
    var exists: Bool { !bytes.isEmpty }

    /// A file that does not exist.
    init() { bytes = [] }

    /// Reads a file.
    init(reading path: String, build: String) throws(CacheRefusal) {
        bytes = try Self.read(path)
        guard !bytes.isEmpty else { throw .damaged }
        let start = Self.beginning.count + Self.digestBytes
        guard bytes.starts(with: Self.beginning) else {
            throw bytes.starts(with: Self.name) ? .otherBuild : .otherContent
        }
        guard bytes.count > start,
            Self.digest(bytes[start...]).elementsEqual(bytes[Self.beginning.count..<start])
        else { throw .damaged }
        var reader = CacheReader(bytes, start..<bytes.count)
        let (user, writer): (UInt64, String)
        do throws(DamagedCache) {
            (user, writer) = (try reader.number(), try reader.text())
            let containers = try reader.each { reader throws(DamagedCache) in
                let key = try Key(&reader)
                let directories = try reader.each { reader throws(DamagedCache) in
                    (try reader.string(), try reader.range())
                }
                return (key, Dictionary(directories) { first, _ in first })
            }
            self.containers = Dictionary(containers) { first, _ in first }
        } catch { throw .damaged }
        guard user == UInt64(Host.user) else { throw .foreign }
        guard writer == build else { throw .otherBuild }
    }

    func directories(of key: Key) -> [[UInt8]: Range<Int>] { containers[key] ?? [:] }

    /// Returns the other containers that still exist.
    func otherContainers(than linted: Set<Key>) -> [Key: [[UInt8]: [UInt8]]] {
        var others: [Key: [[UInt8]: [UInt8]]] = [:]
        for (key, directories) in containers where !linted.contains(key) {
            guard let folder = try? Folder(opening: FilePath(bytes: key.path)), let status = try? folder.status(""),
                Key(path: key.path, status) == key
            else { continue }
            others[key] = directories.mapValues { Array(bytes[$0]) }
        }
        return others
    }

    static func encoded(_ containers: [Key: [[UInt8]: [UInt8]]], build: String) -> [UInt8] {
        var writer = CacheWriter()
        writer.add(UInt64(Host.user))
        writer.add(build)
        writer.add(each: containers.sorted { $0.key.path.lexicographicallyPrecedes($1.key.path) }) { writer, entry in
            writer.add(entry.key.path)
            writer.add(entry.key.device)
            writer.add(entry.key.inode)
            let directories = entry.value.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            writer.add(each: directories) { writer, directory in
                writer.add(directory.key)
                writer.add(directory.value)
            }
        }
        return beginning + digest(writer.bytes[...]) + writer.bytes
    }

    private static func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.withUnsafeBytes { bytes in
            var hash = SHA256()
            hash.update(bufferPointer: bytes)
            return Array(hash.finalize())
        }
    }

    // MARK: - The file on disk

    private static func read(_ path: String) throws(CacheRefusal) -> [UInt8] {
        let folder: Folder
        let name: FilePath
        do throws(UnreadableSource) { (folder, name) = try Baseline.folderAndName(path) } catch {
            throw .unusablePath(error)
        }
        // A pipe is not opened.
        let status = try? folder.statusIfPresent(name)
        if name.lastComponent?.kind != .regular || (status?.kind ?? .file) != .file {
            throw .unusablePath(UnreadableSource(path: path, reason: "it is not a file", hint: "Specify a file."))
        }
        let file: OpenFile
        let opened: FileStatus
        do throws(FileSystemError) {
            file = try folder.open(name, followingLinks: false)
            opened = try file.status()
        } catch { throw error.errno == .noSuchFileOrDirectory ? .missing : .foreign }
        guard opened.kind == .file, opened.owner.user == Host.user, opened.permissions & 0o022 == 0 else {
            throw .foreign
        }
        do throws(FileSystemError) { return try file.contents(limit: mostBytes) } catch {
            throw error.errno == .fileTooLarge ? .tooLarge : .damaged
        }
    }

    /// Writes the file, whole, so that only this user can read it.
    static func write(_ bytes: [UInt8], to path: String) throws(UnreadableSource) {
        let (folder, name) = try Baseline.folderAndName(path)
        do throws(AtomicWriteError) {
            let write = AtomicWrite(durability: .none, permissions: 0o600)
            try write.write(to: name, in: folder) { file throws(FileSystemError) in try file.write(bytes) }
        } catch {
            throw UnreadableSource(
                path: path, reason: "\(error.cause)", hint: "Check the permissions and the free disk space.")
        }
    }
}
