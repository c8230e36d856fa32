internal import CFileSystem
internal import SystemPackage

extension OpenFile {
    /// The names of a person's extended attributes of the file.
    package func attributes() throws(FileSystemError) -> [String] {
        try ExtendedAttributes.list(of: descriptor, path: path, calls: calls)
    }

    /// One attribute's value, which may be empty; nil where there is none of that name.
    package func attribute(_ name: String) throws(FileSystemError) -> [UInt8]? {
        try ExtendedAttributes.read(name, of: descriptor, path: path, calls: calls)
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

    /// Gives this file, or directory, what `model` has: attributes, owner, access list, mode and, where
    /// `times` says so, when it was read and changed.
    ///
    /// Attributes come first, while the file may be written, and the mode last. What only root may give away
    /// (the owner) is passed over where this process is not root.
    func takeMetadata(
        of model: OpenFile, times: Bool, adding changes: [AttributeChange] = []
    ) throws(FileSystemError) {
        let hasAccessList = try takeAttributes(of: model)
        try apply(changes)
        let (status, now) = (try model.status(), try self.status())
        if (status.raw.user, status.raw.group) != (now.raw.user, now.raw.group) {
            let result = calls.setOwner(descriptor, status.raw.user, status.raw.group)
            if result != -Errno.notPermitted.rawValue { try succeed(result, "carry the owner to", path) }
        }
        if status.isNoDump { try succeed(calls.setNoDump(descriptor), "carry the nodump flag to", path) }
        // A new file gets a list from its directory, which may let in whom the model keeps out.
        let listed =
            hasAccessList ? calls.copyAccessList(model.descriptor, descriptor) : calls.removeAccessList(descriptor)
        try succeed(listed, "carry the access list to", path)
        try succeed(calls.setPermissions(descriptor, status.permissions), "carry the mode to", path)
        guard times else { return }
        try succeed(calls.setTimes(descriptor, status.raw.accessed, status.raw.modified), "carry the times to", path)
    }

    /// Takes over every attribute of `model`; true where access lists are left to be carried.
    @discardableResult
    func takeAttributes(of model: OpenFile) throws(FileSystemError) -> Bool {
        var hasAccessList = false
        try succeed(calls.copyAttributes(model.descriptor, descriptor, &hasAccessList), "carry attributes to", path)
        return hasAccessList
    }
}
