internal import FileSystem
internal import SystemPackage

/// A checksum of a tree, which changes with any item except those of a plan.
///
/// Of a file that is not to be touched, its inode, its dates, that of its last change among them, its size, mode and
/// owner tell that nothing of it has changed; a directory in which names come or go has its attributes read instead.
struct TreeSum: Equatable {
    private var sum = 0
    private var items = 0

    init(_ folder: Folder, except steps: [FixStep]) throws(FileSystemError) {
        var touched: Set<[UInt8]> = []
        var holders: Set<[UInt8]> = []
        var moved: Set<[UInt8]> = []
        for step in steps {
            for path in step.paths {
                touched.insert(path)
                guard step.changesNames else { continue }
                holders.insert(ItemPath.parent(path))
                moved.insert(path)
            }
        }
        if !touched.contains([]) { add([], try folder.status(""), isHolder: true, try folder.open(".")) }
        try folder.visit("") { entry throws(FileSystemError) in
            let path = entry.path.bytes
            // A directory of which an attribute is changed keeps what is in it.
            guard !touched.contains(path) else { return !moved.contains(path) }
            let isHolder = holders.contains(path)
            add(path, entry.status, isHolder: isHolder, isHolder ? try entry.open() : nil)
            return true
        }
    }

    private mutating func add(
        _ path: [UInt8], _ status: FileStatus, isHolder: Bool, _ file: OpenFile?
    ) {
        var hasher = Hasher()
        hasher.combine(path)
        hasher.combine(status.kind)
        hasher.combine(status.identity.inode)
        hasher.combine(status.permissions)
        hasher.combine(status.owner.user)
        hasher.combine(status.owner.group)
        hasher.combine(status.modified)
        if status.kind != .directory { hasher.combine(status.size) }
        if !isHolder { hasher.combine(status.changed) }
        if let file {
            for name in ((try? file.attributes()) ?? []).sorted() {
                hasher.combine(name)
                hasher.combine((try? file.attribute(name)) ?? [])
            }
        }
        // A sum, since the order in which directories come says nothing.
        sum &+= hasher.finalize()
        items += 1
    }
}
