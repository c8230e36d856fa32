package import AppContainer
package import FileSystem

/// The source of an item's content, which is read on demand.
package protocol ItemSource {
    /// Returns the value of an attribute, or nil.
    func attribute(_ name: String) -> [UInt8]?
    /// Returns at most `count` bytes of a file from `offset`, or nil if they cannot be read.
    func bytes(_ count: Int, at offset: UInt64) -> [UInt8]?
    /// Returns the target of a symbolic link as it is stored, or nil.
    func linkTarget() -> [UInt8]?
    /// Returns the status of an entry in the same directory, or nil if it does not exist.
    func status(ofSibling name: [UInt8]) -> FileStatus?
    /// Returns the start of a file in the same directory, or nil if it cannot be read.
    func bytes(_ count: Int, at offset: UInt64, ofSibling name: [UInt8]) -> [UInt8]?
    /// Returns the names of the extended attributes of a sibling, or nil if they cannot be read.
    func attributes(ofSibling name: [UInt8]) -> [String]?
}

/// A file, directory, link or special file of a container during a visit.
///
/// It is only valid during the visit: its name is in memory that the tree owns.
package struct Item {
    /// The name in its directory. Empty for the container itself.
    package let name: UnsafeRawBufferPointer
    package let status: FileStatus
    /// The names of the extended attributes, without the prefix of the system.
    package let attributes: [String]
    /// The item's own exclusion marks that Apple's backups honor, in order of precedence.
    package let marks: [ExclusionMark]
    /// True if the input can store attributes.
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
