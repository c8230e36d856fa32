internal import CFileSystem
package import SystemPackage

/// The comparison of names on volumes that ignore case.
package enum NameSpelling {
    /// Returns the form of a name that all spellings of it share. Compare forms as strings, whose equality ignores Unicode
    /// composition. Different names may have equal forms: `ß` and `SS`.
    package static func form(_ name: some StringProtocol) -> String { name.uppercased().lowercased() }

    /// Returns true if a volume that ignores case takes both names for the same.
    package static func isEqual(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
        form(left) == form(right)
    }
}

extension Folder {
    /// Returns true if names in the folder that differ only in case are different names.
    ///
    /// Where the system does not provide that (FUSE and network file systems on Linux), the first existing entry of `known`
    /// is looked up in another spelling.
    package func distinguishesCase(known: [FilePath]) -> Bool {
        let result = calls.distinguishesCase(descriptor)
        if result >= 0 { return result != 0 }
        for name in known {
            let text = name.string
            let spelling = FilePath(text == text.uppercased() ? text.lowercased() : text.uppercased())
            guard spelling != name, (try? status(name)) != nil else { continue }
            guard (try? status(spelling)) != nil else { return true }
            // Some FUSE servers number the spellings of a name as different files, so only a listing tells.
            let bytes = Array(spelling.string.utf8)
            return (try? names { $0.elementsEqual(bytes) }) != []
        }
        return true
    }
}
