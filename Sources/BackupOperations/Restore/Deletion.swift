internal import AppContainer
internal import BackupPlan
internal import BackupRepository
internal import FileSystem
internal import SystemPackage

/// The items of a target that a restore deletes: those that a backup of the target would include, and that the snapshot does
/// not contain.
///
/// Items that the snapshot lacks for another reason stay: those that were excluded from it or could not be read.
struct Deletion {
    /// The paths, a directory after its content. A directory may contain items that stay.
    private(set) var paths: [[UInt8]] = []

    /// - Throws: `failed` if the target cannot be read.
    init(_ options: RestoreOptions, selection: PathSelection) throws(BackupError) {
        guard let target = options.target else { return }
        let (repository, snapshot) = (options.repository, options.snapshot)
        var kept: Set<[UInt8]> = []
        try repository.visit(snapshot) { path, _ throws(BackupError) in kept.insert(path) }
        var left = Set(snapshot.incidents.map(\.path))
        if let exclusions = snapshot.exclusions { left.formUnion(try repository.exclusions(exclusions).map(\.path)) }
        do {
            let container = try Container.open(
                known: target.absolutePath(), bundleIdentifier: snapshot.bundleIdentifier,
                kind: Container.Kind(rawValue: snapshot.kind))
            let plan = try Plan(of: container, rules: BackupRules(view: BackupView(rawValue: snapshot.view) ?? .finder))
            for index in plan.indices.reversed() where plan.isStored(at: index) {
                let path = plan[index].path
                guard !path.isEmpty, !kept.contains(path), selection.look(at: path).whole else { continue }
                let places = [path] + PathSelection.directories(above: path)
                guard !places.contains(where: { left.contains($0) && !$0.isEmpty || selection.omits($0) }) else {
                    continue
                }
                paths.append(path)
            }
        } catch { throw BackupError(error) }
    }
}
