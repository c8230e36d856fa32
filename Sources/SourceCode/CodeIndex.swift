package import FileSystem
package import SystemPackage

/// The string literals of an app's source code, with the places at which they stand.
///
/// The index is read from the disk once, and only read. Its size grows with the number of literals, not with that of lines.
package struct CodeIndex: Sendable {
    /// Counts of what was read.
    package struct Summary: Sendable, Hashable {
        package var files = 0
        package var lines = 0
        package var bytes = 0
        package var literals = 0
        /// Files that are too large, or that no person wrote.
        package var skippedFiles = 0
        /// Directories and files that could not be read.
        package var failures = 0
        /// True if a limit ended the reading.
        package var isCut = false
    }

    let roots: [Folder]
    /// Sorted by root and path.
    let files: [CodeFile]
    package let summary: Summary

    /// Reads the source code beneath directories.
    ///
    /// - Parameters:
    ///   - roots: The directories. One inside another is read once for each.
    ///   - excluded: Directories that are not entered, such as the container to which the questions refer.
    ///   - threads: The number of threads that read.
    ///   - limits: The bounds of time and memory.
    /// - Throws: The first root that cannot be opened.
    package init(
        of roots: [FilePath], excluding excluded: [FilePath] = [], threads: Int = Host.processorCount,
        limits: CodeLimits = CodeLimits()
    ) throws(FileSystemError) {
        var (folders, files, summary): ([Folder], [CodeFile], Summary) = ([], [], Summary())
        var identities: Set<[UInt64]> = []
        for path in excluded {
            guard let status = try? Folder(opening: path).status("") else { continue }
            identities.insert([status.identity.device, status.identity.inode])
        }
        for (number, path) in roots.enumerated() {
            let folder = try Folder(opening: path)
            let walk = CodeWalk(limits: limits, excluded: identities)
            Walk(threads: threads).run(folder, directory: CodeWalk.Directory(), visitor: walk)
            let reader = CodeReader(walk.result.withLock { $0 }, in: folder, limits: limits, threads: threads)
            summary.bytes += reader.bytes
            summary.skippedFiles += reader.skippedFiles
            summary.failures += reader.failures
            summary.isCut = summary.isCut || reader.isCut
            for var file in reader.files {
                file.root = number
                files.append(file)
            }
            folders.append(folder)
        }
        for file in files {
            summary.files += 1
            summary.lines += file.lines
            summary.literals += file.literals.count
        }
        (self.roots, self.files, self.summary) = (folders, files, summary)
    }

    /// Returns a line of a file of the index without the spaces around it. Nil if it cannot be read any more, or if it is longer
    /// than a person writes.
    ///
    /// The text may contain secrets: whoever shows it removes them, and calls `withoutRandomValues`.
    package func text(at line: Int, of file: Int) -> String? {
        guard let bytes = contents(of: file) else { return nil }
        var number = 1
        var start = 0
        while number < line, let end = bytes[start...].firstIndex(of: 0x0a) {
            start = end + 1
            number += 1
        }
        guard number == line else { return nil }
        var text = bytes[start...].prefix { $0 != 0x0a }
        while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 || last == 0x0d { text.removeLast() }
        guard text.count <= Self.longestLine else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a file of the index; nil if it cannot be read any more.
    func contents(of file: Int) -> [UInt8]? {
        let file = files[file]
        return try? roots[file.root].open(FilePath(bytes: file.path), followingLinks: false)
            .contents(limit: CodeLimits().fileBytes)
    }

    /// Bytes of the longest line that is shown.
    private static let longestLine = 4096
    /// Letters and digits of the shortest value that looks random.
    private static let shortestRandom = 16

    /// Returns text with `…` in place of values that look random, such as keys whose form is that of no known secret.
    package static func withoutRandomValues(_ text: String) -> String {
        var (shown, word): ([UInt8], [UInt8]) = ([], [])
        func finish() {
            let digits = word.count(where: \.isDigit)
            let isRandom = word.count >= shortestRandom && digits >= 3 && digits < word.count
            shown += isRandom ? Array("…".utf8) : word
            word = []
        }
        for byte in text.utf8 {
            if byte.isLetter || byte.isDigit || byte == UInt8(ascii: "+") {
                word.append(byte)
            } else {
                finish()
                shown.append(byte)
            }
        }
        finish()
        return String(decoding: shown, as: UTF8.self)
    }
}
