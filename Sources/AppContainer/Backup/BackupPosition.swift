internal import FileSystem
internal import SystemPackage

/// The decisions about the items of one directory: the one place that knows whether a backup includes an item.
///
/// In this order: what excludes the directory excludes the item; the kind; the name of a save's temporary file; the location;
/// the item's own mark; a CACHEDIR.TAG in the directory; the user's options; and otherwise the nearest location.
package struct BackupPosition: Sendable {
    private let rules: BackupRules
    /// The decision for the directory itself.
    package let decision: BackupDecision
    /// The decision for an item without a mark of its own.
    private let kept: BackupDecision
    /// The decisions for names that the location table excludes, whatever their kind.
    private let excludedNames: [[UInt8]: BackupDecision]
    /// The only names that are backed up; empty where all are.
    private let includedNames: Set<[UInt8]>
    /// True if the names of this directory are compared without regard to case.
    private let ignoresCase: Bool
    /// True if the content of the directory is excluded because of its CACHEDIR.TAG.
    private let isTaggedCache: Bool

    /// Creates the position in the container itself.
    package init(root item: BackupItem, of container: Container, _ rules: BackupRules = BackupRules()) {
        let decision =
            rules.decision(byMarksOf: item)
            ?? (item.carriesAttributes
                ? BackupDecision(.userData, by: .location(.root)) : BackupDecision(.noAttributes, by: .fileSystem))
        self.init(decision, at: .root, in: nil, of: container, rules: rules) { [] }
    }

    /// Returns the position in a subdirectory.
    ///
    /// - Parameters:
    ///   - item: The subdirectory.
    ///   - location: The location whose directory it is, if any.
    ///   - container: The container.
    ///   - path: Its path from the root of the container.
    /// - Returns: The position.
    package func entering(
        _ item: BackupItem, at location: Location?, of container: Container, path: @autoclosure () -> [UInt8]
    ) -> BackupPosition {
        BackupPosition(
            decision(on: item, at: location, path: path()), at: location, in: self, of: container, rules: rules,
            path: path)
    }

    private init(
        _ decision: BackupDecision, at location: Location?, in parent: BackupPosition?, of container: Container,
        rules: BackupRules, path: () -> [UInt8]
    ) {
        self.rules = rules
        self.decision = decision
        isTaggedCache = decision.isStored && rules.respectsCacheTags && container.isTagged(FilePath(bytes: path()))
        ignoresCase = container.ignoresCase
        let kept = location.map(Self.decision(keptAt:)) ?? parent?.kept ?? decision
        self.kept =
            decision.reason == .noAttributes && kept.state == .included ? decision : kept
        guard let location, decision.isStored else {
            (excludedNames, includedNames) = ([:], [])
            return
        }
        let ignoresCase = ignoresCase
        var excluded: [[UInt8]: BackupDecision] = [:]
        for (name, decision) in Self.excludedNames[location] ?? [:] {
            excluded[Self.form(Array(name.utf8), ignoresCase: ignoresCase)] = decision
        }
        excludedNames = excluded
        includedNames =
            location == .root && container.kind == .application
            ? Set(Self.backedUpInRoot.map { Self.form($0, ignoresCase: ignoresCase) }) : []
    }

    /// Returns the decision for an item of the directory.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - location: The location whose directory the item is, if any.
    ///   - path: Its path from the root of the container.
    /// - Returns: The decision.
    package func decision(
        on item: BackupItem, at location: Location? = nil, path: @autoclosure () -> [UInt8]
    ) -> BackupDecision {
        guard decision.isStored else { return decision.inherited }
        switch item.kind {
        case .file, .directory, .symbolicLink: break
        default: return BackupDecision(.specialNode, by: .kind(item.kind))
        }
        if AtomicWrite.isStagingName(item.name) { return BackupDecision(.temporaryFile, by: .temporaryFile) }
        if let decision = decision(byNameOf: item) ?? rules.decision(byMarksOf: item) { return decision }
        if isTaggedCache, !item.name.elementsEqual(ExclusionMark.cacheTag.rawValue.utf8) {
            return BackupDecision(.tagFile, by: .mark(ExclusionMark.cacheTag.rawValue))
        }
        if let decision = rules.decision(byOptionsOn: item, path: path) { return decision }
        let kept = location.map(Self.decision(keptAt:)) ?? kept
        if kept.state == .included, self.kept.reason == .noAttributes { return self.kept }
        return kept.state == .included && !item.carriesAttributes
            ? BackupDecision(.noAttributes, by: .fileSystem) : kept
    }

    /// Returns the decision by the location table on a name of this directory, or nil if it is backed up.
    private func decision(byNameOf item: BackupItem) -> BackupDecision? {
        guard !excludedNames.isEmpty || !includedNames.isEmpty else { return nil }
        let name = Self.form(Array(item.name), ignoresCase: ignoresCase)
        if let decision = excludedNames[name] { return decision }
        return includedNames.isEmpty || includedNames.contains(name)
            ? nil : BackupDecision(.notBackedUpDirectory, by: .location(.root))
    }

    private static func form(_ name: [UInt8], ignoresCase: Bool) -> [UInt8] {
        ignoresCase ? Array(NameSpelling.form(String(decoding: name, as: UTF8.self)[...]).utf8) : name
    }

    /// Returns the decision for an item without a mark whose nearest location this is.
    private static func decision(keptAt location: Location) -> BackupDecision {
        BackupDecision(location.backup == .unknown ? .undocumented : .userData, by: .location(location))
    }

    private static let backedUpInRoot = Location.table.filter { $0.backup == .backedUp && !$0.path.contains("/") }
        .map { Array($0.path.utf8) }

    /// The names in each location's directory that are not backed up.
    private static let excludedNames: [Location: [String: BackupDecision]] = {
        var names: [Location: [String: BackupDecision]] = [:]
        for location in Location.table where location != .root && location.backup == .notBackedUp {
            let parts = location.path.split(separator: "/")
            let above = parts.dropLast().joined(separator: "/")
            guard let directory = Location.table.first(where: { $0.path == above }), let name = parts.last else {
                continue
            }
            let reason: BackupReason =
                switch location {
                case .caches: .caches
                case .temporary: .temporary
                default: location.isSystemOwned ? .systemState : .notBackedUpDirectory
                }
            names[directory, default: [:]][String(name)] = BackupDecision(reason, by: .location(location))
        }
        return names
    }()
}

extension Container {
    /// Returns the decision of a backup for an item.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - mayBeMissing: True to decide about an item that does not exist yet, as a directory if its path names one.
    ///   - rules: The rules of the backup.
    /// - Returns: The decision.
    /// - Throws: The errors of `exclusion(of:)`.
    package func backupDecision(
        of item: ContainerPath, mayBeMissing: Bool = false, rules: BackupRules = BackupRules()
    ) throws(ContainerError) -> BackupDecision {
        try backupPosition(of: item, mayBeMissing: mayBeMissing, rules: rules).decision
    }

    /// Returns the decision for an item, and for what lies in it if it is a directory.
    func backupPosition(
        of item: ContainerPath, mayBeMissing: Bool = false, rules: BackupRules = BackupRules()
    ) throws(ContainerError) -> BackupPosition {
        let path = try relative(item)
        do throws(FileSystemError) {
            let root = try backupFacts(at: "", mayBeMissing: false)
            var position = BackupPosition(
                root: root.item(named: UnsafeRawBufferPointer(start: nil, count: 0)), of: self, rules)
            var names: [String] = []
            var current: [UInt8] = []
            for component in path.bytes.split(separator: UInt8(ascii: "/")) {
                if !current.isEmpty { current.append(UInt8(ascii: "/")) }
                current += component
                names.append(String(decoding: component, as: UTF8.self))
                let facts = try backupFacts(at: FilePath(bytes: current), mayBeMissing: mayBeMissing)
                let own = location(names)
                position = component.withUnsafeBytes {
                    position.entering(facts.item(named: $0), at: own, of: self, path: current)
                }
            }
            return position
        } catch { throw ContainerError(error) }
    }

    /// The properties of an item on disk.
    struct BackupFacts {
        var status = FileStatus(kind: .file, size: 0)
        /// The names of the attributes; nil if the file system cannot store any.
        var attributes: [String]? = []

        func item(named name: UnsafeRawBufferPointer) -> BackupItem {
            let attributes = attributes ?? []
            let marks = attributes.compactMap { ExclusionMark(attribute: $0) }
            return BackupItem(
                name: name, status,
                mark: marks.isEmpty ? nil : ExclusionMark.allCases.first { $0.isApple && marks.contains($0) },
                attributes: attributes, carriesAttributes: self.attributes != nil)
        }
    }

    private func backupFacts(at path: FilePath, mayBeMissing: Bool) throws(FileSystemError) -> BackupFacts {
        guard let status = mayBeMissing ? try folder.statusIfPresent(path) : try folder.status(path) else {
            return BackupFacts(attributes: keepsAttributes ? [] : nil)
        }
        guard status.kind == .file || status.kind == .directory else {
            return BackupFacts(status: status, attributes: keepsAttributes ? [] : nil)
        }
        return BackupFacts(status: status, attributes: try attributeNames(at: path))
    }
}
