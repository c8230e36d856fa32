internal import FileSystem
internal import SystemPackage

/// The path of an entry beneath the folder: no `..`, and within the limits.
struct EntryPath: Hashable {
    /// The path of the parent directory, without a slash at its end. Empty for the folder itself.
    let parent: [UInt8]
    /// The name in the parent directory. Empty for the folder itself.
    let name: [UInt8]

    private static let slash = UInt8(ascii: "/")
    private static let mostNameBytes = 255

    init(parent: [UInt8], name: [UInt8]) { (self.parent, self.name) = (parent, name) }

    /// Checks the name of an entry. Removes empty components and `.`. An absolute name is read relative to the folder:
    /// programs that copy the disk of a device write such archives.
    init(_ bytes: [UInt8], limits: ExtractionLimits) throws(ExtractionIncident.Reason) {
        guard !bytes.isEmpty else { throw .noName }
        var joined: [UInt8] = []
        var depth = 0
        var start = 0
        for component in bytes.split(separator: Self.slash) where !component.elementsEqual(".".utf8) {
            guard !component.elementsEqual("..".utf8), !component.contains(0) else { throw .unsafePath }
            guard component.count <= Self.mostNameBytes else { throw .longName }
            depth += 1
            if depth > 1 { joined.append(Self.slash) }
            start = joined.count
            joined += component
        }
        guard depth <= limits.depth else { throw .deepPath }
        guard joined.count <= limits.pathLength else { throw .longName }
        parent = Array(joined[..<max(0, start - 1)])
        name = Array(joined[start...])
    }

    var isRoot: Bool { name.isEmpty }

    /// The bytes of the whole path.
    var bytes: [UInt8] { parent.isEmpty ? name : parent + [Self.slash] + name }

    /// The whole path.
    var filePath: FilePath { FilePath(bytes: bytes) }

    /// The components of the parent directory.
    var parentNames: [FilePath] { parent.split(separator: Self.slash).map { FilePath(bytes: $0) } }
}

extension ExtractionIncident.Reason: Error {}

extension EntryPath {
    /// The path of the file that an AppleDouble file at this path describes: `._x` beside `x`, or `__MACOSX/._x` for `x`;
    /// `._.` for the directory itself. Nil for other names.
    var appleDoubleBase: EntryPath? {
        guard name.count > 2, name.starts(with: "._".utf8) else { return nil }
        var names = parent.split(separator: Self.slash)
        if names.first?.elementsEqual(Self.sequester) == true { names.removeFirst() }
        let base = name.dropFirst(2)
        if !base.elementsEqual(".".utf8) {
            guard !base.elementsEqual("..".utf8) else { return nil }
            return EntryPath(parent: Array(names.joined(separator: [Self.slash])), name: Array(base))
        }
        guard let last = names.popLast() else { return EntryPath(parent: [], name: []) }
        return EntryPath(parent: Array(names.joined(separator: [Self.slash])), name: Array(last))
    }

    /// The directory for AppleDouble files in a zip of macOS.
    static let sequester = Array("__MACOSX".utf8)
}
