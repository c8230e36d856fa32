internal import CArchive
package import FileSystem
internal import SystemPackage

/// The entries of an archive, read by libarchive.
///
/// Only tar and zip are enabled, with filters that the library decompresses itself. libarchive limits its own memory: an
/// extended header of tar to 1 MiB, a window of zstd to 128 MiB, a dictionary of xz to 1 GiB.
package final class ArchiveStream {
    /// The header of an entry.
    package struct Entry {
        /// The kind of an entry.
        package enum Kind: Sendable { case file, directory, symbolicLink, hardLink, other }

        package let kind: Kind
        /// The bytes of the path. Nil if it cannot be read.
        package let path: [UInt8]?
        /// The target of a link.
        package let target: [UInt8]?
        package let permissions: UInt16
        package let modified: Timestamp?
        /// The size of the content with its holes. Nil if it is not known.
        package let size: UInt64?
        package let attributes: EntryAttributes
        /// The warning of libarchive about the header.
        package let warning: String?
    }

    private let archive: OpaquePointer
    private let file: OpenFile?
    private let memory: UnsafeMutableRawBufferPointer
    private let locale: carchive_locale
    private var hasEntry = false

    /// Opens an archive. The stream must be used by one thread.
    package convenience init(_ file: OpenFile) throws(ExtractionError) {
        try self.init(file, copying: [])
        try open(archive_read_open_fd(archive, file.descriptor, 1 << 18))
    }

    /// Opens an archive in memory.
    package convenience init(bytes: [UInt8]) throws(ExtractionError) {
        try self.init(nil, copying: bytes)
        try open(archive_read_open_memory(archive, memory.baseAddress, memory.count))
    }

    private init(_ file: OpenFile?, copying bytes: [UInt8]) throws(ExtractionError) {
        guard let archive = archive_read_new() else {
            throw ExtractionError(.failed, reason: "there is no memory for the archive reader")
        }
        (self.archive, self.file) = (archive, file)
        memory = .allocate(byteCount: bytes.count, alignment: 1)
        memory.copyBytes(from: bytes)
        locale = carchive_begin_bytes()
        archive_read_support_format_tar(archive)
        // The other reader of zip ignores the central directory and would read a truncated archive.
        archive_read_support_format_zip_seekable(archive)
        // On macOS, libarchive would merge AppleDouble files in its own way.
        for format in ["tar", "zip"] { archive_read_set_format_option(archive, format, "mac-ext", nil) }
        // One filter, by the first bytes. If libarchive chose the filters itself, it would unpack a gzip file that unpacks to
        // itself until the memory is full. Without the library, it would run a program.
        let start = file.flatMap { try? $0.read(upTo: 6) } ?? Array(bytes.prefix(6))
        switch Self.form(of: start)?.name {
        case "gzip" where archive_zlib_version() != nil: archive_read_append_filter(archive, ARCHIVE_FILTER_GZIP)
        case "zstd" where archive_libzstd_version() != nil: archive_read_append_filter(archive, ARCHIVE_FILTER_ZSTD)
        case "xz" where archive_liblzma_version() != nil: archive_read_append_filter(archive, ARCHIVE_FILTER_XZ)
        case "bzip2" where archive_bzlib_version() != nil: archive_read_append_filter(archive, ARCHIVE_FILTER_BZIP2)
        default: break
        }
    }

    deinit {
        archive_read_free(archive)
        memory.deallocate()
        carchive_end_bytes(locale)
    }

    private func open(_ result: Int32) throws(ExtractionError) {
        guard result == ARCHIVE_OK else { throw failure(ARCHIVE_FATAL) }
    }

    /// The format of the archive, known after the first entry.
    package var format: ExtractedArchive.Format { archive_format(archive) & 0xff0000 == 0x50000 ? .zip : .tar }

    /// The text of the last error.
    private var text: String {
        archive_error_string(archive).map { String(cString: $0) } ?? "libarchive states no reason"
    }

    /// The error for a result of libarchive.
    private func failure(_ result: Int32) -> ExtractionError {
        hasEntry ? ExtractionError(.damaged, reason: "the archive is damaged: \(text)") : unreadable
    }

    /// The forms of files that are read, by their first bytes.
    private static let forms: [(magic: [UInt8], name: String)] = [
        ([0x50, 0x4b, 3, 4], "zip"), ([0x1f, 0x8b], "gzip"), ([0x28, 0xb5, 0x2f, 0xfd], "zstd"),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "xz"), ([0x42, 0x5a, 0x68], "bzip2"),
    ]

    /// The forms of files that are recognized and not read.
    private static let otherForms: [(magic: [UInt8], name: String)] = [
        ([0x50, 0x4b, 5, 6], "an empty zip"), ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], "a 7z archive"),
        (Array("Rar!".utf8), "a RAR archive"), (Array("xar!".utf8), "a xar archive"),
        (Array("AA01".utf8), "an Apple archive"), (Array("YAA1".utf8), "an Apple archive"),
        (Array("pbz".utf8), "a compressed Apple archive"), ([4, 0x22, 0x4d, 0x18], "an lz4 file"),
        (Array("07070".utf8), "a cpio archive"), (Array("MSCF".utf8), "a cabinet"),
        (Array("SQLite".utf8), "an SQLite database"), (Array("bplist".utf8), "a property list"),
        (Array("%PDF".utf8), "a PDF document"),
    ]

    private static func form(of start: [UInt8]) -> (magic: [UInt8], name: String)? {
        forms.first { start.starts(with: $0.magic) }
    }

    /// The error for an archive without a readable entry, by the first bytes of the file.
    private var unreadable: ExtractionError {
        let start = file.flatMap { try? $0.read(upTo: 6) } ?? Array(memory.prefix(6))
        guard let form = Self.form(of: start) else {
            if let other = Self.otherForms.first(where: { start.starts(with: $0.magic) }) {
                return ExtractionError(.unsupported, reason: "the file is \(other.name)")
            }
            return text.hasPrefix("Unrecognized")
                ? ExtractionError(.notAnArchive, reason: "the file is not an archive")
                : ExtractionError(.damaged, reason: "the archive is damaged: \(text)")
        }
        return ExtractionError(.damaged, reason: "the \(form.name) archive is truncated or damaged: \(text)")
    }

    /// Reads the next header. Returns nil at the end.
    package func next(_ limits: ExtractionLimits) throws(ExtractionError) -> Entry? {
        var entry: OpaquePointer?
        var result = archive_read_next_header(archive, &entry)
        var attempts = 0
        while result == ARCHIVE_RETRY, attempts < 16 {
            attempts += 1
            result = archive_read_next_header(archive, &entry)
        }
        if result == ARCHIVE_EOF { return nil }
        guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { throw failure(result) }
        hasEntry = true
        guard archive_entry_is_encrypted(entry) == 0 else {
            throw ExtractionError(.encrypted, reason: "the archive is encrypted")
        }
        return header(entry, warning: result == ARCHIVE_WARN ? text : nil, limits: limits)
    }

    private func header(_ entry: OpaquePointer, warning: String?, limits: ExtractionLimits) -> Entry {
        let isLink = Int(carchive_kind(entry)) == CARCHIVE_SYMBOLIC_LINK
        var path = archive_entry_pathname(entry).map { [UInt8](text: $0) }
        var target = (isLink ? archive_entry_symlink(entry) : archive_entry_hardlink(entry)).map { [UInt8](text: $0) }
        // A name that is not ASCII cannot be converted to the "C" locale. For tar, libarchive returns its bytes.
        let isConversion = warning.map { $0.contains("current locale") } ?? false
        if format == .zip, path == nil || (isLink && target == nil), let file,
            let stored = ZipEntryName(endingAt: archive_filter_bytes(archive, 0), of: file, isLink: isLink)
        {
            path = path ?? stored.path
            target = target ?? stored.target
        }
        let nanoseconds = archive_entry_mtime_nsec(entry)
        return Entry(
            kind: kind(of: entry), path: path, target: target, permissions: UInt16(archive_entry_perm(entry) & 0o777),
            modified: archive_entry_mtime_is_set(entry) == 0
                ? nil
                : Timestamp(
                    seconds: Int64(archive_entry_mtime(entry)),
                    nanoseconds: (0..<1_000_000_000).contains(nanoseconds) ? UInt32(nanoseconds) : 0),
            size: archive_entry_size_is_set(entry) == 0 ? nil : UInt64(exactly: archive_entry_size(entry)),
            attributes: EntryAttributes(entry, limits: limits), warning: isConversion ? nil : warning)
    }

    private func kind(of entry: OpaquePointer) -> Entry.Kind {
        if archive_entry_hardlink(entry) != nil { return .hardLink }
        return switch Int(carchive_kind(entry)) {
        case CARCHIVE_FILE: .file
        case CARCHIVE_DIRECTORY: .directory
        case CARCHIVE_SYMBOLIC_LINK: .symbolicLink
        default: .other
        }
    }

    /// Reads a part of the content of the current entry, which is valid until the next call, and passes it to the body
    /// with its offset. Returns false at the end, and after an error in this entry only, whose text is then in `damage`.
    package func readBlock(
        damage: inout String?,
        _ body: (UnsafeRawBufferPointer, UInt64) throws(ExtractionError) -> Void
    ) throws(ExtractionError) -> Bool {
        var start: UnsafeRawPointer?
        var count = 0
        var offset: Int64 = 0
        let result = archive_read_data_block(archive, &start, &count, &offset)
        switch result {
        case ARCHIVE_EOF: return false
        case ARCHIVE_FATAL: throw failure(result)
        case ARCHIVE_OK:
            guard let offset = UInt64(exactly: offset) else { throw failure(ARCHIVE_FATAL) }
            try body(UnsafeRawBufferPointer(start: start, count: count), offset)
            return true
        default:
            // Zip: a wrong checksum, an unsupported method.
            damage = text
            return false
        }
    }
}

extension [UInt8] {
    /// Creates an array of the bytes before a NUL.
    init(text: UnsafePointer<CChar>) {
        var count = 0
        while text[count] != 0 { count += 1 }
        self = Array(UnsafeRawBufferPointer(start: text, count: count))
    }
}
