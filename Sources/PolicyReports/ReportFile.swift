internal import FileSystem
internal import Foundation
internal import Secrets
internal import StoragePolicy
internal import SystemPackage
package import TextOutput

/// The destination of a report: a file or standard output.
package struct ReportFile: Sendable, Hashable {
    /// The format of the content.
    package let format: ReportFormat
    /// The path as given.
    package let path: String

    /// An option that does not have the form `FORMAT=PATH`.
    package struct Unreadable: Error, Sendable, CustomStringConvertible {
        /// The problem, in one sentence.
        package let description: String
    }

    /// Creates a report file from an option: `sarif=out.sarif`, or `sarif=-` for standard output.
    package init(_ option: String) throws(Unreadable) {
        guard let equals = option.firstIndex(of: "="), case let path = String(option[option.index(after: equals)...]),
            !path.isEmpty
        else {
            throw Unreadable(
                description: "“\(option.printable)” is not in the form FORMAT=PATH, such as sarif=out.sarif.")
        }
        let name = String(option[..<equals])
        guard let format = ReportFormat(rawValue: name) else {
            let names = ReportFormat.allCases.map(\.rawValue)
            let hint = NearestName.of(name, among: names).map { "; did you mean “\($0)”?" } ?? "."
            throw Unreadable(
                description:
                    "Unknown format “\(name.printable)”\(hint) Known formats: \(names.joined(separator: ", "))."
            )
        }
        self.format = format
        self.path = path
    }

    /// True for standard output.
    package var isStandardOutput: Bool { path == "-" }

    /// The file at the path, without links.
    private var target: String { Repository.resolved(path) }

    /// Returns true if two paths lead to the same file.
    package func isSame(as other: ReportFile) -> Bool { target == other.target }

    /// Returns true if a path leads to the same file.
    package func isSame(as path: String) -> Bool { target == Repository.resolved(path) }

    /// Returns true if the file would be in the directory. Linted containers must not change.
    package func isLocated(in directory: String) -> Bool { Self.isLocated(path, in: directory) }

    /// Returns true if a path is the directory or is below it, after links are resolved.
    package static func isLocated(_ path: String, in directory: String) -> Bool {
        Repository.isFile(path, in: directory)
    }

    /// Writes a run. Each file is the old or the new one, complete, at every moment.
    ///
    /// - Returns: A note about further files (`out-2.sarif` beside `out.sarif`), if any.
    /// - Throws: `ReportFileError`; the old file is unchanged.
    package func write(_ run: LintRun, style: Style) throws(ReportFileError) -> String? {
        guard format == .sarif else {
            try Self.replace(path) { format.write(run, style: style, to: $0) }
            return nil
        }
        var report = SARIFReport(run)
        try Self.replace(path) { report.writeNext(to: $0) }
        var more: [String] = []
        while report.hasMore {
            let part = Self.path(path, ofPart: more.count + 2)
            try Self.replace(part) { report.writeNext(to: $0) }
            more.append(part)
        }
        let next = Self.path(path, ofPart: more.count + 2)
        if FileManager.default.fileExists(atPath: Invocation.current.workingDirectory.resolved(next)) {
            return
                "\(next.printable) is a leftover of an earlier run. Delete it before you upload reports."
        }
        guard !more.isEmpty else { return nil }
        return
            "\(path.printable) contains as much as GitHub accepts in one file, most severe first; the rest is in "
            + "\(more.joined(separator: ", ").printable)."
    }

    /// Returns the path of a part of a report: `out.sarif`, `out-2.sarif` and so on.
    private static func path(_ path: String, ofPart number: Int) -> String {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[start...].firstIndex(of: "."), dot != start else { return "\(path)-\(number)" }
        return "\(path[..<dot])-\(number)\(path[dot...])"
    }

    /// Replaces a file atomically with the output of `body`.
    ///
    /// - Throws: `ReportFileError`; the old file is unchanged.
    package static func replace(
        _ path: String, _ body: (@escaping (String) -> Void) -> Void
    ) throws(ReportFileError) {
        // A link is kept, and its target is replaced.
        let target = FilePath(Repository.resolved(path))
        guard let name = target.lastComponent else { throw ReportFileError(path: path, reason: "it has no file name") }
        let folder: Folder
        do throws(FileSystemError) { folder = try Folder(opening: target.removingLastComponent()) } catch {
            let named = FilePath(path).removingLastComponent()
            let directory =
                named.isEmpty ? "the working directory" : "its directory “\(ByteText.printable(named.string))”"
            throw ReportFileError(
                path: path, reason: "cannot open \(directory): \(error.errno)", isDiskAtFault: error.errno == .ioError)
        }
        let pieces = Pieces()
        do throws(FileSystemError) {
            do throws(AtomicWriteError) {
                try AtomicWrite(durability: .file).write(to: FilePath(root: nil, components: name), in: folder) {
                    file throws(FileSystemError) in
                    pieces.file = file
                    body { pieces.add($0.withoutSecrets) }
                    try pieces.flush()
                }
            } catch { throw error.cause }
        } catch {
            let isFull = [.noSpace, .diskQuotaExceeded, .fileTooLarge, .ioError].contains(error.errno)
            throw ReportFileError(
                path: path, reason: "cannot \(error.operation) it: \(error.errno)", isDiskAtFault: isFull)
        }
    }

    /// A buffer that writes the pieces of a report to a file.
    private final class Pieces {
        var file: OpenFile?
        private var bytes: [UInt8] = []
        private var failure: FileSystemError?

        func add(_ text: String) {
            bytes.append(contentsOf: text.utf8)
            guard bytes.count >= 1 << 16 else { return }
            do throws(FileSystemError) { try flush() } catch { failure = error }
        }

        func flush() throws(FileSystemError) {
            if let failure { throw failure }
            try file?.write(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
    }
}

/// An error of writing a report.
package struct ReportFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path as given.
    package let path: String
    let reason: String
    /// True for a full or failing disk, false for an unsuitable path.
    package var isDiskAtFault = false
    /// The path, the reason, the state on disk and the solution.
    package var description: String {
        "cannot write the report to “\(path.printable)”: \(reason). An existing file is unchanged. "
            + (isDiskAtFault ? "Free disk space, or specify a path on another disk." : "Specify another path.")
    }
}
