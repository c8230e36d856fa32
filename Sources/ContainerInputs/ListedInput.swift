internal import AppContainer
internal import FileSystem
internal import SystemPackage

/// An input with the names of its containers. The containers of a device backup are listed without an extraction.
package struct ListedInput: Sendable {
    /// The source of the knowledge of exclusions.
    package enum Evidence: String, Sendable {
        /// Extended attributes.
        case xattr
        /// The manifest of a backup: every item in it is included.
        case manifest
        /// None: exclusions are unknown.
        case none
    }

    /// The size of a container, according to the manifest of a backup.
    package struct Size: Sendable {
        package let files: Int
        package let bytes: UInt64
    }

    /// A container.
    package struct Item: Sendable {
        let app: String?
        package internal(set) var label: String?
        package let bundleIdentifier: String?
        package let role: InputContainer.Role
        package let membership: InputContainer.Membership
        /// The path relative to the input; for a backup, the path of the backup and the domain.
        package let relativePath: String
        package let evidence: Evidence
        package let size: Size?
    }

    /// The containers of one app.
    package struct App: Sendable {
        package let bundleIdentifier: String?
        package let containers: [Item]
    }

    package let source: InputSource
    package let kind: InputKind
    package let apps: [App]
    package let notes: [String]
    package let gaps: [String]

    /// Finds the containers of an input. See `Input.init`.
    package init(
        _ source: InputSource, only bundleIdentifiers: [String] = [], bundle: AppContents? = nil,
        password: @escaping BackupPassword = { _ in nil }
    ) throws(InputError) {
        let reader = InputReader(
            shown: source.name, bundleIdentifiers: bundleIdentifiers, bundle: bundle, password: password)
        if let path = source.path, let listed = try reader.listedBackups(at: FilePath(path)) {
            self.init(source: source, kind: .backup, apps: listed.apps, notes: listed.notes, gaps: listed.gaps)
            return
        }
        self.init(try Input(source, reader: reader))
    }

    private init(source: InputSource, kind: InputKind, apps: [App], notes: [String], gaps: [String]) {
        (self.source, self.kind, self.apps, self.notes, self.gaps) = (source, kind, apps, notes, gaps)
    }

    private init(_ input: Input) {
        let apps = input.apps.map { app in
            App(
                bundleIdentifier: app.bundleIdentifier,
                containers: app.containers.map { found in
                    Item(
                        app: app.bundleIdentifier, label: found.label,
                        bundleIdentifier: found.container.bundleIdentifier, role: found.role,
                        membership: found.membership, relativePath: found.relativePath,
                        evidence: !found.isExclusionKnown ? .none : input.kind == .backup ? .manifest : .xattr,
                        size: nil)
                })
        }
        self.init(source: input.source, kind: input.kind, apps: apps, notes: input.notes, gaps: input.gaps)
    }
}

extension InputReader {
    /// Returns the apps of the backups at a path by their manifests; nil if the path is not a backup or a directory of
    /// backups alone.
    fileprivate func listedBackups(
        at path: FilePath
    ) throws(InputError) -> (apps: [ListedInput.App], notes: [String], gaps: [String])? {
        guard let folder = try Self.folder(at: path) else { return nil }
        var (notes, gaps): ([String], [String]) = ([], [])
        var apps: [ListedInput.App] = []
        var others: Set<String> = []
        let paths = Self.backups(in: folder)
        let isBackup = paths == [""]
        guard !paths.isEmpty, isBackup || (try? ContainerSearch.containers(at: path, shown: shown)) == nil else {
            return nil
        }
        for path in paths {
            do throws(InputError) {
                let opened = try BackupInput(Self.folder(ofBackup: path, in: folder), at: path, of: self)
                var items: [ListedInput.Item] = []
                try opened.list(into: &items, others: &others)
                if paths.count > 1 {
                    for index in items.indices {
                        items[index].label = "\(path.lastComponent?.string ?? "")/\(items[index].label ?? "")"
                    }
                }
                apps += Self.apps(of: items)
                notes += opened.remarks.notes
                gaps += opened.remarks.gaps
            } catch {
                guard paths.count > 1 else { throw error }
                gaps.append(error.description)
            }
        }
        let found = Set(apps.flatMap { $0.containers.compactMap(\.bundleIdentifier) })
        if gaps.isEmpty, let missing = Set(bundleIdentifiers).subtracting(found).min() {
            throw Input.unknown(missing, known: others.union(found).sorted(), in: shown)
        }
        return (apps, notes, gaps)
    }

    private static func apps(of items: [ListedInput.Item]) -> [ListedInput.App] {
        let owned = Dictionary(grouping: items.filter { $0.app != nil }) { $0.app ?? "" }
        let apps = owned.map { app, items in
            let own = items.filter { $0.role == .data } + items.filter { $0.role != .data }
            return ListedInput.App(bundleIdentifier: app, containers: own)
        }
        let rest = items.filter { $0.app == nil }.map {
            ListedInput.App(bundleIdentifier: $0.bundleIdentifier, containers: [$0])
        }
        return (apps + rest).sorted { ($0.bundleIdentifier ?? "") < ($1.bundleIdentifier ?? "") }
    }
}
