package import AppContainer
internal import ContainerTree
package import FileSystem
internal import SystemPackage

/// The decision for every item of a container, with the reason.
///
/// Items are in the order of their path components; a directory comes directly before its content. An excluded
/// directory stands for its whole content. A million items take about a hundred bytes each, plus their names.
package struct Plan: Sendable {
    package let rules: PlanRules
    /// The number and size of the items by reason, including the content of excluded directories.
    package let sums: [PlanReason: PlanSum]
    /// The number of files that are included.
    package let includedFiles: Int
    /// Decisions that may be unwanted; sorted by kind and path.
    package let warnings: [PlanWarning]
    /// Items that cannot be analyzed; sorted by path.
    package let incidents: [PlanIncident]
    let state: PlanBuilder.State
    let order: PlanOrder

    /// Analyzes a container without changing it. An item that cannot be read becomes an incident.
    package init(
        of container: Container, rules: PlanRules = PlanRules(), threads: Int = Host.processorCount
    ) throws(ContainerError) {
        let planner = Planner(container: container, rules: rules)
        try DirectoryTree(container).visit(planner, threads: threads)
        self.init(planner.builder.finish(), of: container, rules: rules)
    }

    private init(_ found: consuming PlanBuilder.State, of container: Container, rules: PlanRules) {
        var found = found
        order = PlanOrder(found)
        var sums: [PlanReason: PlanSum] = [:]
        var includedFiles = 0
        for record in order.records {
            let isIncluded = found.records[record].reason.decision == .include
            if isIncluded, found.records[record].kind == .file { includedFiles += 1 }
            var sum = found.excludedContent[found.records[record].directory] ?? PlanSum()
            found.records[record].size += sum.bytes
            sum.add(bytes: sum.items == 0 ? found.records[record].bytes : 0)
            sums[found.records[record].reason, default: PlanSum()].add(sum)
        }
        self.rules = rules
        self.sums = sums
        self.includedFiles = includedFiles
        incidents = found.incidents.filter { [order] in Self.isMissed($0, in: found, order) }.sorted {
            $0.path == $1.path ? $0.reason < $1.reason : PathOrder.precedes($0.path, $1.path)
        }
        var warnings = found.warnings + Self.warnings(from: found)
        warnings += SplitDatabases(found, order).warnings(in: container)
        self.warnings = warnings.sorted {
            $0.kind == $1.kind ? PathOrder.precedes($0.path, $1.path) : $0.kind.rawValue < $1.kind.rawValue
        }
        found.warnings = []
        found.incidents = []
        state = found
    }

    /// Returns true if the backup misses an item that could not be read. Files in excluded directories may come and go,
    /// and so may the files that SQLite creates beside a database in use.
    private static func isMissed(
        _ incident: PlanIncident, in found: borrowing PlanBuilder.State, _ order: PlanOrder
    ) -> Bool {
        guard incident.hasVanished, let nearest = order.deepest(on: incident.path, in: found) else { return true }
        guard nearest.isWhole || found.records[nearest.record].reason.decision == .include else { return false }
        return !DatabaseFileNames.mains(ofCompanion: incident.path).contains {
            order.deepest(on: $0, in: found)?.isWhole == true
        }
    }

    /// The properties of included items that a backup does not keep.
    package var losses: [Loss] { [state.accessLists].filter { $0.items > 0 } }

    /// True if every item could be analyzed.
    package var isComplete: Bool { incidents.isEmpty }

    /// Returns the number and size of all included or excluded items.
    package func sum(of decision: PlanDecision) -> PlanSum {
        sums.reduce(into: PlanSum()) { if $1.key.decision == decision { $0.add($1.value) } }
    }

    private static func warnings(from found: PlanBuilder.State) -> [PlanWarning] {
        var warnings = found.carriesAttributes ? [] : [PlanWarning(.flagsUnknown, [])]
        for (location, regenerable) in found.regenerable where regenerable.sum.bytes >= 1_000_000 {
            warnings.append(
                PlanWarning(
                    .regenerableKept, Array(location.path.utf8), bytes: regenerable.sum.bytes,
                    items: regenerable.sum.items, other: regenerable.largest))
        }
        return warnings
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
    package let reason: PlanReason
    package let decidedBy: PlanDecider
    /// The size of a file, or of the content of an excluded directory; otherwise 0.
    package let bytes: UInt64
    /// 1, or the number of items that an excluded directory stands for.
    package let items: Int
    /// True for an included file that is re-downloadable or regenerable by its recorded provenance.
    package let isRegenerable: Bool
    /// The status of the item: kind, permissions, links, owner, size, device, inode and times.
    package let status: FileStatus
    /// The names of the extended attributes, without the namespace prefix of Linux.
    package let attributes: [String]

    package var kind: FileKind { status.kind }
    package var decision: PlanDecision { reason.decision }
}

extension Plan: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { order.records.count }

    package subscript(index: Int) -> PlanEntry { entry(numbered: order.records[index]) }

    // A plan may have millions of items. These are the fields of an item that need no path, which would be an array.

    package func decision(at index: Int) -> PlanDecision { state.records[order.records[index]].reason.decision }
    package func kind(at index: Int) -> FileKind { state.records[order.records[index]].kind }
    package func bytes(at index: Int) -> UInt64 { state.records[order.records[index]].bytes }
    package func hasAttributes(at index: Int) -> Bool { state.records[order.records[index]].attributes != 0 }

    package func name(at index: Int) -> ArraySlice<UInt8> {
        state.names.name(of: state.records[order.records[index]])
    }

    package func status(at index: Int) -> FileStatus { state.status(of: state.records[order.records[index]]) }

    /// Returns the number of directories above an item.
    package func depth(at index: Int) -> Int {
        var (depth, above) = (0, state.records[order.records[index]].parent)
        while above != PlanRecord.none {
            depth += 1
            above = state.records[order.recordOfDirectory[Int(above)]].parent
        }
        return depth
    }

    /// Returns the item of a path, or nil if the plan has none, as below an excluded directory.
    package func entry(at path: [UInt8]) -> PlanEntry? {
        number(of: path).map(entry(numbered:))
    }

    /// Returns the item of a path or the excluded directory above it, or nil if the plan has neither.
    package func entry(covering path: [UInt8]) -> PlanEntry? {
        guard let found = order.deepest(on: path, in: state) else { return nil }
        return found.isWhole || state.records[found.record].reason.decision == .exclude
            ? entry(numbered: found.record) : nil
    }

    /// The paths of the pipes, sockets and devices in included directories.
    package var specialNodes: [[UInt8]] {
        guard sums[.specialNode] != nil else { return [] }
        return order.records.filter { state.records[$0].reason == .specialNode }.map { entry(numbered: $0).path }
    }

    /// Returns the index of the item of a path, or nil if the plan has none.
    package func index(of path: [UInt8]) -> Int? {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if PathOrder.precedes(self[middle].path, path) { low = middle + 1 } else { high = middle }
        }
        return low < endIndex && self[low].path == path ? low : nil
    }

    /// The record numbers of the items, in the order of the paths. They need not be consecutive.
    package var numbers: [UInt32] { order.records }

    /// Returns the number of direct children of the directory at an index; 0 for other items and excluded directories.
    package func childCount(at index: Int) -> Int {
        let directory = state.records[order.records[index]].directory
        return directory == PlanRecord.none ? 0 : order.children(of: directory).count
    }

    /// Returns the record number of a path, or nil if the plan has no such item.
    package func number(of path: [UInt8]) -> UInt32? {
        guard let found = order.deepest(on: path, in: state), found.isWhole else { return nil }
        return found.record
    }

    package func entry(numbered number: UInt32) -> PlanEntry {
        let record = state.records[number]
        return PlanEntry(
            path: state.path(of: record, order), reason: record.reason, decidedBy: record.decider,
            bytes: record.bytes, items: 1 + (state.excludedContent[record.directory]?.items ?? 0),
            isRegenerable: record.isRegenerable, status: state.status(of: record),
            attributes: state.attributeLists[Int(record.attributes)])
    }
}

extension PlanBuilder.State {
    func status(of record: PlanRecord) -> FileStatus {
        record.status(device: Int(record.device) < devices.count ? devices[Int(record.device)] : 0)
    }

    /// Returns the path of a record, relative to the container.
    func path(of record: PlanRecord, _ order: PlanOrder) -> [UInt8] {
        var length = Int(record.nameLength)
        var above = record.parent
        while above != PlanRecord.none {
            let directory = records[order.recordOfDirectory[Int(above)]]
            if directory.nameLength > 0 { length += Int(directory.nameLength) + 1 }
            above = directory.parent
        }
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            var end = length
            func prepend(_ name: ArraySlice<UInt8>) {
                end -= name.count
                _ = UnsafeMutableBufferPointer(rebasing: buffer[end..<(end + name.count)]).initialize(
                    fromContentsOf: name)
            }
            prepend(names.name(of: record))
            var above = record.parent
            while above != PlanRecord.none {
                let directory = records[order.recordOfDirectory[Int(above)]]
                if directory.nameLength > 0 {
                    end -= 1
                    buffer.initializeElement(at: end, to: UInt8(ascii: "/"))
                    prepend(names.name(of: directory))
                }
                above = directory.parent
            }
            count = length
        }
    }
}
