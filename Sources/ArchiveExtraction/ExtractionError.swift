internal import FileSystem
package import SystemPackage

/// A failed extraction. The folder contains the entries before the failure.
package struct ExtractionError: Error, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    package enum Code: Sendable {
        /// The file is not an archive of a known format.
        case notAnArchive
        /// The file has a known format that is not read, or is an empty zip.
        case unsupported
        /// The archive is encrypted.
        case encrypted
        /// The archive is truncated or damaged.
        case damaged
        /// The archive exceeds a limit.
        case limitExceeded
        /// The archive cannot be read, or the folder cannot be written.
        case failed
        /// The caller cancelled the extraction.
        case cancelled
    }

    package let code: Code
    /// The description, without the path of the archive.
    package let reason: String

    init(_ code: Code, reason: String) { (self.code, self.reason) = (code, reason) }

    init(_ error: FileSystemError) { self.init(.failed, reason: "\(error)") }

    package var description: String { [reason, hint].compactMap { $0 }.joined(separator: ". ") }

    private var hint: String? {
        switch code {
        case .notAnArchive, .unsupported:
            "Supported are zip, and tar without compression or with gzip, zstd, xz or bzip2"
        case .encrypted: "Extract it with its password, and pass the directory"
        case .damaged: "Copy or create the archive again"
        case .limitExceeded: "If you trust the archive, extract it yourself, and pass the directory"
        case .failed, .cancelled: nil
        }
    }
}

/// An entry or attribute of an archive that was not extracted as it is.
package struct ExtractionIncident: Sendable, Hashable, CustomStringConvertible {
    /// The reason of an incident.
    package enum Reason: Sendable, Hashable {
        /// The path is absolute or contains `..`.
        case unsafePath
        /// The entry has no name, or its name cannot be read.
        case noName
        /// A name has more than 255 bytes, or the path is too long.
        case longName
        /// The path has too many components.
        case deepPath
        /// A directory of the path is a link or a file in the archive.
        case throughLink
        /// An entry with this name, or on some file systems one that differs only in case, was extracted before.
        case duplicate
        /// The entry is a device, a pipe or a socket.
        case unsupportedKind
        /// The target of a hard link was not extracted.
        case noLinkTarget
        /// The target of a symbolic link is empty, too long or cannot be read.
        case badLinkTarget
        /// The content is damaged. The file was removed.
        case damagedContent(String)
        /// The header is damaged. The rest of the entry was extracted.
        case damagedHeader(String)
        /// An attribute exceeds a limit, or its name is not valid UTF-8.
        case badAttribute(String)
        /// The file system stores attributes, but not this one.
        case attributeNotStored(String)
        /// An AppleDouble file is damaged. It remains a file.
        case damagedAppleDouble(String)
        /// The file has a resource fork.
        case resourceFork
        /// The file system cannot store the entry.
        case notStored(String)
    }

    /// The path in the archive; its start if it is long.
    package let path: FilePath
    package let reason: Reason

    init(_ path: some Sequence<UInt8>, reason: Reason) {
        self.path = FilePath(bytes: path.prefix(1024))
        self.reason = reason
    }

    package var description: String { "“\(path.string.printable)”: \(reasonText)" }

    private var reasonText: String {
        switch reason {
        case .unsafePath: "not extracted, because its path leads out of the archive"
        case .noName: "not extracted, because its name cannot be read"
        case .longName: "not extracted, because its name is too long"
        case .deepPath: "not extracted, because it is too deep"
        case .throughLink: "not extracted, because a directory of its path is a link or a file"
        case .duplicate: "not extracted, because an entry with this name was extracted before"
        case .unsupportedKind: "not extracted, because it is a device, a pipe or a socket"
        case .noLinkTarget: "not extracted, because the target of the hard link was not extracted"
        case .badLinkTarget: "not extracted, because the target of the link is not a valid path"
        case .damagedContent(let text): "not extracted, because its content is damaged (\(text.printable))"
        case .damagedHeader(let text): "extracted, but its header is damaged (\(text.printable))"
        case .badAttribute(let name): "extracted without the attribute “\(name.printable)”, which exceeds a limit"
        case .attributeNotStored(let name):
            "extracted without the attribute “\(name.printable)”, which the file system cannot store"
        case .damagedAppleDouble(let text): "its attributes were not read, because \(text)"
        case .resourceFork: "extracted without the resource fork"
        case .notStored(let text): "not extracted: \(text)"
        }
    }
}
