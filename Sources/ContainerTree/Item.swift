package import AppContainer
package import FileSystem

/// Where an item's content is read from, on demand; nothing of it is read otherwise.
package protocol ItemSource {
    /// An attribute's value, nil where there is none or it cannot be read.
    func attribute(_ name: String) -> [UInt8]?
    /// At most `count` bytes of a file's beginning, nil where it cannot be read.
    func firstBytes(_ count: Int) -> [UInt8]?
    /// Where a symbolic link points, as it is written there.
    func linkTarget() -> [UInt8]?
}

/// One file, directory, link or special file of a container, as a tree shows it.
///
/// It is valid only during the visit: its name lies in the tree's own memory.
package struct Item {
    /// The name in its directory; empty for the container itself.
    package let name: UnsafeRawBufferPointer
    package let status: FileStatus
    /// Names of the extended attributes, without a system's namespace.
    package let attributes: [String]
    /// Its own marks that Apple's backups heed, in the order in which they decide.
    package let marks: [ExclusionMark]
    /// Whether the input could carry attributes at all.
    package let carriesAttributes: Bool
    package let source: any ItemSource

    package init(
        name: UnsafeRawBufferPointer, status: FileStatus, attributes: [String], carriesAttributes: Bool,
        source: any ItemSource
    ) {
        self.name = name
        self.status = status
        self.attributes = attributes
        self.carriesAttributes = carriesAttributes
        self.source = source
        var marks: [ExclusionMark] = []
        for attribute in attributes {
            if let mark = ExclusionMark(attribute: attribute), mark.isApple { marks.append(mark) }
        }
        self.marks = marks.count < 2 ? marks : ExclusionMark.allCases.filter(marks.contains)
    }
}
