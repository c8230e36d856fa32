internal import CFileSystem
internal import Foundation
package import SystemPackage

/// The spellings of a name that mean the same: in another case, on volumes that ignore it, and in another Unicode form.
package enum NameSpelling {
    /// Returns the form of a name that all spellings of it share. Compare forms as strings, whose equality ignores Unicode
    /// composition. Different names may have equal forms: `ß` and `SS`.
    package static func form(_ name: some StringProtocol) -> String { name.uppercased().lowercased() }

    /// Returns true if a volume that ignores case takes both names for the same.
    package static func isEqual(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
        form(left) == form(right)
    }

    /// Returns a typed path, and its composed and decomposed forms if they differ, to be looked up one after the other.
    package static func spellings(of path: [UInt8]) -> [[UInt8]] {
        guard path.contains(where: { $0 >= 0x80 }), let text = String(bytes: path, encoding: .utf8) else {
            return [path]
        }
        let forms = [text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping]
        return forms.reduce(into: [path]) { spellings, form in
            if !spellings.contains(Array(form.utf8)) { spellings.append(Array(form.utf8)) }
        }
    }

    /// Returns a name or path in composed Unicode form (NFC), which all canonically equal names share. A text from a
    /// keyboard is composed, a name that macOS wrote may be decomposed. Bytes that are not UTF-8 are returned as they are.
    package static func composed(_ name: [UInt8]) -> [UInt8] {
        guard name.contains(where: { $0 >= 0x80 }), let text = String(bytes: name, encoding: .utf8) else {
            return name
        }
        return Array(text.precomposedStringWithCanonicalMapping.utf8)
    }
}

extension Folder {
    /// Returns the path of an existing item, which may differ from a typed path in the Unicode form of its names. A name that
    /// exists as it is typed is taken. Links in the path are not followed.
    ///
    /// - Parameter path: The path relative to the folder.
    /// - Returns: The path of the item; `path` if it does not exist.
    package func existing(_ path: [UInt8]) -> [UInt8] {
        guard path.contains(where: { $0 >= 0x80 }), (try? status(FilePath(bytes: path))) == nil else {
            return path
        }
        let slash = UInt8(ascii: "/")
        var (folder, found): (Folder, [[UInt8]]) = (self, [])
        let names = path.split(separator: slash).map { Array($0) }
        for (index, name) in names.enumerated() {
            var own = name
            if (try? folder.status(FilePath(bytes: name))) == nil {
                let wanted = NameSpelling.composed(name)
                let equal = try? folder.names { NameSpelling.composed(Array($0)) == wanted }
                guard let first = equal?.map(\.bytes).min(by: { $0.lexicographicallyPrecedes($1) }) else { return path }
                own = first
            }
            found.append(own)
            guard index < names.count - 1 else { break }
            guard let next = try? folder.openFolder(noFollow: FilePath(bytes: own)) else { return path }
            folder = next
        }
        return Array(found.joined(separator: [slash]))
    }

    /// Returns true if names in the folder that differ only in case are different names.
    ///
    /// If the system does not provide that (FUSE and network file systems on Linux), the first existing entry of `known`
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
