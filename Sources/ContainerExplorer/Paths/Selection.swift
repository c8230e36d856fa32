package import AppContainer
package import ContainerTree
internal import FileSystem
internal import SystemPackage
internal import TextOutput

/// The items that an argument stands for.
package enum Selection: Sendable, Hashable {
    /// The item with exactly this path.
    case item(Int)
    /// The items that match a pattern, in the order of their paths.
    case matches([Int])

    /// The numbers of the items.
    package var numbers: [Int] {
        switch self {
        case .item(let number): [number]
        case .matches(let numbers): numbers
        }
    }
}

extension PathPattern {
    /// Creates the pattern of an argument.
    init(argument bytes: [UInt8]) throws(ExplorerError) {
        do { try self.init(bytes) } catch { throw ExplorerError(.usage, description: "\(error). Use a shorter one.") }
    }
}

extension ContainerIndex {
    /// Returns the items for an argument: the item with exactly this path; else the items that match it as a pattern;
    /// else the item that it names with percent-escaped bytes, as names are printed.
    ///
    /// - Throws: `usage` for a path that leads out of the container, `notFound`.
    package func select(_ argument: String) throws(ExplorerError) -> Selection {
        let bytes = try PathArgument(argument).bytes
        if let number = number(at: bytes) { return .item(number) }
        let pattern = try PathPattern(argument: bytes)
        if pattern.isPattern {
            let numbers = matches(of: pattern)
            if !numbers.isEmpty { return .matches(numbers) }
        } else if let number = number(at: pattern.literal) {
            return .item(number)
        }
        let unescaped = ByteText.unescaped(argument)
        if unescaped != bytes, let number = number(at: try PathArgument(unescaped).bytes) { return .item(number) }
        throw PathArgument.notFound(argument, isPattern: pattern.isPattern)
    }

    /// Returns the items for several arguments, in the order of their paths, each once.
    ///
    /// - Throws: `usage` for a path that leads out of the container, `notFound`.
    package func select(_ arguments: [String]) throws(ExplorerError) -> [Int] {
        var numbers: Set<Int> = []
        for argument in arguments { numbers.formUnion(try select(argument).numbers) }
        return numbers.sorted()
    }

    private func matches(of pattern: PathPattern) -> [Int] {
        var found: [Int] = []
        // The path of the directory at each depth, and the number after its last item.
        var open: [(path: [UInt8], end: Int)] = []
        for number in 1..<max(1, count) {
            while let last = open.last, number >= last.end { open.removeLast() }
            var path = open.last?.path ?? []
            if !path.isEmpty { path.append(UInt8(ascii: "/")) }
            path += name(of: number)
            if pattern.matches(path) { found.append(number) }
            let end = subtree(of: number).upperBound
            if end > number + 1 { open.append((path, end)) }
        }
        return found
    }
}

/// A path of an argument, relative to the container.
package struct PathArgument: Sendable, Hashable {
    /// The components, separated by single slashes. Empty for the container itself.
    package let bytes: [UInt8]

    /// Creates a path. `.` and repeated slashes are ignored.
    ///
    /// - Throws: `usage` for an absolute path and for one with `..`.
    package init(_ argument: String) throws(ExplorerError) { try self.init(Array(argument.utf8)) }

    init(_ argument: [UInt8]) throws(ExplorerError) {
        let shown = ByteText.escaped(argument)
        guard argument.first != UInt8(ascii: "/") else {
            throw ExplorerError(.usage, description: "“\(shown)” is absolute. Use a path relative to the container.")
        }
        guard !argument.contains(0) else {
            throw ExplorerError(.usage, description: "“\(shown)” contains a NUL character. Remove it.")
        }
        let components = argument.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        guard !components.contains(where: { $0.elementsEqual("..".utf8) }) else {
            throw ExplorerError(
                .usage,
                description:
                    "“\(shown)” contains “..” and could lead out of the container. Use the path of the item itself."
            )
        }
        bytes = Array(components.joined(separator: [UInt8(ascii: "/")]))
    }

    /// Returns the path of the argument in a container. `{bundle-id}` stands for the app's identifier.
    package func containerPath(in container: Container) -> ContainerPath {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("{bundle-id}") else { return ContainerPath(components: FilePath(bytes: bytes)) }
        return ContainerPath(text)
    }

    /// The path as it is shown. `.` for the container itself.
    package var shown: String { bytes.isEmpty ? "." : ByteText.escaped(bytes) }

    /// The error of an argument without an item.
    static func notFound(_ argument: String, isPattern: Bool) -> ExplorerError {
        let shown = ByteText.escaped(Array(argument.utf8))
        return ExplorerError(
            .notFound,
            description: isPattern
                ? "no item of the container matches the pattern “\(shown)”. `sandboxfm tree` shows the items."
                : "the container has no item “\(shown)”. Check the path; `sandboxfm tree` shows the items.")
    }
}

extension ContainerIndex {
    /// Returns true if an item, without its content, is backed up or may be, and its provenance does not state that it
    /// can be downloaded or derived again. False for a directory.
    func mayBeUserData(_ number: Int) -> Bool {
        let item = self[number]
        guard item.kind != .directory, decision(for: number).isStored else { return false }
        return item.maker != .downloaded && item.maker != .derived
    }
}
