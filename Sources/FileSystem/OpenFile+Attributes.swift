internal import CFileSystem
internal import SystemPackage

extension OpenFile {
    /// The names of a person's extended attributes of the file; an error where its file system carries none.
    package func attributes() throws(FileSystemError) -> [String] {
        let names = try ExtendedAttributes.list(of: descriptor, path: path, calls: calls)
        // Linux lists no attributes, and no error, where there can be none; only a read tells (fs/xattr.c).
        if names.isEmpty { _ = try attribute("appcontainer.none") }
        return names
    }

    /// One attribute's value, which may be empty; nil where there is none of that name.
    package func attribute(_ name: String) throws(FileSystemError) -> [UInt8]? {
        try ExtendedAttributes.read(name, of: descriptor, path: path, calls: calls)
    }

    /// Each of `attributes` by the bytes of its name, with its value: nil for one that has gone meanwhile, and for one
    /// whose name is no text.
    package func attributeValues() throws(FileSystemError) -> [(name: String, value: [UInt8]?)] {
        var values: [(String, [UInt8]?)] = []
        for name in try attributes().sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            // Several that are no text may be shown as the same one.
            let isFirst = values.last.map { !$0.0.utf8.elementsEqual(name.utf8) } ?? true
            values.append((name, isFirst ? try attribute(name) : nil))
        }
        return values
    }

    /// Sets one attribute, new or there already.
    package func setAttribute(_ name: String, _ value: [UInt8]) throws(FileSystemError) {
        try ExtendedAttributes.write(name, value, to: descriptor, path: path, calls: calls)
    }

    /// Takes one attribute away; false where there was none of that name.
    @discardableResult
    package func removeAttribute(_ name: String) throws(FileSystemError) -> Bool {
        try ExtendedAttributes.remove(name, of: descriptor, path: path, calls: calls)
    }

    /// Sets when the file or directory was last read and changed.
    package func setTimes(accessed: Timestamp, modified: Timestamp) throws(FileSystemError) {
        try succeed(calls.setTimes(descriptor, accessed.time, modified.time), "set the times of", path)
    }

    /// Gives this file, or directory, what was kept of another: its owner as far as this process may, its mode, and when
    /// it was changed.
    ///
    /// - Returns: The mode that it was given, which lends out no rights that the one kept did not give.
    @discardableResult
    package func take(_ kept: FileStatus) throws(FileSystemError) -> UInt16 {
        let permissions = try takeOwnerAndMode(of: kept)
        try setTimes(accessed: kept.modified, modified: kept.modified)
        return permissions
    }

    /// The same without the times.
    package func takeOwnerAndMode(of kept: FileStatus) throws(FileSystemError) -> UInt16 {
        let permissions = try takeOwner(of: kept)
        try succeed(calls.setPermissions(descriptor, permissions), "set the mode of", path)
        return permissions
    }

    /// Gives this file, or directory, what `model` has: attributes, owner, access list, mode and, where
    /// `times` says so, when it was read and changed.
    ///
    /// Attributes come first, while the file may be written, and the mode last. What only root may give away
    /// (the owner) is passed over where this process is not root; the mode then lends out no rights that the model
    /// did not give.
    func takeMetadata(
        of model: OpenFile, times: Bool, adding changes: [AttributeChange] = []
    ) throws(FileSystemError) {
        let hasAccessList = try takeAttributes(of: model)
        try apply(changes)
        let status = try model.status()
        let permissions = try takeOwner(of: status)
        if status.isNoDump { try succeed(calls.setNoDump(descriptor), "carry the nodump flag to", path) }
        // A new file or directory gets lists from the one it is made in, which may let in whom the model keeps out;
        // the model's own may be of one kind only.
        try succeed(calls.removeAccessList(descriptor), "carry the access list to", path)
        if hasAccessList {
            try succeed(calls.copyAccessList(model.descriptor, descriptor), "carry the access list to", path)
        }
        try succeed(calls.setPermissions(descriptor, permissions), "carry the mode to", path)
        guard times else { return }
        try succeed(calls.setTimes(descriptor, status.raw.accessed, status.raw.modified), "carry the times to", path)
    }

    /// Gives this file the owner and group that `model` has, as far as this process may, and gives the mode that is
    /// right then.
    private func takeOwner(of model: FileStatus) throws(FileSystemError) -> UInt16 {
        let now = try status()
        guard (model.raw.user, model.raw.group) != (now.raw.user, now.raw.group) else { return model.permissions }
        let result = calls.setOwner(descriptor, model.raw.user, model.raw.group)
        // A user namespace has no number for some owners: EINVAL.
        guard result == -Errno.notPermitted.rawValue || result == -Errno.invalidArgument.rawValue else {
            try succeed(result, "carry the owner to", path)
            return model.permissions
        }
        var permissions = model.permissions
        if model.raw.user != now.raw.user { permissions &= ~0o4000 }  // it would lend out this user's rights
        // A group of this process's own may be given without the owner.
        let isGroupKept =
            model.raw.group == now.raw.group || calls.setOwner(descriptor, .max, model.raw.group) >= 0
        if !isGroupKept {
            // To the old file, whoever is in the new one's group was one of the others.
            permissions = permissions & ~0o2070 | permissions & (permissions & 0o007) << 3
        }
        return permissions
    }

    /// Takes over every attribute of `model`; true where access lists are left to be carried.
    @discardableResult
    package func takeAttributes(of model: OpenFile) throws(FileSystemError) -> Bool {
        var hasAccessList = false
        try succeed(calls.copyAttributes(model.descriptor, descriptor, &hasAccessList), "carry attributes to", path)
        return hasAccessList
    }
}
