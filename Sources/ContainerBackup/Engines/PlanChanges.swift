internal import FileSystem

/// What has become of a container between two plans of it.
struct PlanChanges {
    /// Files that are kept by both and not as they were; what was read of one may be of no moment.
    private(set) var changed: [[UInt8]] = []
    /// Directories that are kept by both and not as they were: names came and went in them.
    private(set) var directories: Set<[UInt8]> = []
    /// Whether something is kept by one of them alone.
    private(set) var hasOthers = false

    /// Compares them, but for the paths that are of no matter.
    init(from before: Plan, to after: Plan, without isOfNoMatter: ([UInt8]) -> Bool) {
        var (old, new) = (before.startIndex, after.startIndex)
        while old < before.endIndex || new < after.endIndex {
            let (left, right) = (
                old < before.endIndex ? before[old] : nil, new < after.endIndex ? after[new] : nil
            )
            let isLeft = right.map { right in left.map { !PathOrder.precedes(right.path, $0.path) } ?? false } ?? true
            let isRight = left.map { left in right.map { !PathOrder.precedes(left.path, $0.path) } ?? false } ?? true
            if isLeft { old += 1 }
            if isRight { new += 1 }
            compare(isLeft ? left : nil, isRight ? right : nil, isOfNoMatter)
        }
    }

    private mutating func compare(_ before: PlanEntry?, _ after: PlanEntry?, _ isOfNoMatter: ([UInt8]) -> Bool) {
        let (before, after) = (before?.kept, after?.kept)
        guard let path = (before ?? after)?.path, !isOfNoMatter(path) else { return }
        guard let before, let after, before.kind == after.kind else { return hasOthers = true }
        let (old, new) = (before.status, after.status)
        let isSame =
            old.size == new.size && old.modified == new.modified && old.changed == new.changed
            && old.identity == new.identity
        guard !isSame else { return }
        if before.kind == .directory { directories.insert(path) } else { changed.append(path) }
    }
}

extension PlanEntry {
    fileprivate var kept: PlanEntry? { decision == .include ? self : nil }
}
