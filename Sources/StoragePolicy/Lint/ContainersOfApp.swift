internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import TextOutput

/// The containers of one app in a run, for the rules that ask about all of them.
///
/// They are linted one after the other, the app's own first. Memory and time are bounded, however many there are: at most
/// 50,000 files are remembered for each rule, and other containers are read again at most 250 times.
final class ContainersOfApp: Sendable {
    /// A file of one of the containers, by the position of the container.
    struct File {
        let container: Int
        let path: [UInt8]
    }

    let containers: [ContainerOfApp]
    /// The files that each rule compared so far.
    private let compared = LockedValue<[String: ComparedFiles]>([:])
    private let readings = LockedValue(0)
    private static let mostReadings = 250

    init(_ containers: [ContainerOfApp]) { self.containers = containers }

    /// The tree of a container.
    func tree(_ index: Int) -> DirectoryTree { DirectoryTree(containers[index].container) }

    /// The positions of the other containers, in order.
    func others(than index: Int) -> [Int] { containers.indices.filter { $0 != index } }

    /// Returns true if one of the containers may be read again for another one, and counts it.
    func mayReadAgain() -> Bool {
        readings.withLock { readings in
            readings += 1
            return readings <= Self.mostReadings
        }
    }

    /// Returns the path of a file for the evidence of a finding in the container at `index`.
    func text(for file: File, in index: Int) -> String {
        let path = ByteText.escaped(file.path)
        guard file.container != index else { return path }
        let container = containers[file.container]
        return "\(container.name ?? container.container.bundleIdentifier ?? "another container of the app"): \(path)"
    }

    /// Calls `body` with the files that a rule has compared.
    func withComparedFiles<Value>(of rule: Rule, _ body: (inout ComparedFiles) -> Value) -> Value {
        compared.withLock { body(&$0[rule.id, default: ComparedFiles()]) }
    }
}

/// Files that are compared by content. Only files of equal size are read, each at most twice: first their beginnings,
/// and then, if these are equal, the whole content.
struct ComparedFiles {
    typealias File = ContainersOfApp.File

    /// Files of equal size.
    private struct OfSize {
        var unread: [File] = []
        var beginnings: [Int: OfBeginning] = [:]
    }

    /// Files whose beginnings are equal.
    private struct OfBeginning {
        var unread: [File] = []
        var contents: [Int: File] = [:]

        /// Returns the first file with the same content. `isWhole` is true if the beginning is the whole content.
        mutating func file(
            equalTo file: File, isWhole: Bool, adding isAdded: Bool, digest: (File, UInt64) -> Int?
        ) -> File? {
            if let first = unread.first, isWhole { return first }
            guard !unread.isEmpty || !contents.isEmpty else {
                if isAdded { unread = [file] }
                return nil
            }
            for other in unread {
                guard let number = digest(other, .max) else { continue }
                contents[number] = contents[number] ?? other
            }
            unread = []
            guard let number = digest(file, .max) else { return nil }
            if let found = contents[number] { return found }
            if isAdded { contents[number] = file }
            return nil
        }
    }

    private static let beginning: UInt64 = 1 << 18
    private var sizes: [UInt64: OfSize] = [:]
    private var count = 0
    /// True if a file was not added because there are too many.
    private(set) var isCut = false

    /// Adds a file that others are compared with.
    mutating func add(_ file: File, size: UInt64) {
        guard mayAdd() else { return }
        sizes[size, default: OfSize()].unread.append(file)
    }

    /// Returns the first file with the same content, or nil, also for a file that cannot be read. Otherwise adds the file if
    /// `isAdded`. `digest` returns the digest of the first bytes of a file, as `Tree.digest(of:limit:within:)`.
    mutating func file(
        equalTo file: File, size: UInt64, adding isAdded: Bool, digest: (File, UInt64) -> Int?
    ) -> File? {
        guard var same = sizes.removeValue(forKey: size) else {
            if isAdded { add(file, size: size) }
            return nil
        }
        defer { sizes[size] = same }
        for other in same.unread {
            guard let number = digest(other, Self.beginning) else { continue }
            same.beginnings[number, default: OfBeginning()].unread.append(other)
        }
        same.unread = []
        guard let number = digest(file, Self.beginning) else { return nil }
        var found = same.beginnings.removeValue(forKey: number) ?? OfBeginning()
        defer { same.beginnings[number] = found }
        return found.file(equalTo: file, isWhole: size <= Self.beginning, adding: isAdded && mayAdd(), digest: digest)
    }

    private mutating func mayAdd() -> Bool {
        guard count < FindingAccumulator.deferredLimit else {
            isCut = true
            return false
        }
        count += 1
        return true
    }
}
