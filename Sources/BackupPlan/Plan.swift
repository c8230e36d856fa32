package import AppContainer
package import ContainerTree
internal import DatabaseInspection
package import FileSystem
internal import SystemPackage

/// The items of a container that this package's backups include: a view of its index.
///
/// Items are in the order of their path components; a directory comes directly before its content. An excluded
/// directory stands for its whole content.
package struct Plan: Sendable {
    package let rules: BackupRules
    /// The items. The content of excluded directories is only counted.
    package let index: ContainerIndex
    /// The number and size of the items by reason, including the content of excluded directories.
    package let sums: [BackupReason: ItemCount]
    /// The number of files that are included.
    package let includedFiles: Int
    /// The number and size of the included files whose content is not on this disk.
    package let evicted: ItemCount
    /// Decisions that may be unwanted; sorted by kind and path.
    package private(set) var warnings: [PlanWarning]
    /// Items that cannot be analyzed, or whose content cannot be read without a download; sorted by path.
    package let incidents: [PlanIncident]
    /// The properties of included items that a backup does not keep.
    package let losses: [Loss]

    /// Analyzes a container without changing it. An item that cannot be read becomes an incident.
    package init(
        of container: Container, rules: BackupRules = BackupRules(), threads: Int = Host.processorCount
    ) throws(ContainerError) {
        let observer = PlanObserver(container)
        var options = ContainerIndex.Options()
        options.listsExcluded = false
        options.observe = observer.observe
        let index = try ContainerIndex(
            of: DirectoryTree(container, rules: rules), threads: threads, options: options)
        let seen = observer.result
        var sums: [BackupReason: ItemCount] = [:]
        var includedFiles = 0
        // By the directory that contains the files.
        var evicted: [Int: FileSum] = [:]
        var regenerable: [Location: FileSum] = [:]
        var tagged: [Int: FileSum] = [:]
        var warnings = seen.warnings
        for number in 0..<index.count {
            let item = index[number]
            let decision = index.decision(for: number)
            var sum = ItemCount()
            sum.add(bytes: Self.bytes(of: item, decision), items: 1 + (decision.isStored ? 0 : item.items))
            sums[decision.reason, default: ItemCount()].add(sum)
            if decision.reason == .tagFile, index.location(of: number) == .documents {
                tagged[index.parent(of: number) ?? number, default: FileSum()].add(
                    index.path(of: number), size: Self.bytes(of: item, decision))
            }
            guard decision.isStored else { continue }
            if item.kind == .file {
                includedFiles += 1
                if item.availability == .evicted {
                    evicted[index.parent(of: number) ?? number, default: FileSum()].add(
                        index.path(of: number), size: item.own.logical)
                }
                if item.maker?.isRegenerable == true {
                    regenerable[index.location(of: number), default: FileSum()].add(
                        index.path(of: number), size: item.own.logical)
                }
            } else if let target = index.linkTarget(of: number),
                StaleContainerPath.isIn(Array(target), apartFrom: container.location)
            {
                warnings.append(PlanWarning(.linkToOldContainer, path: index.path(of: number)))
            }
        }
        if !index.carriesAttributes { warnings.append(PlanWarning(.flagsUnknown, path: [])) }
        for (location, regenerable) in regenerable where regenerable.sum.bytes >= 1_000_000 {
            warnings.append(
                PlanWarning(
                    .regenerableKept, path: Array(location.path.utf8), bytes: regenerable.sum.bytes,
                    items: regenerable.sum.items, other: regenerable.largest))
        }
        for (directory, files) in evicted {
            warnings.append(
                PlanWarning(
                    .contentElsewhere, path: index.path(of: directory), bytes: files.sum.bytes, items: files.sum.items,
                    other: files.largest))
        }
        for (directory, items) in tagged {
            warnings.append(
                PlanWarning(
                    .taggedDocuments, path: index.path(of: directory), bytes: items.sum.bytes, items: items.sum.items,
                    other: items.largest))
        }
        warnings += SplitDatabases(index).warnings(in: container)
        self.rules = rules
        self.index = index
        self.sums = sums
        self.includedFiles = includedFiles
        self.evicted = evicted.values.reduce(into: ItemCount()) { $0.add($1.sum) }
        self.warnings = warnings.sorted {
            $0.kind == $1.kind ? PathOrder.precedes($0.path, $1.path) : $0.kind.rawValue < $1.kind.rawValue
        }
        let failures = index.failures.map { PlanIncident($0) }.filter { Self.isMissed($0, in: index) }
        incidents = (failures + seen.incidents).sorted {
            $0.path == $1.path ? $0.reason < $1.reason : PathOrder.precedes($0.path, $1.path)
        }
        losses = seen.accessLists.items > 0 ? [seen.accessLists] : []
    }

    /// Removes warnings that are answered by what is known of the items.
    package mutating func removeWarnings(where isAnswered: (PlanWarning) -> Bool) {
        warnings.removeAll(where: isAnswered)
    }

    /// Returns true if the backup misses an item that could not be read. Files in excluded directories may come and go,
    /// and so may the files that SQLite creates beside a database in use.
    private static func isMissed(_ incident: PlanIncident, in index: ContainerIndex) -> Bool {
        guard incident.hasVanished, index.count > 0 else { return true }
        let nearest = index.deepest(on: incident.path)
        guard nearest.isWhole || index.decision(for: nearest.number).isStored else { return false }
        return !DatabaseFileNames.mains(ofCompanion: incident.path).contains { index.deepest(on: $0).isWhole }
    }

    /// True if every item could be analyzed.
    package var isComplete: Bool { incidents.isEmpty }

    /// Returns the number and size of all items that the backup contains, or of those that it leaves out.
    package func sum(stored isStored: Bool) -> ItemCount {
        sums.reduce(into: ItemCount()) { if $1.key.isStored == isStored { $0.add($1.value) } }
    }

    fileprivate static func bytes(of item: IndexedItem, _ decision: BackupDecision) -> UInt64 {
        item.kind == .directory ? decision.isStored ? 0 : item.total.logical : item.own.logical
    }
}

/// The order of the paths of a plan: by component, each compared by its bytes.
package enum PathOrder {
    /// Returns true if `left` comes before `right`. A directory comes before its content.
    package static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.lexicographicallyPrecedes(right) { rank($0) < rank($1) }
    }

    /// Returns the number of components of a path, and the last one.
    package static func depthAndName(of path: [UInt8]) -> (depth: Int, name: [UInt8]) {
        guard !path.isEmpty else { return (0, []) }
        let slash = UInt8(ascii: "/")
        let start = path.lastIndex(of: slash).map { $0 + 1 } ?? 0
        return (1 + path.count { $0 == slash }, Array(path[start...]))
    }

    /// Returns the parent, the last component and the number of components of a path.
    package static func split(_ path: [UInt8]) -> (parent: [UInt8], name: [UInt8], depth: Int) {
        let (depth, name) = depthAndName(of: path)
        return (Array(path.dropLast(min(name.count + 1, path.count))), name, depth)
    }

    /// Returns the rank of a byte. A separator ends a component, and names cannot contain a zero byte.
    private static func rank(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "/") ? 0 : byte }
}

/// One item of a plan.
package struct PlanEntry: Sendable {
    /// The path relative to the container, `/`-separated; empty for the container itself.
    package let path: [UInt8]
    package let decision: BackupDecision
    /// The size of a file, or of the content of an excluded directory; otherwise 0.
    package let bytes: UInt64
    /// 1, or the number of items that an excluded directory stands for.
    package let items: Int
    /// The recorded origin.
    package let maker: Provenance.Maker?
    /// The availability of the content.
    package let availability: Availability
    /// The status of the item: kind, permissions, links, owner, size, device, inode and times.
    package let status: FileStatus
    /// The names of the extended attributes, without the namespace prefix of Linux.
    package let attributes: [String]

    package var kind: FileKind { status.kind }
    package var isStored: Bool { decision.isStored }
}

extension Plan: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { index.count }

    package subscript(number: Int) -> PlanEntry {
        let item = index[number]
        let decision = index.decision(for: number)
        return PlanEntry(
            path: index.path(of: number), decision: decision, bytes: Self.bytes(of: item, decision),
            items: 1 + (decision.isStored ? 0 : item.items),
            maker: item.maker,
            availability: item.availability, status: index.status(of: number), attributes: index.attributes(of: number))
    }

    // A plan may have millions of items. These are the fields of an item that need no path, which would be an array.

    package func isStored(at number: Int) -> Bool { index.decision(for: number).isStored }
    package func kind(at number: Int) -> FileKind { index.kind(of: number) }
    package func availability(at number: Int) -> Availability { index.availability(of: number) }
    package func bytes(at number: Int) -> UInt64 { Self.bytes(of: index[number], index.decision(for: number)) }
    package func hasAttributes(at number: Int) -> Bool { index.hasAttributes(number) }
    package func name(at number: Int) -> ArraySlice<UInt8> { index.name(of: number) }
    package func status(at number: Int) -> FileStatus { index.status(of: number) }
    /// Returns the number of directories above an item.
    package func depth(at number: Int) -> Int { index.depth(of: number) }

    /// Returns the item of a path, or nil if the plan has none, as below an excluded directory.
    package func entry(at path: [UInt8]) -> PlanEntry? { number(of: path).map { self[$0] } }

    /// Returns the item of a path or the excluded directory above it, or nil if the plan has neither.
    package func entry(covering path: [UInt8]) -> PlanEntry? {
        guard !isEmpty else { return nil }
        let found = index.deepest(on: path)
        return found.isWhole || !isStored(at: found.number) ? self[found.number] : nil
    }

    /// The paths of the pipes, sockets and devices in included directories.
    package var specialNodes: [[UInt8]] {
        guard sums[.specialNode] != nil else { return [] }
        return indices.filter { index.decision(for: $0).reason == .specialNode }.map { index.path(of: $0) }
    }

    /// The included files whose content is not on this disk.
    package var evictedFiles: [[UInt8]] {
        guard evicted.items > 0 else { return [] }
        return indices.filter { isStored(at: $0) && availability(at: $0) == .evicted }.map { index.path(of: $0) }
    }

    /// Returns the number of the item of a path, or nil if the plan has no such item.
    package func number(of path: [UInt8]) -> Int? {
        guard !isEmpty else { return nil }
        let found = index.deepest(on: path)
        return found.isWhole ? found.number : nil
    }

    /// Returns the number of direct children of a directory; 0 for other items and excluded directories.
    package func childCount(at number: Int) -> Int { index.children(of: number).count }
}
