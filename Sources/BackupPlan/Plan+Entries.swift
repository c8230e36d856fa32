package import FileSystem

/// One item of a plan.
package struct PlanEntry: Sendable {
    /// Bytes relative to the container, `/`-separated; empty for the container itself.
    package let path: [UInt8]
    package let reason: PlanReason
    package let decidedBy: PlanDecider
    /// The size of a file; of a directory that is left out, of all that it holds; 0 for all else.
    package let bytes: UInt64
    /// What the kernel said: kind, permissions, names, owner, size, disk, inode, and when it was modified and changed.
    package let status: FileStatus
    /// Names of the extended attributes, without a system's namespace.
    package let attributes: [String]

    package var kind: FileKind { status.kind }
    package var decision: PlanDecision { reason.decision }
}

extension Plan: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { order.records.count }

    package subscript(index: Int) -> PlanEntry { entry(numbered: order.records[index]) }

    /// The item of a path; nil where the plan has none, as for all that lies in what is left out.
    package func entry(at path: [UInt8]) -> PlanEntry? {
        number(of: path).map(entry(numbered:))
    }

    /// The item of a path, or the directory above it that is left out with it; nil where the plan knows of none.
    package func entry(covering path: [UInt8]) -> PlanEntry? {
        guard let found = order.deepest(on: path, in: state) else { return nil }
        return found.isWhole || state.records[found.record].reason.decision == .exclude
            ? entry(numbered: found.record) : nil
    }

    /// The paths of the pipes, sockets and devices in directories that are kept.
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

    /// The numbers of the items, which need not follow each other, in the order of the paths.
    package var numbers: [UInt32] { order.records }

    /// How many items lie directly in what stands at a place; 0 for what is no directory, or one that is left out.
    package func childCount(at index: Int) -> Int {
        let directory = state.records[order.records[index]].directory
        return directory == PlanRecord.none ? 0 : order.children(of: directory).count
    }

    /// The number of a path's item; nil where the plan has none.
    package func number(of path: [UInt8]) -> UInt32? {
        guard let found = order.deepest(on: path, in: state), found.isWhole else { return nil }
        return found.record
    }

    package func entry(numbered number: UInt32) -> PlanEntry {
        let record = state.records[number]
        let device = Int(record.device) < state.devices.count ? state.devices[Int(record.device)] : 0
        return PlanEntry(
            path: state.path(of: record, order), reason: record.reason, decidedBy: record.decider,
            bytes: record.bytes, status: record.status(device: device),
            attributes: state.attributeLists[Int(record.attributes)])
    }
}

extension PlanBuilder.State {
    /// The path of a record, from the container down.
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
