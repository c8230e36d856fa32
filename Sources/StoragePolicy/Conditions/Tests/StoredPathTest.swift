internal import AppContainer

/// `stored-path: container`: the file holds an absolute path into a container or a bundle. `purgeable`: the path of a
/// file in Library/Caches or tmp, absolute or from the container.
struct StoredPathTest: Test {
    static let key = "stored-path"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case container, purgeable }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("kind of path", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals {
        slots.size(UInt64(word == .container ? StoredPath.shortest : Self.shortestPurgeable)...UInt64.max)
    }

    func holds(for subject: inout Subject) -> Bool {
        switch word {
        case .container:
            let found = subject.facts[StoredPathsFact.self].filter { !$0.isArchivedAddress }
            guard let first = found.first else { return false }
            subject.note("target", first.path.topDirectory.map { "\($0) of the container" } ?? "the container")
            subject.note("key", first.pointer ?? "raw bytes")
            subject.note("paths", "\(found.count)")
            return true
        case .purgeable:
            guard let (place, pointer) = purgeable(of: subject.facts) else { return false }
            subject.note("target", place)
            subject.note("key", pointer ?? "raw bytes")
            return true
        }
    }

    private func purgeable(of facts: ItemFacts) -> (place: String, pointer: String?)? {
        for found in facts[StoredPathsFact.self] where !Self.isResumption(found.key) {
            if let place = Self.purgeablePlace(of: found.path.tail) { return (place, found.pointer) }
        }
        for value in facts[TextValuesFact.self] {
            let text = value.text.utf8.drop { $0 == UInt8(ascii: "/") }
            // Most texts are no path of these, which one byte tells.
            guard text.first == UInt8(ascii: "L") || text.first == UInt8(ascii: "t"), text.count <= 1024,
                let place = Self.purgeablePlace(of: Array(text)), !Self.isResumption(value.key)
            else { continue }
            return (place, value.pointer)
        }
        return nil
    }

    /// `tmp/a.b`.
    private static let shortestPurgeable = 7

    /// Where a path leads, if to a file that the system may purge: one whose name has an extension.
    static func purgeablePlace(of path: [UInt8]) -> String? {
        let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
        guard let place = ["Library/Caches", "tmp"].first(where: { path.starts(with: "\($0)/".utf8) }) else {
            return nil
        }
        let names = path.dropFirst(place.utf8.count + 1).split(separator: slash)
        guard let name = names.last, path.last != slash, name.withUnsafeBytes({ PathExtension.word(of: $0) }) != 0,
            // `com.example.app` is the name of a folder.
            names.count > 1 || name.count(where: { $0 == dot }) < 2
        else { return nil }
        return place
    }

    /// A download that goes on later names the file that it has begun.
    private static func isResumption(_ key: String) -> Bool { resumptions.isMet(in: key) }
    private static let resumptions = WordSearch(["resume", "partial", "temp", "tmp", "cache"])
}
