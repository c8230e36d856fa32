package import AppContainer
package import FileSystem

/// Where an item's content is read from, on demand; nothing of it is read otherwise.
package protocol ItemSource {
    /// An attribute's value, nil where there is none or it cannot be read.
    func attribute(_ name: String) -> [UInt8]?
    /// At most `count` bytes of a file from `offset`, nil where it cannot be read.
    func bytes(_ count: Int, at offset: UInt64) -> [UInt8]?
    /// Where a symbolic link points, as it is written there.
    func linkTarget() -> [UInt8]?
    /// What the kernel says of an entry beside this one, nil where there is none.
    func status(ofSibling name: [UInt8]) -> FileStatus?
    /// The content of a file beside this one, from its beginning; nil where there is none or it cannot be read.
    func bytes(_ count: Int, at offset: UInt64, ofSibling name: [UInt8]) -> [UInt8]?
    /// The names of a sibling's extended attributes; nil where there is none or they cannot be read.
    func attributes(ofSibling name: [UInt8]) -> [String]?
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
