internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
package import SystemPackage
internal import TextOutput

/// The items in a file that ncdu exported (`ncdu -o`), of any computer and with any paths.
///
/// Every file is hostile: at most 5 million items and 1 GiB of names are read, and directories are nested at most about 250
/// levels deep.
package struct NcduListing {
    /// An item.
    private struct Node {
        let name: Range<Int>
        let parent: Int
        var end = 0
        var size = ItemSize.zero
        var isDirectory = false
        /// A remark behind the name.
        var remark: String?
        /// The device and the number of a file with several hard links.
        var link: Link?
        var device: UInt64 = 0
        var hasFailed = false
    }

    private struct Link: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private var nodes: [Node] = []
    private var names: [UInt8] = []
    private let file: String
    private static let mostItems = 5_000_000
    private static let mostNames = 1 << 30

    /// The paths that ncdu could not read.
    package private(set) var unread: [[UInt8]] = []

    /// Reads a file.
    ///
    /// - Parameter path: The path of the file on this computer.
    /// - Throws: `failed` for a file that cannot be read, `wrongContent` for one that is not an export.
    package init(reading path: FilePath) throws(ExplorerError) {
        file = ByteText.escaped(path.bytes)
        let opened: OpenFile
        do throws(FileSystemError) { opened = try OpenFile(opening: path) } catch {
            throw ExplorerError(
                .failed, description: "“\(file)” cannot be read: \(error.errno.description). Check the path.")
        }
        var offset: UInt64 = 0
        var stream = JSONStream { buffer in
            let count = try? opened.read(into: buffer, from: offset)
            offset += UInt64(count ?? 0)
            return count
        }
        do throws(JSONStream.Failure) { try read(&stream) } catch {
            let reason =
                switch error {
                case .ended: "it ends before its last item does"
                case .malformed(let at): "it is not JSON at byte \(at)"
                case .tooDeep: "its directories are nested too deeply"
                case .unreadable: "it cannot be read to its end"
                }
            throw refusal(reason)
        }
        guard !nodes.isEmpty else { throw refusal(problem ?? "it has no items") }
        if let problem { throw refusal(problem) }
        for number in nodes.indices where nodes[number].hasFailed { unread.append(self.path(of: number)) }
    }

    private func refusal(_ reason: String) -> ExplorerError {
        ExplorerError(
            .wrongContent,
            description: "“\(file)” is not an export of ncdu: \(reason). `ncdu -o FILE DIRECTORY` and "
                + "`sandboxfm du CONTAINER --ncdu` write one.")
    }

    // MARK: - Reading

    /// A property of the file that excludes it.
    private var problem: String?

    private mutating func read(_ stream: inout JSONStream) throws(JSONStream.Failure) {
        guard try stream.kind() == .array else {
            problem = "it does not begin with a list"
            return
        }
        var position = 0
        try stream.elements { stream throws(JSONStream.Failure) in
            defer { position += 1 }
            guard problem == nil else { return try stream.skip() }
            switch position {
            case 0:
                if try stream.integer() != 1 { problem = "its version is not 1" }
            case 3:
                if try stream.kind() != .array { problem = "its fourth element is not a directory" }
                try readItem(&stream, parent: nil)
            default: try stream.skip()
            }
        }
        if position < 4, problem == nil { problem = "it has fewer than four elements" }
    }

    /// Reads an item: an object, or for a directory a list of its object and its items.
    private mutating func readItem(_ stream: inout JSONStream, parent: Int?) throws(JSONStream.Failure) {
        guard problem == nil else { return try stream.skip() }
        guard nodes.count < Self.mostItems, names.count < Self.mostNames else {
            problem = "it has more than \(Quantity.grouped(Self.mostItems)) items or 1 GiB of names"
            return try stream.skip()
        }
        switch try stream.kind() {
        case .object: try readObject(&stream, parent: parent, isDirectory: false)
        case .array:
            var directory: Int?
            try stream.elements { stream throws(JSONStream.Failure) in
                guard let number = directory else {
                    directory = nodes.count
                    if try stream.kind() != .object { problem = problem ?? "a directory has no properties" }
                    return try readObject(&stream, parent: parent, isDirectory: true)
                }
                try readItem(&stream, parent: number)
            }
            if let directory, nodes.indices.contains(directory) {
                nodes[directory].end = nodes.count
            } else {
                problem = problem ?? "a directory has no properties"
            }
        default:
            problem = "an item is neither an object nor a list"
            try stream.skip()
        }
    }

    private mutating func readObject(
        _ stream: inout JSONStream, parent: Int?, isDirectory: Bool
    ) throws(JSONStream.Failure) {
        let start = names.count
        var (hasName, hasLinks, isSpecial): (Bool, Bool, Bool) = (false, false, false)
        var inode: UInt64 = 0
        var node = Node(name: start..<start, parent: parent ?? -1)
        (node.isDirectory, node.device) = (isDirectory, parent.map { nodes[$0].device } ?? 0)
        var text: [UInt8] = []
        try stream.members { stream, key throws(JSONStream.Failure) in
            switch key {
            case "name":
                text = try stream.text(limit: parent == nil ? 65_536 : 4_096).bytes
                hasName = true
            case "asize": node.size.logical = UInt64(max(0, try stream.integer() ?? 0))
            case "dsize": node.size.allocated = UInt64(max(0, try stream.integer() ?? 0))
            case "dev": node.device = try Self.number(&stream)
            case "ino": inode = try Self.number(&stream)
            case "hlnkc": hasLinks = try Self.isTrue(&stream)
            case "notreg": isSpecial = try Self.isTrue(&stream)
            case "read_error": node.hasFailed = try Self.isTrue(&stream)
            case "excluded":
                let reason = String(decoding: try stream.text(limit: 32).bytes, as: UTF8.self)
                node.remark = "excluded: \(reason.isEmpty ? "yes" : reason)"
            default: try stream.skip()
            }
        }
        guard hasName, !text.isEmpty else {
            problem = problem ?? "an item has no name"
            return
        }
        names += text
        node = Node(
            name: start..<names.count, parent: node.parent, end: nodes.count + 1, size: node.size,
            isDirectory: node.isDirectory, remark: node.remark, device: node.device, hasFailed: node.hasFailed)
        if hasLinks { node.link = Link(device: node.device, inode: inode) }
        if node.hasFailed {
            node.remark = "not read"
        } else if isSpecial, node.remark == nil {
            node.remark = "not a file"
        }
        nodes.append(node)
    }

    private static func isTrue(_ stream: inout JSONStream) throws(JSONStream.Failure) -> Bool {
        try stream.literal()?.elementsEqual("true".utf8) ?? false
    }

    private static func number(_ stream: inout JSONStream) throws(JSONStream.Failure) -> UInt64 {
        UInt64(String(decoding: try stream.literal() ?? [], as: UTF8.self)) ?? 0
    }

    // MARK: - Items

    /// Returns the path of an item below the directory of the export, or the path of that directory for itself.
    private func path(of number: Int) -> [UInt8] {
        var components: [ArraySlice<UInt8>] = []
        var current = number
        while current > 0 {
            components.append(names[nodes[current].name])
            current = nodes[current].parent
        }
        return components.isEmpty
            ? Array(names[nodes[0].name]) : Array(components.reversed().joined(separator: [UInt8(ascii: "/")]))
    }

    private func children(of number: Int) -> [Int] {
        var children: [Int] = []
        var child = number + 1
        while child < nodes[number].end {
            children.append(child)
            child = nodes[child].end
        }
        return children
    }

    /// Returns the number of the item with a path, or nil.
    private func number(at path: [UInt8]) -> Int? {
        var number = 0
        for component in path.split(separator: UInt8(ascii: "/")) {
            guard let child = children(of: number).first(where: { names[nodes[$0].name].elementsEqual(component) })
            else {
                return nil
            }
            number = child
        }
        return number
    }

    /// Returns the sizes of the items of a directory, or of the item with this path, the largest first.
    ///
    /// - Parameter argument: The path below the directory of the export. Empty for that directory.
    /// - Returns: The sizes.
    /// - Throws: `usage` for a path that leads out of the export, `notFound`.
    package func usage(at argument: String) throws(ExplorerError) -> Usage {
        let path = try PathArgument(argument).bytes
        guard let number = number(at: path) ?? number(at: ByteText.unescaped(argument)) else {
            throw ExplorerError(
                .notFound,
                description:
                    "“\(file)” has no item “\(ByteText.escaped(path))”. `sandboxfm ncdu FILE` lists them."
            )
        }
        let items = nodes[number].isDirectory ? children(of: number) : [number]
        return Usage(
            items: items.map { group($0, name: shownName(of: $0)) }, total: group(number, name: "total"))
    }

    /// Returns the sum of an item and everything below it. A file with several hard links counts once.
    private func group(_ number: Int, name: String) -> Usage.Group {
        var group = Usage.Group(name: name)
        var links: Set<Link> = []
        for node in nodes[number..<nodes[number].end] {
            group.items += 1
            guard node.link.map({ links.insert($0).inserted }) ?? true else { continue }
            group.size += node.size
        }
        return group
    }

    private func shownName(of number: Int) -> String {
        let node = nodes[number]
        return ByteText.escaped(number == 0 ? path(of: 0) : Array(names[node.name])) + (node.isDirectory ? "/" : "")
            + (node.remark.map { "  (\(ByteText.printable($0)))" } ?? "")
    }
}
