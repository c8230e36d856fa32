/// The limits within which an archive is extracted. An archive may be made to fill the disk or the memory of its reader.
///
/// An archive beyond `contentSize`, `entries`, `ratio`, `time` or `deferredNames` is refused. Beyond the other limits, one entry or
/// attribute is skipped and reported.
package struct ExtractionLimits: Sendable {
    /// The maximum size of all files, in bytes.
    package var contentSize: UInt64 = 64 << 30
    /// The maximum number of entries.
    package var entries = 2_000_000
    /// The maximum ratio of the extracted size to the size of the archive, from `freeSize` on. Each entry counts 4 KiB,
    /// so that empty files count as well.
    package var ratio: UInt64 = 200
    /// The extracted size in bytes up to which the ratio does not matter.
    package var freeSize: UInt64 = 128 << 20
    /// The maximum size in memory of the paths of directories and AppleDouble files, in bytes.
    package var deferredNames = 64 << 20
    /// The maximum number of components of a path.
    package var depth = 128
    /// The maximum length of a path in bytes. A component has at most 255.
    package var pathLength = 4095
    /// The maximum size of the value of an attribute, in bytes. Linux stores at most this (XATTR_SIZE_MAX).
    package var attributeSize = 65_536
    /// The maximum number of attributes of an entry.
    package var attributes = 256
    /// The maximum size of the part of an AppleDouble file that contains attributes, in bytes.
    package var appleDoubleSize = 1 << 20
    /// The maximum time of an extraction.
    package var time = Duration.seconds(3_600)
    /// The maximum number of incidents that are described. More are counted.
    package var incidents = 1000

    package init() {}
}

/// The work done so far, compared with the limits.
struct ExtractionBudget {
    let limits: ExtractionLimits
    let archiveSize: UInt64
    private(set) var entries = 0
    /// The size of all files, with their holes.
    private(set) var content: UInt64 = 0
    private var written: UInt64 = 0
    private let isCancelled: @Sendable () -> Bool
    private let deadline: ContinuousClock.Instant

    init(_ limits: ExtractionLimits, archiveSize: UInt64, isCancelled: @escaping @Sendable () -> Bool) {
        (self.limits, self.archiveSize, self.isCancelled) = (limits, archiveSize, isCancelled)
        deadline = .now + limits.time
    }

    /// Counts an entry.
    mutating func addEntry() throws(ExtractionError) {
        entries += 1
        guard entries <= limits.entries else {
            throw ExtractionError(.limitExceeded, reason: "the archive has more than \(limits.entries) entries")
        }
        try addWritten(4096)
    }

    /// Counts the content of a file: bytes that were decompressed, and the hole before them.
    mutating func addContent(_ count: Int, hole: UInt64 = 0) throws(ExtractionError) {
        let (sum, overflow) = content.addingReportingOverflow(UInt64(count) &+ hole)
        content = overflow || hole > limits.contentSize ? .max : sum
        guard content <= limits.contentSize else {
            throw ExtractionError(
                .limitExceeded, reason: "the files in the archive have more than \(limits.contentSize) bytes")
        }
        try addWritten(UInt64(count))
    }

    /// Ends a cancelled extraction, and one that takes too long.
    func checkTime() throws(ExtractionError) {
        guard !isCancelled() else { throw ExtractionError(.cancelled, reason: "the extraction was cancelled") }
        guard ContinuousClock.now < deadline else {
            throw ExtractionError(
                .limitExceeded, reason: "the extraction took longer than \(limits.time.components.seconds) seconds")
        }
    }

    private mutating func addWritten(_ count: UInt64) throws(ExtractionError) {
        try checkTime()
        written = written.addingReportingOverflow(count).partialValue
        guard written <= limits.freeSize || written / limits.ratio <= archiveSize else {
            throw ExtractionError(
                .limitExceeded,
                reason: "the content is more than \(limits.ratio) times as large as the archive of \(archiveSize) bytes"
            )
        }
    }
}
