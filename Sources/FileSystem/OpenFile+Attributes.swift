internal import CFileSystem
internal import SystemPackage

extension OpenFile {
    /// Returns the names of the user's extended attributes. Throws if the file system stores none.
    package func attributes() throws(FileSystemError) -> [String] {
        let names = try ExtendedAttributes.list(of: descriptor, path: path, calls: calls)
        // For a file system without attributes, Linux returns an empty list; only a read fails (fs/xattr.c).
        if names.isEmpty { _ = try attribute("appcontainer.none") }
        return names
    }

    /// Returns the value of an attribute, which may be empty, or nil if there is no such attribute.
    package func attribute(_ name: String) throws(FileSystemError) -> [UInt8]? {
        try ExtendedAttributes.read(name, of: descriptor, path: path, calls: calls)
    }

    /// Returns the attributes, sorted by the bytes of their names, with their values. A value is nil if the attribute has
    /// disappeared or its name is not valid UTF-8, and on request if it cannot be read.
    package func attributeValues(
        skippingUnreadable: Bool = false
    ) throws(FileSystemError) -> [(name: String, value: [UInt8]?)] {
        var values: [(String, [UInt8]?)] = []
        for name in try attributes().sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            // Several names that are not valid UTF-8 may have equal representations.
            let isFirst = values.last.map { !$0.0.utf8.elementsEqual(name.utf8) } ?? true
            guard isFirst else {
                values.append((name, nil))
                continue
            }
            do throws(FileSystemError) { values.append((name, try attribute(name))) } catch {
                // A limit of this process does not mean that the value is unreadable.
                guard skippingUnreadable, error.errno != .noMemory else { throw error }
                values.append((name, nil))
            }
        }
        return values
    }

    /// Sets an attribute.
    package func setAttribute(_ name: String, value: [UInt8]) throws(FileSystemError) {
        try ExtendedAttributes.write(name, value: value, to: descriptor, path: path, calls: calls)
    }

    /// Removes an attribute. Returns false if there was no such attribute.
    @discardableResult
    package func removeAttribute(_ name: String) throws(FileSystemError) -> Bool {
        try ExtendedAttributes.remove(name, of: descriptor, path: path, calls: calls)
    }

    /// Sets the permission bits.
    package func setPermissions(_ permissions: UInt16) throws(FileSystemError) {
        try succeed(calls.setPermissions(descriptor, permissions), operation: "set the mode of", path)
    }

    /// The data-protection class of the system, from 1 (A). Nil if the system has none.
    package var protectionClass: Int32? {
        let found = cfs_protection_class(descriptor)
        return found > 0 ? found : nil
    }

    /// Sets the data-protection class. Does nothing if the system has none.
    package func setProtectionClass(_ value: Int32) throws(FileSystemError) {
        let result = cfs_set_protection_class(descriptor, value)
        if [-Errno.notSupported.rawValue, -Errno.notSupportedOnSocket.rawValue].contains(result) { return }
        try succeed(result, operation: "set the data-protection class of", path)
    }

    /// Sets the access and modification time.
    package func setTimes(accessed: Timestamp, modified: Timestamp) throws(FileSystemError) {
        try succeed(calls.setTimes(descriptor, accessed.time, modified.time), operation: "set the times of", path)
    }

    /// Sets the owner, if the process has the permission, the mode and the modification time from a stored status.
    ///
    /// - Returns: The mode that was set. It grants no rights that the stored mode did not grant.
    @discardableResult
    package func apply(_ stored: FileStatus) throws(FileSystemError) -> UInt16 {
        let permissions = try applyOwnerAndMode(of: stored).permissions
        try setTimes(accessed: stored.modified, modified: stored.modified)
        return permissions
    }

    /// Sets the owner, if the process has the permission, and the mode from a stored status.
    ///
    /// - Parameters:
    ///   - stored: The status with the owner and the mode.
    ///   - now: The current status, if it is known.
    /// - Returns: The mode that was set, and false if the owner could not be set.
    /// - Throws: The error of a system call.
    package func applyOwnerAndMode(
        of stored: FileStatus, from now: FileStatus? = nil
    ) throws(FileSystemError) -> (permissions: UInt16, isOwnerSet: Bool) {
        let now = if let now { now } else { try status() }
        let applied = try applyOwner(of: stored, now)
        // Without these bits, a change of the owner leaves the mode as it is.
        if applied.permissions == now.permissions & 0o7777, applied.permissions & 0o6000 == 0 { return applied }
        try succeed(calls.setPermissions(descriptor, applied.permissions), operation: "set the mode of", path)
        return applied
    }

    /// Copies the attributes, owner, access list and mode of `model` to this file or directory, and its times if `times`
    /// is true.
    ///
    /// Attributes are copied first, while the file is writable, and the mode last: the kernel checks the mode, not the
    /// descriptor. A file that is read-only, such as a clone of one, is made writable by its owner until then. If the process cannot set the owner,
    /// the owner is skipped, and the mode then grants no rights that the model did not grant.
    func copyMetadata(
        of model: OpenFile, times: Bool, adding changes: [AttributeChange] = []
    ) throws(FileSystemError) {
        let now = try self.status()
        if now.permissions & 0o200 == 0 { try setPermissions(now.permissions & 0o777 | 0o200) }
        let hasAccessList = try copyAttributes(of: model)
        try apply(changes)
        if let protection = model.protectionClass { try setProtectionClass(protection) }
        let status = try model.status()
        let permissions = try applyOwner(of: status, now).permissions
        if status.isNoDump { try succeed(calls.setNoDump(descriptor), operation: "carry the nodump flag to", path) }
        // A new file inherits access lists from its directory, which may grant more than those of the model; the model
        // may have one kind of list only.
        try succeed(calls.removeAccessList(descriptor), operation: "carry the access list to", path)
        if hasAccessList {
            try succeed(calls.copyAccessList(model.descriptor, descriptor), operation: "carry the access list to", path)
        }
        try succeed(calls.setPermissions(descriptor, permissions), operation: "carry the mode to", path)
        guard times else { return }
        try succeed(
            calls.setTimes(descriptor, status.raw.accessed, status.raw.modified), operation: "carry the times to", path)
    }

    /// Sets the owner and group of `model`, if the process has the permission, and returns the matching mode.
    private func applyOwner(
        of model: FileStatus, _ now: FileStatus
    ) throws(FileSystemError) -> (permissions: UInt16, isOwnerSet: Bool) {
        guard (model.raw.user, model.raw.group) != (now.raw.user, now.raw.group) else {
            return (model.permissions, true)
        }
        let result = calls.setOwner(descriptor, model.raw.user, model.raw.group)
        // A user namespace may have no ID for an owner: EINVAL.
        guard result == -Errno.notPermitted.rawValue || result == -Errno.invalidArgument.rawValue else {
            try succeed(result, operation: "carry the owner to", path)
            return (model.permissions, true)
        }
        var permissions = model.permissions
        if model.raw.user != now.raw.user { permissions &= ~0o4000 }  // it would grant this user's rights
        // A process may set one of its own groups without the owner.
        let isGroupKept =
            model.raw.group == now.raw.group || calls.setOwner(descriptor, .max, model.raw.group) >= 0
        if !isGroupKept {
            // Members of the new file's group were others to the old file.
            permissions = permissions & ~0o2070 | permissions & (permissions & 0o007) << 3
        }
        return (permissions, false)
    }

    /// Copies every attribute of `model`. Returns true if the model has access lists, which are not copied.
    @discardableResult
    package func copyAttributes(of model: OpenFile) throws(FileSystemError) -> Bool {
        var hasAccessList = false
        try succeed(
            calls.copyAttributes(model.descriptor, descriptor, &hasAccessList), operation: "carry attributes to", path)
        return hasAccessList
    }
}
