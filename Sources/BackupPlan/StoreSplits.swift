internal import AppContainer
internal import ContainerStores
internal import FileSystem
internal import SystemPackage

/// Looks for SQLite stores of which one file is kept and another is not.
struct StoreSplits {
    private var pairs: [(main: [UInt8], companion: [UInt8])] = []

    init(_ state: borrowing PlanBuilder.State, _ order: PlanOrder) {
        for number in order.records {
            let record = state.records[number]
            // Of two files in one directory only one's own mark makes a difference.
            guard record.kind == .file, record.reason.isByMark else { continue }
            let name = Array(state.names.name(of: record))
            for file in StoreFile.allCases where file != .main {
                let suffix = Array(file.rawValue.utf8)
                if let companion = Self.kept(name + suffix, beside: record, state, order) {
                    pairs.append((state.path(of: record, order), state.path(of: companion, order)))
                }
                if name.suffix(suffix.count) == suffix[...],
                    let main = Self.kept(name.dropLast(suffix.count), beside: record, state, order)
                {
                    pairs.append((state.path(of: main, order), state.path(of: record, order)))
                }
            }
        }
    }

    /// A warning for each whose main file is a database.
    func warnings(in container: Container) -> [PlanWarning] {
        pairs.compactMap { main, companion in
            guard let file = try? container.folder.open(FilePath(bytes: main), followingLinks: false),
                (try? file.status())?.kind == .file,
                let bytes = try? file.read(upTo: StoreHeader.size), StoreHeader(bytes) != nil
            else { return nil }
            return PlanWarning(.storeSplit, main, other: companion)
        }
    }

    private static func kept(
        _ name: some Collection<UInt8>, beside record: PlanRecord, _ state: borrowing PlanBuilder.State,
        _ order: PlanOrder
    ) -> PlanRecord? {
        guard let number = order.child(name, of: record.parent, in: state) else { return nil }
        let other = state.records[number]
        return other.kind == .file && other.reason.decision == .include ? other : nil
    }
}
