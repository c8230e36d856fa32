internal import PropertyLists

extension BackupEntry {
    /// Returns the record of the entry in the manifest: a keyed archive of one `MBFile` whose texts and data are
    /// separate objects.
    ///
    /// Keys and types are those of a backup of iOS 14.3 (mvt-project/mvt, tests/artifacts/ios_backup/Manifest.db). A
    /// device adds a `Digest`, the SHA-1 of the payload, only for system files, and verifies it during a restore
    /// (MBErrorDomain/205; libimobiledevice#410). Here every file has one, because nothing else reveals a changed
    /// payload of the same size. Other tools also write it for files of apps; not tested with a device.
    func record(size: UInt64, digest: [UInt8]?) throws(PropertyListError) -> [UInt8] {
        var objects: [PropertyList] = [.string("$null"), .string("the file's fields, below")]
        func reference(to object: PropertyList) -> PropertyList {
            objects.append(object)
            return .uid(UInt64(objects.count - 1))
        }
        var fields: [(key: String, value: PropertyList)] = [
            ("Birth", .integer(facts.birth)), ("Flags", .integer(0)), ("GroupID", .integer(facts.group)),
            ("InodeNumber", .unsigned(facts.inode)), ("LastModified", .integer(facts.modified)),
            ("LastStatusChange", .integer(facts.changed)), ("Mode", .integer(Int64(mode))),
            ("ProtectionClass", .integer(facts.protectionClass)), ("RelativePath", reference(to: .string(path.text))),
            ("Size", .unsigned(size)), ("UserID", .integer(facts.user)),
        ]
        if case .symbolicLink(let target) = kind { fields.append(("Target", reference(to: .string(target)))) }
        if let digest { fields.append(("Digest", reference(to: .data(digest)))) }
        if !attributes.isEmpty {
            let values = attributes.map { (key: $0.name, value: PropertyList.data($0.value)) }
            fields.append(("ExtendedAttributes", reference(to: .data(try PropertyList.dictionary(values).binary()))))
        }
        fields.append(
            (
                "$class",
                reference(
                    to: .dictionary([
                        ("$classname", .string("MBFile")),
                        ("$classes", .array([.string("MBFile"), .string("NSObject")])),
                    ]))
            ))
        // Some readers use the second object as the file, whatever `$top` contains (mvt 2026.10.26).
        objects[1] = .dictionary(fields)
        return try PropertyList.dictionary([
            ("$version", .integer(100_000)), ("$archiver", .string("NSKeyedArchiver")),
            ("$top", .dictionary([("root", .uid(1))])), ("$objects", .array(objects)),
        ]).binary()
    }

    /// The kind and the permissions in one number, as in stat(2).
    private var mode: UInt16 { RecordMode.bits(of: kind) | facts.permissions }
}
