internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
internal import TextOutput

extension DirectoryContext {
    /// The container's own directory.
    convenience init(root item: Item, _ directory: Directory, state: RunState) {
        self.init(
            item, directory: directory, registry: state.run.positions.root, size: DirectorySize(), caches: nil,
            logs: nil,
            isSystem: false, carried: [], state: state)
    }

    /// Returns the context of a subdirectory.
    func entering(_ item: Item, directory: Directory, state: RunState) -> DirectoryContext {
        let name = String(decoding: item.name, as: UTF8.self).lowercased()
        func named(_ names: Set<String>, above: String?) -> String? {
            names.contains(name) ? ByteText.escaped(Array(item.name)) : (directory.isLocation ? nil : above)
        }
        return DirectoryContext(
            item, directory: directory, registry: registry.entering(item.name, positions: state.run.positions),
            size: DirectorySize(in: size),
            caches: named(Self.cacheNames, above: cacheDirectory),
            logs: named(Self.logNames, above: logDirectory),
            isSystem: isSystem || state.run.model?.vocabulary.isSystem(name, in: directory) ?? false, carried: carried,
            state: state)
    }

    private convenience init(
        _ item: Item, directory: Directory, registry: RegistryPosition, size: DirectorySize, caches: String?,
        logs: String?, isSystem: Bool, carried above: [CarriedSuppression], state: RunState
    ) {
        var traits = RuleScope.LocationName.of(directory.location).trait
        if directory.isBackedUp { traits.formUnion(.backedUp) }
        if state.run.kind == .group { traits.formUnion(.group) }
        if caches != nil { traits.formUnion(.insideCache) }
        if logs != nil { traits.formUnion(.insideLogs) }
        if directory.isLocation { traits.formUnion(.direct) }
        for allocation in state.policy.allocator.locations where allocation.locations.contains(directory.location) {
            traits.formUnion(allocation.trait)
        }
        traits.formUnion(state.policy.declared)
        self.init(
            traits: traits, registry: registry, caches: caches, logs: logs, status: item.status, size: size,
            selector: state.policy.selector(for: traits),
            isWeighed: state.run.model != nil && !isSystem && directory.isWeighed, isSystem: isSystem,
            carried: above + state.suppressions.read(item, at: directory.path))
    }

    /// Returns the context for evaluating the directory itself as an item of its parent.
    func asItem(of above: DirectoryContext, state: RunState) -> DirectoryContext {
        // Questions about the directory that an item lies in are asked of the one above.
        let position = state.policy.allocator.byDirectory.union([.direct])
        let traits = traits.subtracting(position).union(above.traits.intersection(position))
        return DirectoryContext(self, in: above, traits: traits, selector: state.policy.selector(for: traits))
    }
}

extension Directory {
    /// True if apps keep backed-up data of their own in the directory.
    fileprivate var isWeighed: Bool {
        isBackedUp && exclusion.state != .excluded
            && [.documents, .applicationSupport, .library, .root].contains(location)
    }
}

extension Vocabulary {
    /// Returns true if a directory of Library, or of a group's root, is the system's.
    fileprivate func isSystem(_ name: String, in directory: Directory) -> Bool {
        (system.contains(name) || name.hasPrefix("com.apple."))
            && directory.depth <= (directory.location == .root ? 1 : 2)
    }
}
