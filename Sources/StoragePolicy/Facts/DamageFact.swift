internal import ContainerTree
internal import FileSystem
internal import PolicyTexts

/// The damage of a key-value store: of MMKV, Hive, LMDB or LevelDB. Reads at most 256 MiB of a file.
enum KeyValueStoreFact: Fact {
    static let name = "key-value store"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> String? {
        guard facts.item.status.kind == .file, facts.item.status.size > 0, !facts.isEvicted else { return nil }
        let file = StoreFile(facts.item)
        return facts.damage { Self.check(file) }
    }

    /// Checks a file of the format that its name, or a file beside it, indicates.
    private static func check(_ file: StoreFile) -> StoreFile.Check {
        let word = file.name.withUnsafeBytes { PathExtension.word(of: $0) }
        if file.name == LevelDBStore.current { return LevelDBStore.check(file) }
        if boxes.contains(word) { return HiveBox.check(file) }
        return environments.contains(word) ? LMDBEnvironment.check(file) : MMKVStore.check(file)
    }

    private static let boxes = Set(["hive", "hivec"].compactMap { PathExtension.word($0) })
    private static let environments = Set(["mdb", "lmdb"].compactMap { PathExtension.word($0) })
}

/// True for a checksum file of MMKV whose store does not exist.
enum OrphanChecksumFact: Fact {
    static let name = "orphan checksum"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> Bool {
        facts.item.status.kind == .file && !facts.isEvicted && MMKVStore.isOrphan(StoreFile(facts.item))
    }
}

/// The reason why a recording or a film cannot be played: it has no index. Reads the headers of its outermost boxes.
enum UnfinishedMovieFact: Fact {
    static let name = "unfinished recording"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> String? {
        guard facts[MagicFact.self] == .iso, !facts.isEvicted else { return nil }
        let file = StoreFile(facts.item)
        return facts.damage { MovieFile.check(file) }
    }
}

extension ItemFacts {
    /// Returns the damage that a check finds twice, since a process may be writing the file. A file that is too large becomes an incident.
    fileprivate func damage(_ check: () -> StoreFile.Check) -> String? {
        switch check() {
        case .passed: return nil
        case .tooLarge:
            leaveOut(.larger(thanMebibytes: Int(StoreFile.limit >> 20)))
            return nil
        case .damaged:
            if case .damaged(let reason) = check() { return reason }
            return nil
        }
    }
}
