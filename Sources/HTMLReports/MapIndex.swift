internal import ContainerTree
internal import TextOutput

/// The listed items of a map with their numbers, in the order in which the page lists them.
struct MapIndex {
    private let map: StorageMap
    private var numbers: [[UInt8]: Int] = [:]

    init(_ map: StorageMap) {
        self.map = map
        var next = 0
        func add(_ node: StorageMap.Node, at path: [UInt8]) {
            numbers[path] = next
            next += 1
            for child in node.children { add(child, at: path.isEmpty ? child.name : path + [0x2f] + child.name) }
            next += StorageClass.allCases.count { node.rest[$0].items > 0 }
        }
        add(map.root, at: [])
    }

    /// Returns the number of an item, or of the nearest listed directory above it.
    func number(of path: [UInt8]) -> Int {
        var path = path
        while !path.isEmpty {
            if let number = numbers[path] { return number }
            path.removeLast(path.count - (path.lastIndex(of: 0x2f) ?? 0))
        }
        return 0
    }

    /// Writes the items, each an array: name, kind, class, bytes, number of items, and the content of a directory.
    ///
    /// Kinds: 0 file, 1 directory, 2 directory that stands for its content, 3 items of a directory that are not listed.
    func write(_ json: inout JSONWriter) { Self.write(map.root, into: &json) }

    private static func write(_ node: StorageMap.Node, into json: inout JSONWriter) {
        json.array { json in
            json.element(ByteText.escaped(node.name))
            let kind =
                switch node.kind {
                case .item: 0
                case .directory: 1
                case .wholeDirectory: 2
                }
            write(
                [UInt64(kind), UInt64(node.storage.rawValue), node.bytes, UInt64(node.sums.total.items)], into: &json)
            guard node.kind == .directory else { return }
            json.array { json in
                for child in node.children { write(child, into: &json) }
                for storage in StorageClass.allCases where node.rest[storage].items > 0 {
                    let sum = node.rest[storage]
                    json.array { json in
                        json.element("")
                        write([3, UInt64(storage.rawValue), sum.bytes, UInt64(sum.items)], into: &json)
                    }
                }
            }
        }
    }

    private static func write(_ numbers: [UInt64], into json: inout JSONWriter) {
        for number in numbers { json.element(json: String(number)) }
    }
}
