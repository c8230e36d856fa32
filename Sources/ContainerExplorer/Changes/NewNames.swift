internal import FileSystem
internal import SystemPackage
internal import TextOutput

/// Items and their new paths, of which no two are the same and none is that of an item that stays.
struct NewNames {
    typealias Renamed = (path: [UInt8], target: [UInt8])

    private let all: [Renamed]

    /// - Throws: `usage`, and the errors of the file system.
    init(_ paths: [[UInt8]], by pattern: RenamePattern, in folder: Folder) throws {
        var all: [Renamed] = []
        var sources: [[UInt8]: [UInt8]] = [:]
        for (index, path) in paths.enumerated() {
            let parent = ContainerEditor.parent(path)
            let name = Array(path[(parent.isEmpty ? 0 : parent.count + 1)...])
            let isDirectory = try folder.status(FilePath(bytes: path)).kind == .directory
            let new = try ContainerEditor.checkedName(
                pattern.name(for: name, number: index + 1, isDirectory: isDirectory))
            let target = ContainerEditor.joined(parent, new)
            guard target != path else { continue }
            if let other = sources.updateValue(path, forKey: target) {
                throw Self.taken(
                    target, "both “\(ByteText.escaped(other))” and “\(ByteText.escaped(path))” would have it")
            }
            all.append((path, target))
        }
        guard !all.isEmpty else {
            throw ExplorerError(
                .usage,
                description: "no name would change. Nothing on disk has changed. OLD/NEW replaces OLD as it is written."
            )
        }
        let moved = Set(all.map(\.path))
        for (path, target) in all where !moved.contains(target) {
            // A file system without the difference of two names finds the item itself.
            guard let found = try folder.statusIfPresent(FilePath(bytes: target)),
                try found.identity != folder.status(FilePath(bytes: path)).identity
            else { continue }
            throw Self.taken(target, "another item has it")
        }
        self.all = all
    }

    private static func taken(_ target: [UInt8], _ reason: String) -> ExplorerError {
        ExplorerError(
            .usage,
            description:
                "the new name “\(ByteText.escaped(target))” is not free: \(reason). Nothing on disk has changed. Use # in the "
                + "new name to number the items, or name other items.")
    }

    /// Returns the items in an order in which each new path is free: an item that has it goes first, and so does what is in a
    /// directory before the directory.
    ///
    /// - Throws: `usage` if items would exchange their names.
    func ordered() throws(ExplorerError) -> [Renamed] {
        let bySource = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.path, $0) })
        var isPlaced = [Bool](repeating: false, count: all.count)
        var order: [Renamed] = []
        for start in all.indices where !isPlaced[start] {
            var chain = [start]
            while let last = chain.last, let next = bySource[all[last].target], !isPlaced[next] {
                guard next != start else {
                    throw Self.taken(all[last].target, "the items would exchange their names")
                }
                chain.append(next)
            }
            for index in chain.reversed() {
                isPlaced[index] = true
                order.append(all[index])
            }
        }
        let depths = order.map { $0.path.count { $0 == UInt8(ascii: "/") } }
        return order.indices.sorted { (-depths[$0], $0) < (-depths[$1], $1) }.map { order[$0] }
    }
}
