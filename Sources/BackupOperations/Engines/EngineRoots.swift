/// Where a tool is to begin that takes what it is named with all that lies in it: what is to be held, but not the
/// directories of which something is left out.
struct EngineRoots {
    private let items: any EngineItems
    /// Directories that something below is left out of.
    private let mixed: Set<[UInt8]>

    init(of items: any EngineItems) {
        self.items = items
        var mixed: Set<[UInt8]> = []
        items.eachLeftOut { path, isContentsOnly in
            var directory = isContentsOnly ? path : Self.parent(of: path)
            while mixed.insert(directory).inserted, !directory.isEmpty { directory = Self.parent(of: directory) }
        }
        self.mixed = mixed
    }

    /// Tells them in the order of the paths; `isAlone` of a directory of which nothing is held but itself. None, where
    /// nothing is held but the directory that all begins in.
    func each(_ body: (_ path: [UInt8], _ isAlone: Bool) -> Void) {
        // A mixed directory in which nothing has been met yet that is held.
        var open: [UInt8]?
        items.each { item in
            if let directory = open, !Self.lies(item.path, in: directory) { body(directory, true) }
            open = nil
            guard mixed.contains(Self.parent(of: item.path)) else { return }
            if mixed.contains(item.path) { open = item.path } else { body(item.path, false) }
        }
        if let open, !open.isEmpty { body(open, true) }
    }

    private static let slash = UInt8(ascii: "/")

    private static func parent(of path: [UInt8]) -> [UInt8] {
        Array(path[..<(path.lastIndex(of: slash) ?? 0)])
    }

    private static func lies(_ path: [UInt8], in directory: [UInt8]) -> Bool {
        directory.isEmpty || (path.starts(with: directory) && path[directory.count...].first == slash)
    }
}
