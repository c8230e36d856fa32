internal import AppContainer
internal import FileSystem
internal import MobileBackup
internal import SystemPackage
internal import TextOutput

/// A device backup in an input, and the apps in it.
struct BackupInput {
    /// A container in the backup.
    struct Part {
        let domain: BackupDomain
        let role: InputContainer.Role
        /// The app to which it belongs; nil if unknown.
        let app: String?
        let membership: InputContainer.Membership
        /// The identifier of the app, the group or the extension.
        let identifier: String
    }

    private let backup: MobileBackup
    private let reader: InputReader
    /// The path of the backup in the input; empty if it is the input.
    private let path: FilePath
    /// The backup in messages.
    private var shown: String { Self.name(of: path, in: reader.shown) }

    /// Opens a backup. One that is a partial copy is opened as well.
    ///
    /// - Throws: `InputError` if the backup cannot be read, or if its password is missing or wrong.
    init(_ folder: Folder, at path: FilePath = "", of reader: InputReader) throws(InputError) {
        (self.reader, self.path) = (reader, path)
        backup = try Self.open(
            folder, shown: Self.name(of: path, in: reader.shown), allowsPartial: true, password: reader.password)
    }

    /// The name of a backup in messages.
    private static func name(of path: FilePath, in shown: String) -> String {
        path.isEmpty ? shown : FilePath(shown).appending(path.components).string
    }

    /// Opens the backup in a directory.
    static func open(
        _ folder: Folder, shown: String, allowsPartial: Bool, password: BackupPassword
    ) throws(InputError) -> MobileBackup {
        try reading(shown) { try MobileBackup(in: folder, allowsPartial: allowsPartial) { try password(shown) } }
    }

    /// Runs an operation on the backup, and adds the name of the backup to its error.
    private static func reading<Value>(_ shown: String, _ body: () throws -> Value) throws(InputError) -> Value {
        do { return try body() } catch let error as MobileBackupError {
            let hint =
                error.code == .encrypted && error.description.contains("password")
                ? " Use --password-file or DEVICE_BACKUP_PASSWORD." : ""
            throw InputError("“\(shown)”: \(error)\(hint)", code: error.code == .tooOld ? .notRead : .failed)
        } catch { throw InputError("“\(shown)”: \(error)") }
    }

    /// The containers in the backup and the apps to which they belong, by the rules for containers in a directory.
    private func parts(of domains: [BackupDomain]) -> [Part] {
        let grouping = AppGrouping(bundle: reader.bundle, known: [])
        let apps = Set(domains.filter { $0.owner == .app }.compactMap(\.bundleID))
        return domains.compactMap { domain in
            guard let identifier = domain.bundleID else { return nil }
            let role: InputContainer.Role
            switch domain.owner {
            case .app:
                return Part(domain: domain, role: .data, app: identifier, membership: .own, identifier: identifier)
            case .group: role = .group
            case .plugin: role = .plugIn
            case .system: return nil
            }
            let owner = grouping.owner(of: identifier, role, among: apps)
            return Part(
                domain: domain, role: role, app: owner?.app, membership: owner?.membership ?? .unknown,
                identifier: identifier)
        }
    }

    /// Returns the containers in the backup.
    func parts() throws(InputError) -> [Part] { try parts(of: Self.reading(shown) { try backup.domains() }) }

    /// Returns true if a container, or the app to which it belongs, is to be taken.
    func isSelected(_ part: Part) -> Bool {
        let wanted = reader.bundleIdentifiers
        if wanted.isEmpty || wanted.contains(part.identifier) { return true }
        return !reader.isSingle && part.app.map(wanted.contains) == true
    }

    /// The path of a container in the input.
    private func location(of part: Part) -> String { path.appending(part.domain.name).string }

    // MARK: - Listing

    /// Adds the containers to a list, by the manifest alone. Nothing is extracted.
    func list(into items: inout [ListedInput.Item], others: inout Set<String>) throws(InputError) {
        let summaries = try Self.reading(shown) { try backup.summaries() }
        let sizes = Dictionary(summaries.map { ($0.domain, $0) }, uniquingKeysWith: { first, _ in first })
        for part in parts(of: summaries.map(\.domain)) {
            guard isSelected(part) else {
                others.insert(part.identifier)
                continue
            }
            let size = sizes[part.domain]
            items.append(
                ListedInput.Item(
                    app: part.app, label: part.identifier, bundleIdentifier: part.identifier, role: part.role,
                    membership: part.membership, relativePath: location(of: part), evidence: .manifest,
                    size: ListedInput.Size(files: size?.files ?? 0, bytes: size?.bytes ?? 0)))
        }
    }

    /// Notes and gaps about the backup as a whole.
    var remarks: (notes: [String], gaps: [String]) {
        var (notes, gaps): ([String], [String]) = ([], [])
        for incident in backup.incidents {
            let name = String(decoding: incident.path, as: UTF8.self).printable
            switch incident.kind {
            case .statusMissing:
                notes.append("“\(shown)” has no valid \(name), so it is unknown whether the backup was finished.")
            case .declarationMissing: notes.append("“\(shown)” has no valid \(name). It is read as not encrypted.")
            case .manifestDecrypted:
                notes.append("“\(shown)” is encrypted, but another program has decrypted its \(name).")
            default:
                gaps.append(
                    "“\(shown)” is not complete: \(Self.words(incident)). Copy the backup again.")
            }
        }
        return (notes, gaps)
    }

    // MARK: - Extraction

    /// Extracts the selected ones of the containers into a private directory, and adds them to the result.
    func extract(_ known: [Part], into result: inout ContainerSearch.Result) throws(InputError) {
        var selected = known.filter(isSelected)
        result.others.formUnion(known.map(\.identifier))
        if result.containers.count + selected.count > ContainerSearch.mostContainers {
            result.isTruncated = true
            selected.removeLast(selected.count - max(0, ContainerSearch.mostContainers - result.containers.count))
        }
        let remarks = remarks
        result.notes += remarks.notes
        result.gaps += remarks.gaps
        guard !selected.isEmpty else { return }
        let scratch = try ScratchFolder.forInput()
        var losses = Losses()
        for (index, part) in selected.enumerated() {
            let name = FilePath("\(index)")
            let extracted: ExtractedDomain
            do throws(InputError) {
                extracted = try Self.reading(shown) {
                    let interruption = Invocation.current.interruption
                    return try interruption.during {
                        try scratch.folder.createDirectory(name, permissions: 0o700)
                        return try backup.extract(part.domain, into: scratch.folder.openFolder(noFollow: name)) {
                            interruption.isRequested
                        }
                    }
                }
                Host.waitIfTerminating()
            } catch {
                // The handler of the signal ends the process.
                Host.waitIfTerminating()
                throw error
            }
            losses.add(extracted)
            var container: Container
            do throws(ContainerError) {
                container = try Container.open(
                    known: scratch.path.appending(name.components), bundleIdentifier: part.identifier,
                    kind: part.role == .group ? .group : .application)
            } catch { throw InputError(error) }
            container.keepsHoles = false
            result.containers.append(
                InputContainer(
                    container, role: part.role, label: container.bundleIdentifier, relativePath: location(of: part),
                    scratch: scratch))
        }
        result.notes += losses.notes(shown)
        result.gaps += losses.gaps(shown)
    }

    private static func words(_ problem: BackupProblem) -> String {
        let kind = problem.kind.rawValue.replacing("-", with: " ")
        return problem.detail.isEmpty ? kind : "\(kind) (\(problem.detail.printable))"
    }

    /// The items of a backup that were not extracted as they are.
    private struct Losses {
        private var count = 0
        private var first: String?
        private var drops = 0

        /// Losses that change no content: directories without a row, and bits of the mode.
        private static let harmless: Set<BackupProblem.Kind> = [.parentMissing, .setIDBitsDropped]

        mutating func add(_ extracted: ExtractedDomain) {
            let losses = extracted.incidents.filter { !Self.harmless.contains($0.kind) }
            let harmless = extracted.incidents.count - losses.count
            drops += harmless
            count += extracted.incidentCount - harmless
            guard first == nil, let loss = losses.first else { return }
            let path = ByteText.escaped(loss.path)
            first = "\(path.isEmpty ? extracted.domain.name.printable : "“\(path)”") (\(BackupInput.words(loss)))"
        }

        func notes(_ shown: String) -> [String] {
            drops == 0
                ? []
                : [
                    "“\(shown)” lists \(Quantity.count(drops, "item")) without a directory, or with a mode that is not kept."
                ]
        }

        func gaps(_ shown: String) -> [String] {
            guard count > 0 else { return [] }
            let items = Quantity.count(count, "item")
            return [
                "\(items) of “\(shown)” \(count == 1 ? "is" : "are") missing or damaged, such as "
                    + "\(first ?? "an item of the manifest"). Copy the backup again."
            ]
        }
    }
}
