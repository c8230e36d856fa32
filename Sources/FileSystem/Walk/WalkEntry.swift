internal import SystemPackage

/// An entry of a directory during a walk. Valid only during the visit.
///
/// Its content is read on demand, with the directory that is open during the visit. Nothing can be read of an entry
/// that was made from a name and a status.
package struct WalkEntry {
    /// The descriptor of the directory that contains the entry, for calls on this thread. Nil if the directory is no
    /// longer open.
    private let directory: Int32?
    /// The entries of the directory. The walk keeps them alive during the visit.
    private unowned(unsafe) let siblings: WalkEntries?
    /// The name in the directory. Empty for the directory itself. Terminated by a NUL that is not counted if the
    /// directory is open.
    package let name: UnsafeRawBufferPointer
    package private(set) var status: FileStatus
    /// The NUL-separated list of attribute names from the kernel. Empty for links and special files.
    package let attributeList: UnsafeRawBufferPointer
    /// True if the file system can store attributes.
    package let carriesAttributes: Bool
    /// Returns true for a sibling that does not exist for this entry, as in a model of the directory.
    private var hidesSibling: (([UInt8]) -> Bool)?

    init(
        directory: Int32, siblings: WalkEntries? = nil, name: UnsafeRawBufferPointer, status: FileStatus,
        attributeList: UnsafeRawBufferPointer, carriesAttributes: Bool
    ) {
        self.directory = directory
        self.siblings = siblings
        self.name = name
        self.status = status
        self.attributeList = attributeList
        self.carriesAttributes = carriesAttributes
    }

    /// Returns the entry without the siblings for which `isHidden` is true.
    package func hidingSiblings(where isHidden: @escaping ([UInt8]) -> Bool) -> WalkEntry {
        var entry = self
        entry.hidesSibling = isHidden
        return entry
    }

    /// True if the item is known to have an access control list.
    package var hasAccessList: Bool {
        !attributeList.isEmpty && ExtendedAttributes.containsAccessList(attributeList)
    }

    /// The entry as a restore will create it.
    package var restored: WalkEntry {
        var entry = self
        entry.status = status.restored
        return entry
    }

    /// Creates the entry of an open folder itself, whose attributes can be read.
    package init(of folder: Folder, status: FileStatus, carriesAttributes: Bool) {
        self.init(
            directory: folder.descriptor, name: UnsafeRawBufferPointer(start: nil, count: 0), status: status,
            attributeList: UnsafeRawBufferPointer(start: nil, count: 0), carriesAttributes: carriesAttributes)
    }

    /// Creates an entry of an open folder, whose content can be read. The name is followed by a NUL.
    init(of name: UnsafeRawBufferPointer, in folder: Folder, status: FileStatus, carriesAttributes: Bool) {
        self.init(
            directory: folder.descriptor, name: name, status: status,
            attributeList: UnsafeRawBufferPointer(start: nil, count: 0), carriesAttributes: carriesAttributes)
    }

    /// Creates an entry without content, after its directory was read.
    package init(name: UnsafeRawBufferPointer, status: FileStatus, carriesAttributes: Bool = true) {
        directory = nil
        siblings = nil
        self.name = name
        self.status = status
        attributeList = UnsafeRawBufferPointer(start: nil, count: 0)
        self.carriesAttributes = carriesAttributes
    }

    /// Returns the value of an attribute, or nil.
    package func attribute(_ attribute: String) -> [UInt8]? {
        guard let directory else { return nil }
        guard let name = cName else { return try? ExtendedAttributes.read(attribute, of: directory, path: "") }
        return try? ExtendedAttributes.read(attribute, in: directory, entry: name, path: "")
    }

    /// Returns at most `count` bytes of a file from `offset`, or nil if they cannot be read.
    package func bytes(_ count: Int, at offset: UInt64) -> [UInt8]? {
        guard let directory, let name = cName else { return nil }
        return try? OpenFile.bytes(count, at: offset, of: name, in: directory)
    }

    /// True for a file whose whole content is a hole, by the report of the file system. Opens the file, and reads nothing.
    package var isHole: Bool {
        guard status.isFile, let directory, let name = cName else { return false }
        return (try? OpenFile.isHole(name, in: directory)) ?? false
    }

    /// Returns the target of a symbolic link as it is stored, or nil.
    package func linkTarget() -> [UInt8]? {
        guard let directory, let name = cName else { return nil }
        return Folder.linkTarget(of: name, in: directory)
    }

    /// Returns the status of an entry in the same directory, or nil if it does not exist.
    package func status(ofSibling name: [UInt8]) -> FileStatus? {
        guard hidesSibling?(name) != true else { return nil }
        if let found = siblings?.find(name), found.index != nil || found.isKnown {
            return found.index.flatMap { siblings?[$0].status }
        }
        return withSibling(name) { try? FileStatus(of: $1, in: $0) }
    }

    /// Returns the start of a file in the same directory, or nil if it cannot be read.
    package func bytes(_ count: Int, at offset: UInt64, ofSibling name: [UInt8]) -> [UInt8]? {
        withSibling(name) { try? OpenFile.bytes(count, at: offset, of: $1, in: $0) }
    }

    /// Returns the names of the extended attributes of a sibling, or nil if they cannot be read.
    package func attributes(ofSibling name: [UInt8]) -> [String]? {
        guard hidesSibling?(name) != true else { return nil }
        if let found = siblings?.find(name), found.index != nil || found.isKnown {
            return found.index.flatMap { siblings?[$0].attributeList }.map(ExtendedAttributes.names)
        }
        return withSibling(name) { try? ExtendedAttributes.list(in: $0, entry: $1, path: "") }
    }

    /// Returns the start of a file in the directory that this entry is, or nil if it cannot be read. Follows no link.
    package func bytes(_ count: Int, ofChild child: String) -> [UInt8]? {
        guard let directory, status.kind == .directory else { return nil }
        return child.withCString { child in
            guard let name = cName else { return try? OpenFile.bytes(count, at: 0, of: child, in: directory) }
            return try? OpenFile.bytes(count, of: child, inDirectory: name, in: directory)
        }
    }

    /// The name for system calls; nil for the directory itself.
    private var cName: UnsafePointer<CChar>? {
        name.isEmpty ? nil : name.baseAddress?.assumingMemoryBound(to: CChar.self)
    }

    /// Calls a closure with the open directory and a name of a single component.
    private func withSibling<Result>(_ name: [UInt8], _ body: (Int32, UnsafePointer<CChar>) -> Result?) -> Result? {
        guard let directory, !name.isEmpty, !name.contains(0), !name.contains(UInt8(ascii: "/")),
            hidesSibling?(name) != true
        else { return nil }
        let text = name.map { CChar(bitPattern: $0) } + [0]
        return text.withUnsafeBufferPointer { $0.baseAddress.flatMap { body(directory, $0) } }
    }
}
