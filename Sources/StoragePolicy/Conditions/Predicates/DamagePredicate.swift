internal import ContainerTree
internal import FileSystem
internal import TextOutput

/// `damaged: key-value-store`: the file belongs to a store of MMKV, Hive, LMDB or LevelDB, and a checksum or a page of the
/// store is wrong. `damaged: checksum`: it is a checksum file of MMKV without a store. `damaged: recording`: it is a recording
/// or a film without an index.
struct DamagePredicate: Predicate {
    static let key = "damaged"
    static let cost = Cost.read

    private enum Word: String, CaseIterable {
        case keyValueStore = "key-value-store"
        case checksum, recording
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("kind of file", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .filled }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let problem: String? =
            switch word {
            case .keyValueStore: evaluation.facts[KeyValueStoreFact.self]
            case .checksum: evaluation.facts[OrphanChecksumFact.self] ? "its store does not exist" : nil
            case .recording: evaluation.facts[UnfinishedMovieFact.self]
            }
        guard let problem else { return false }
        evaluation.addEvidence("problem", value: ByteText.escaped(Array(problem.utf8.prefix(240))))
        return true
    }
}
