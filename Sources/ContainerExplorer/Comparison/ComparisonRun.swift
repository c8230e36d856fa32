internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import SystemPackage

/// The run of a comparison of two containers.
struct ComparisonRun {
    private typealias Pair = (left: Int?, right: Int?)

    /// Two directories with the same path, of which a part of the items is compared.
    private struct Level {
        let pairs: [Pair]
        var next = 0
    }

    private let options: ContainerComparison.Options
    private var budget: ComparisonBudget

    init(_ options: ContainerComparison.Options) { (self.options, budget) = (options, options.budget) }

    // MARK: - Paths

    /// Compares the items of both containers. Returns false if it was cancelled.
    mutating func compare(_ comparison: inout ContainerComparison) -> Bool {
        let root = ContainerIndex.root
        if options.comparesOnlyBackedUp {
            ignore(&comparison.statuses.left, of: comparison.left)
            ignore(&comparison.statuses.right, of: comparison.right)
        }
        guard join(root, root, in: &comparison) else { return true }
        // Containers can be deeper than the stack of a thread.
        var levels = [Level(pairs: pairs(of: root, root, in: comparison))]
        while var level = levels.popLast() {
            guard !options.isCancelled() else { return false }
            guard level.next < level.pairs.count else { continue }
            let pair = level.pairs[level.next]
            level.next += 1
            levels.append(level)
            guard let left = pair.left, let right = pair.right else {
                comparison.differences.append(.init(left: pair.left, right: pair.right, change: []))
                continue
            }
            if join(left, right, in: &comparison) {
                levels.append(Level(pairs: pairs(of: left, right, in: comparison)))
            }
        }
        spread(&comparison)
        return !options.isCancelled()
    }

    /// Compares two items with the same path. Returns true for two directories whose items are compared.
    private mutating func join(_ left: Int, _ right: Int, in comparison: inout ContainerComparison) -> Bool {
        comparison.partners.left[left] = UInt32(right)
        comparison.partners.right[right] = UInt32(left)
        let change = change(left, right, in: &comparison)
        let status: ContainerComparison.Status = change.isEmpty ? .same : .changed
        (comparison.statuses.left[left], comparison.statuses.right[right]) = (status, status)
        let isDirectory = comparison.left.kind(of: left) == .directory
        if !change.isEmpty {
            comparison.differences.append(.init(left: left, right: right, change: change))
            if change.contains(.unknown), isDirectory {
                // It is unknown whether they are in the other container.
                for item in comparison.left.subtree(of: left) { comparison.statuses.left[item] = .changed }
                for item in comparison.right.subtree(of: right) { comparison.statuses.right[item] = .changed }
            }
            return false
        }
        if !isDirectory { comparison.add(.init(left: left, right: right, change: []), to: &comparison.same) }
        return isDirectory
    }

    /// Returns the items of two directories, joined by their names, in the order of names.
    private func pairs(of left: Int, _ right: Int, in comparison: ContainerComparison) -> [Pair] {
        let (first, second) = (items(of: left, in: comparison.left), items(of: right, in: comparison.right))
        var pairs: [Pair] = []
        var (i, j) = (0, 0)
        while i < first.count, j < second.count {
            let (name, other) = (comparison.left.name(of: first[i]), comparison.right.name(of: second[j]))
            if name == other {
                pairs.append((first[i], second[j]))
                (i, j) = (i + 1, j + 1)
            } else if name.lexicographicallyPrecedes(other) {
                pairs.append((first[i], nil))
                i += 1
            } else {
                pairs.append((nil, second[j]))
                j += 1
            }
        }
        pairs += first[i...].map { ($0, nil) } + second[j...].map { (nil, $0) }
        joinEqualNames(&pairs, in: comparison)
        return pairs
    }

    private func items(of directory: Int, in index: ContainerIndex) -> [Int] {
        let items = index.children(of: directory)
        return options.comparesOnlyBackedUp ? items.filter { index.decision(for: $0).isStored } : items
    }

    /// Joins names that differ in their bytes and are canonically equal: macOS and programs may store another Unicode form.
    private func joinEqualNames(_ pairs: inout [Pair], in comparison: ContainerComparison) {
        var positions: [[UInt8]: Int] = [:]
        for (position, pair) in pairs.enumerated() {
            guard pair.right == nil, let left = pair.left, case let name = comparison.left.name(of: left),
                name.contains(where: { $0 >= 0x80 })
            else { continue }
            positions[NameSpelling.composed(Array(name))] = position
        }
        guard !positions.isEmpty else { return }
        var joined: Set<Int> = []
        for (position, pair) in pairs.enumerated() {
            guard pair.left == nil, let right = pair.right, case let name = comparison.right.name(of: right),
                name.contains(where: { $0 >= 0x80 }),
                let found = positions.removeValue(forKey: NameSpelling.composed(Array(name)))
            else { continue }
            pairs[found].right = right
            joined.insert(position)
        }
        guard !joined.isEmpty else { return }
        pairs = pairs.enumerated().filter { !joined.contains($0.offset) }.map(\.element)
    }

    /// Gives directories that contain a difference their status.
    private func spread(_ comparison: inout ContainerComparison) {
        func spread(_ statuses: inout [ContainerComparison.Status], of index: ContainerIndex) {
            // The items of a directory have higher numbers.
            for item in stride(from: index.count - 1, to: 0, by: -1) where statuses[item] != .same {
                guard let parent = index.parent(of: item), statuses[parent] == .same else { continue }
                statuses[parent] = .changed
            }
        }
        spread(&comparison.statuses.left, of: comparison.left)
        spread(&comparison.statuses.right, of: comparison.right)
        for left in 0..<comparison.left.count {
            guard let right = comparison.partner(ofLeft: left) else { continue }
            if comparison.statuses.left[left] == .changed || comparison.statuses.right[right] == .changed {
                comparison.statuses.left[left] = .changed
                comparison.statuses.right[right] = .changed
            } else if left != ContainerIndex.root, comparison.left.kind(of: left) == .directory {
                comparison.same.items += 1
            }
        }
    }

    /// Gives the items that a backup excludes, which are not compared, the status `same`.
    private func ignore(_ statuses: inout [ContainerComparison.Status], of index: ContainerIndex) {
        for item in 1..<max(1, index.count) where statuses[item] != .same && !index.decision(for: item).isStored {
            for ignored in index.subtree(of: item) { statuses[ignored] = .same }
        }
    }

    // MARK: - Items

    /// Returns the properties in which two items with the same path differ, without the items of directories.
    private mutating func change(
        _ left: Int, _ right: Int, in comparison: inout ContainerComparison
    ) -> ContainerComparison.Change {
        let (first, second) = (comparison.left, comparison.right)
        let kind = first.kind(of: left)
        guard kind == second.kind(of: right) else { return .kind }
        switch kind {
        case .directory:
            for (item, index) in [(left, first), (right, second)] where index.availability(of: item) == .unreadable {
                comparison.uncompared.append(.init(path: index.path(of: item), reason: "the directory cannot be read"))
                return .unknown
            }
            return []
        case .symbolicLink: return first.linkTarget(of: left) == second.linkTarget(of: right) ? [] : .target
        case .file:
            let size = first[left].own.logical
            guard size == second[right].own.logical else { return .size }
            let isUntouched = first.status(of: left).modified == second.status(of: right).modified
            guard size > 0, options.comparesAllContent || !isUntouched else { return [] }
            switch content(left, right, in: comparison) {
            case .success(let isEqual): return isEqual ? [] : .content
            case .failure(let problem):
                comparison.uncompared.append(.init(path: first.path(of: left), reason: problem.reason))
                return .unknown
            }
        default: return []
        }
    }

    /// The reason for which two files could not be compared.
    private struct Problem: Error { let reason: String }

    /// Compares the content of two files whose size was the same.
    private mutating func content(
        _ left: Int, _ right: Int, in comparison: ContainerComparison
    ) -> Result<Bool, Problem> {
        let (first, second) = (comparison.left, comparison.right)
        for (item, index) in [(left, first), (right, second)] where index.availability(of: item) == .evicted {
            return .failure(Problem(reason: "its content is not on this disk"))
        }
        guard !budget.isSpent else { return .failure(Problem(reason: "too many bytes to read")) }
        do throws(FileSystemError) {
            let file = try first.container.folder.open(FilePath(bytes: first.path(of: left)), followingLinks: false)
            let other = try second.container.folder.open(FilePath(bytes: second.path(of: right)), followingLinks: false)
            let (status, otherStatus) = (try file.status(), try other.status())
            guard status.isFile, otherStatus.isFile else {
                return .failure(Problem(reason: "it was replaced meanwhile"))
            }
            if status.identity == otherStatus.identity { return .success(true) }
            guard status.size == otherStatus.size else { return .success(false) }
            let isEqual = try ContentComparison.isEqual(
                file, other, size: status.size, within: &budget, isCancelled: options.isCancelled)
            return isEqual.map { .success($0) } ?? .failure(Problem(reason: "too many bytes to read"))
        } catch {
            return .failure(Problem(reason: "\(error.operation): \(error.errno)"))
        }
    }

    // MARK: - Moves

    /// A size and, in the first pass, a modification date.
    private struct Traits: Hashable {
        let size: UInt64
        let modified: Timestamp?
    }

    /// Finds the files that only one container has at their path, and the other one at another path with the same content.
    /// Files are candidates if no other such file has their size and date, or their size. Returns false if it was cancelled.
    mutating func findMoves(_ comparison: inout ContainerComparison) -> Bool {
        for usesDates in [true, false] {
            let left = candidates(in: comparison.left, comparison.statuses.left, comparison.moves, usesDates)
            guard !left.isEmpty else { return true }
            let right = candidates(in: comparison.right, comparison.statuses.right, comparison.origins, usesDates)
            for (traits, source) in left.sorted(by: { $0.value ?? -1 < $1.value ?? -1 }) {
                guard !options.isCancelled() else { return false }
                guard let source, let found = right[traits], let target = found,
                    case .success(true) = content(source, target, in: comparison)
                else { continue }
                comparison.moves[source] = target
                comparison.origins[target] = source
            }
        }
        return !options.isCancelled()
    }

    /// Returns the files that only one container has, by their traits; nil for traits that several have.
    private func candidates(
        in index: ContainerIndex, _ statuses: [ContainerComparison.Status], _ known: [Int: Int], _ usesDates: Bool
    ) -> [Traits: Int?] {
        var files: [Traits: Int?] = [:]
        for item in 0..<index.count where statuses[item] == .onlyHere && index.kind(of: item) == .file {
            guard known[item] == nil else { continue }
            let status = index.status(of: item)
            guard status.size > 0 else { continue }
            let traits = Traits(size: status.size, modified: usesDates ? status.modified : nil)
            files.updateValue(files[traits] == nil ? item : nil, forKey: traits)
        }
        return files
    }
}
