package import AppContainer
package import FileSystem

/// A file, directory, link or special file of a container during a visit.
///
/// It is only valid during the visit: its name is in memory that the tree owns.
package struct Item {
    /// The entry of the walk, which reads the content on demand.
    package let entry: WalkEntry
    /// The names of the extended attributes, without the prefix of the system.
    package let attributes: [String]
    /// The item's own exclusion marks that Apple's backups honor, in order of precedence.
    package let marks: [ExclusionMark]

    /// The name in its directory. Empty for the container itself.
    @inlinable package var name: UnsafeRawBufferPointer { entry.name }
    @inlinable package var status: FileStatus { entry.status }
    /// True if the input can store attributes.
    @inlinable package var carriesAttributes: Bool { entry.carriesAttributes }

    /// The maker that the library recorded in an attribute; nil for another value.
    package var maker: Provenance.Maker? {
        guard attributes.contains(Provenance.makerAttribute), let value = entry.attribute(Provenance.makerAttribute)
        else { return nil }
        return Provenance.Maker(rawValue: String(decoding: value, as: UTF8.self))
    }

    /// Creates an item from an entry and the attribute names that the walk listed.
    package init(_ entry: WalkEntry) {
        self.init(
            entry, attributes: entry.attributeList.isEmpty ? [] : ExtendedAttributes.names(in: entry.attributeList))
    }

    /// Creates an item from an entry whose attribute names were listed separately.
    package init(_ entry: WalkEntry, attributes: [String]) {
        self.entry = entry
        self.attributes = attributes
        var marks: [ExclusionMark] = []
        for attribute in attributes {
            if let mark = ExclusionMark(attribute: attribute), mark.isApple { marks.append(mark) }
        }
        self.marks = marks.count < 2 ? marks : ExclusionMark.allCases.filter(marks.contains)
    }
}
