internal import AppContainer
internal import ContainerTree
internal import Crypto
internal import FileSystem
internal import PolicyTexts

/// The proof that the bytes of a file went over the network.
struct TrafficProof: Hashable, Sendable {
    let direction: RecordedTraffic.Direction
    let exchange: RecordedTraffic.Exchange
    /// True if the file has the bytes in compressed form.
    let isCompressed: Bool

    /// The exchange in words, without an address.
    var reason: String {
        let status = exchange.status > 0 ? "\(exchange.status)" : "without a status"
        let bytes = isCompressed ? "with these bytes, which the file has compressed" : "with these bytes"
        return switch direction {
        case .downloaded: "\(exchange.method) \(exchange.host) answered \(status) \(bytes)"
        case .uploaded: "\(exchange.method) \(exchange.host) was called \(bytes) (answer: \(status))"
        }
    }
}

/// The files of a container whose bytes a recording has, by their paths.
///
/// Only files of a length that a body has are opened, and files whose names are those of compressed files. Each is read once.
struct TrafficProofs: Sendable {
    private var proofs: [[UInt8]: TrafficProof] = [:]
    /// True if files or bodies were not compared, because there are too many or they have too many bytes.
    private(set) var isCut = false

    /// The limits of one container.
    static let mostFiles = 100_000
    private static let mostBytes: UInt64 = 64 << 30
    private static let piece = 1 << 20

    /// Compares the files of a tree with a recording.
    ///
    /// - Throws: `ContainerError` where the tree cannot be read.
    init(_ tree: some Tree, in recorded: RecordedTraffic) throws(ContainerError) {
        var traffic = recorded
        if recorded.dropped > 0 {
            traffic = recorded.read(of: try LengthSearch.lengths(in: tree, longest: recorded.longest))
            isCut = traffic.dropped > 0
        }
        let search = TrafficSearch(traffic)
        try tree.visit(search, threads: 1)
        let found = search.found.withLock { $0 }
        isCut = isCut || found.isCut
        var left = Self.mostBytes
        for file in found.files.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
            guard file.size <= left else {
                isCut = true
                continue
            }
            left -= file.size
            if let proof = Self.proof(of: file, in: tree, traffic) { proofs[file.path] = proof }
        }
    }

    /// Returns the proof about the item at a path; nil if its bytes are in no recording.
    subscript(path: [UInt8]) -> TrafficProof? { proofs[path] }

    private static func proof(of file: TrafficSearch.File, in tree: some Tree, _ traffic: RecordedTraffic)
        -> TrafficProof?
    {
        var found: (direction: RecordedTraffic.Direction, exchange: RecordedTraffic.Exchange)?
        if traffic.sizes.contains(file.size) {
            found = digest(of: file, in: tree).flatMap { traffic.exchange(of: $0) }
        }
        var isCompressed = false
        if found == nil, file.mayBeCompressed {
            found = digest(ofCompressed: file, in: tree, limit: traffic.longest).flatMap { traffic.exchange(of: $0) }
            isCompressed = true
        }
        guard let found else { return nil }
        // Later changes are in the log of the database, and no server has them.
        if found.direction == .downloaded, hasLog(file.path, in: tree) { return nil }
        return TrafficProof(direction: found.direction, exchange: found.exchange, isCompressed: isCompressed)
    }

    private static func hasLog(_ path: [UInt8], in tree: some Tree) -> Bool {
        ["-wal", "-journal"].contains { ending in
            !(tree.bytes(of: path + Array(ending.utf8), count: 1, at: 0) ?? []).isEmpty
        }
    }

    private static func digest(of file: TrafficSearch.File, in tree: some Tree) -> BodyDigest? {
        var hasher = BodyHasher()
        while hasher.count < file.size {
            let rest = Int(min(UInt64(piece), file.size - hasher.count))
            guard let bytes = tree.bytes(of: file.path, count: rest, at: hasher.count), !bytes.isEmpty else {
                return nil
            }
            bytes.withUnsafeBytes { hasher.update($0) }
        }
        return hasher.digest?.digest
    }

    private static func digest(
        ofCompressed file: TrafficSearch.File, in tree: some Tree, limit: UInt64
    ) -> BodyDigest? {
        var hasher = BodyHasher()
        return tree.unpack(file.path, limit: limit) { hasher.update($0) } ? hasher.digest?.digest : nil
    }
}

extension Tree {
    /// Reads the content of a compressed file. Returns false if it is not compressed, damaged, or longer than the limit.
    fileprivate func unpack(_ path: [UInt8], limit: UInt64, _ body: @escaping (UnsafeRawBufferPointer) -> Void) -> Bool
    {
        guard let first = bytes(of: path, count: 3, at: 0), Inflate.isCompressed(first) else { return false }
        var offset = UInt64(0)
        return Inflate.decode(limit: limit) { count in
            let bytes = bytes(of: path, count: count, at: offset)
            offset += UInt64(bytes?.count ?? 0)
            return bytes
        } writing: {
            body($0)
        }
    }
}

/// A visit of a tree that gathers the files that a recording may have.
private final class TrafficSearch: ItemVisitor {
    struct File {
        let path: [UInt8]
        let size: UInt64
        let mayBeCompressed: Bool
    }
    struct Found {
        var files: [File] = []
        var isCut = false
    }
    let traffic: RecordedTraffic
    let found = LockedValue(Found())

    init(_ traffic: RecordedTraffic) { self.traffic = traffic }

    func root(_ item: Item, directory: Directory) {}
    func begin(_ directory: Directory, context: Void) {}

    func visit(_ item: Item, in directory: Directory, context: Void, into accumulator: inout Void) {
        guard item.status.isFile, item.status.size > 0 else { return }
        let size = item.status.size
        // Compression adds little to what it cannot make shorter.
        let isNamed = Self.isNamedCompressed(item)
        let mayBeCompressed = (isNamed || traffic.sentSizes.contains(size)) && size <= traffic.longest + 1 << 16
        guard mayBeCompressed || traffic.sizes.contains(size), directory.availability(of: item) != .evicted else {
            return
        }
        found.withLock { found in
            guard found.files.count < TrafficProofs.mostFiles else {
                found.isCut = true
                return
            }
            found.files.append(File(path: directory.path(of: item), size: size, mayBeCompressed: mayBeCompressed))
        }
    }

    static func isNamedCompressed(_ item: Item) -> Bool { PathExtension.word(of: item.name) == gzip }

    private static let gzip = PathExtension.word("gz")

    func enter(
        _ item: Item, subdirectory: Directory, in directory: Directory, context: Void, into accumulator: inout Void
    ) {}
    func end(_ directory: Directory, context: Void, accumulator: Void) {}
    // The visit of the rules reports it.
    func failed(_ failure: WalkFailure) {}
}

/// A visit of a tree that gathers the lengths of its files, and the paths of compressed ones.
private final class LengthSearch: ItemVisitor {
    private let found = LockedValue((lengths: WantedLengths(), compressed: [[UInt8]]()))

    /// Returns the lengths of the files of a tree, and of what those that are named as compressed contain. Longer content than
    /// `longest` is not read.
    static func lengths(in tree: some Tree, longest: UInt64) throws(ContainerError) -> WantedLengths {
        let search = LengthSearch()
        try tree.visit(search, threads: 1)
        var (lengths, compressed) = search.found.withLock { $0 }
        for path in compressed {
            var count: UInt64 = 0
            if tree.unpack(path, limit: longest, { count += UInt64($0.count) }) { lengths.unpacked.insert(count) }
        }
        return lengths
    }

    func root(_ item: Item, directory: Directory) {}
    func begin(_ directory: Directory, context: Void) {}

    func visit(_ item: Item, in directory: Directory, context: Void, into accumulator: inout Void) {
        guard item.status.isFile, item.status.size > 0, directory.availability(of: item) != .evicted else { return }
        let path = TrafficSearch.isNamedCompressed(item) ? directory.path(of: item) : nil
        found.withLock { found in
            found.lengths.files.insert(item.status.size)
            if let path, found.compressed.count < TrafficProofs.mostFiles { found.compressed.append(path) }
        }
    }

    func enter(
        _ item: Item, subdirectory: Directory, in directory: Directory, context: Void, into accumulator: inout Void
    ) {}
    func end(_ directory: Directory, context: Void, accumulator: Void) {}
    // The visit of the rules reports it.
    func failed(_ failure: WalkFailure) {}
}
