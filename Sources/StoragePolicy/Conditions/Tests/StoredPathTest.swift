/// `stored-path: container`: the file holds an absolute path into a container or a bundle. `purgeable`: the path of a
/// file in Library/Caches or tmp, absolute or from the container.
struct StoredPathTest: Test {
    static let key = "stored-path"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case container, purgeable }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("kind of path", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .filled }

    func holds(for subject: inout Subject) -> Bool {
        switch word {
        case .container:
            let found = subject.facts[StoredPathsFact.self].filter { !$0.isArchivedAddress }
            guard let first = found.first else { return false }
            subject.note("target", first.path.place.map { "\($0) of the container" } ?? "the container")
            subject.note("key", first.pointer ?? "its bytes")
            subject.note("paths", "\(found.count)")
            return true
        case .purgeable:
            guard let (place, pointer) = purgeable(of: subject.facts) else { return false }
            subject.note("target", place)
            subject.note("key", pointer ?? "its bytes")
            return true
        }
    }

    private func purgeable(of facts: ItemFacts) -> (place: String, pointer: String?)? {
        for found in facts[StoredPathsFact.self] where !Self.isResumption(found.key) {
            if let place = Self.purgeablePlace(of: found.path.tail) { return (place, found.pointer) }
        }
        for value in facts[TextValuesFact.self] where !Self.isResumption(value.key) {
            let text = value.text.utf8
            guard text.count <= 1024, let place = Self.purgeablePlace(of: Array(text.drop { $0 == UInt8(ascii: "/") }))
            else { continue }
            return (place, value.pointer)
        }
        return nil
    }

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
    private static func isResumption(_ key: String) -> Bool {
        ["resume", "partial", "temp", "tmp", "cache"].contains { key.contains($0) }
    }
}
