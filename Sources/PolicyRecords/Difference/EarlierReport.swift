internal import FileSystem
internal import Foundation
package import StoragePolicy
internal import SystemPackage
internal import TextOutput

/// A report that an earlier run wrote as JSON (`sandboxlint-report/1`). Anyone may have written the file.
package struct EarlierReport {
    private static let mostBytes = 64 << 20

    /// The path as given.
    package let path: String
    /// The number of bytes.
    package let size: Int
    let content: ReportContent.Report

    /// Returns true if a path leads to a file that begins as JSON does.
    package static func isMeant(by path: String) -> Bool {
        guard let file = try? open(path), let first = try? file.read(upTo: 64) else { return false }
        return first.drop { $0 == 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }.first == UInt8(ascii: "{")
    }

    /// Reads a report of at most 64 MiB.
    ///
    /// - Throws: `UnreadableSource` for what cannot be read or is no such report.
    package init(reading path: String) throws(UnreadableSource) {
        let bytes: [UInt8]
        do throws(FileSystemError) { bytes = try Self.open(path).read(upTo: Self.mostBytes + 1) } catch {
            throw UnreadableSource(
                path: path, reason: "it cannot be read: \(error)", hint: "Check the path and its permissions.")
        }
        guard bytes.count <= Self.mostBytes else {
            throw UnreadableSource(
                path: path, reason: "it is larger than 64 MiB", hint: "Lint fewer containers in one run.")
        }
        try self.init(bytes, path: path)
    }

    private init(_ content: ReportContent.Report, path: String, size: Int) {
        (self.path, self.size, self.content) = (path, size, content)
    }

    /// Returns the report without the findings of rules whose id is not among the known ones, and those findings.
    package func restricted(to known: Set<String>) -> (report: EarlierReport, others: [ReportSnapshot.Line]) {
        let others = content.findings.filter { !known.contains($0.rule) }
        let areAllKnown =
            others.isEmpty && content.suppressed.allSatisfy { known.contains($0.rule) }
            && content.accepted.allSatisfy { known.contains($0.rule) }
        guard !areAllKnown else { return (self, []) }
        let lists = ReportContent.Lists(
            incidents: content.incidents,
            findings: Records(content.findings.filter { known.contains($0.rule) }) { $0 },
            suppressed: Records(content.suppressed.filter { known.contains($0.rule) }) { $0 },
            accepted: Records(content.accepted.filter { known.contains($0.rule) }) { $0 })
        return (
            EarlierReport(ReportContent.Report(content.first, lists), path: path, size: size),
            others.map { ReportSnapshot.Line($0) }
        )
    }

    /// Decodes a report.
    ///
    /// - Throws: `UnreadableSource` for what is no such report.
    init(_ bytes: [UInt8], path: String) throws(UnreadableSource) {
        (self.path, size) = (path, bytes.count)
        do { content = try JSONDecoder().decode(ReportContent.Report.self, from: Data(bytes)) } catch {
            if let value = Self.valuePath(of: error) { throw .damaged(path, value: value) }
            throw UnreadableSource(
                path: path, reason: Self.reason(bytes), hint: "Create a report with `sandboxlint lint --format json`.")
        }
    }

    private static func open(_ path: String) throws(FileSystemError) -> OpenFile {
        let path = FilePath(path)
        let above = path.removingLastComponent()
        let folder = try Folder(opening: above.isEmpty ? "." : above)
        let name = path.lastComponent.map { FilePath(root: nil, [$0]) } ?? "."
        // A pipe would be waited for.
        guard [.file, .symbolicLink].contains(try folder.status(name).kind) else {
            throw FileSystemError("read", path: name, errno: .invalidArgument)
        }
        let file = try folder.open(name)
        guard try file.status().kind == .file else {
            throw FileSystemError("read", path: name, errno: .invalidArgument)
        }
        return file
    }

    /// Returns the reason for which bytes are not a report of this format, in one phrase.
    private static func reason(_ bytes: [UInt8]) -> String {
        struct Head: Decodable { let schema: String }
        let format = ReportContent.Format.current.rawValue
        if let schema = (try? JSONDecoder().decode(Head.self, from: Data(bytes)))?.schema, schema != format {
            return schema.hasPrefix("sandboxlint-report/")
                ? "the report has the format \(ByteText.printable(schema.prefix(40))); this version of sandboxlint "
                    + "reads \(format)"
                : "it is not a sandboxlint report"
        }
        // A file that begins like a report was probably cut off.
        return String(decoding: bytes.prefix(200), as: UTF8.self).contains(format)
            ? "the report is damaged or truncated: it is not valid JSON, or a number is out of range"
            : "it is not a sandboxlint report"
    }

    /// Returns the path of the damaged value in a report; nil if the report is not JSON.
    private static func valuePath(of error: any Error) -> String? {
        let path: [any CodingKey]
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context): path = context.codingPath
        case .dataCorrupted(let context) where !context.codingPath.isEmpty: path = context.codingPath
        default: return nil
        }
        guard path.first?.stringValue != "schema" else { return nil }
        let text = path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
        return text.isEmpty ? nil : ByteText.printable(text.prefix(100))
    }
}

extension ReportSnapshot {
    /// Reads the compared data of a report. Makes its texts safe to show.
    ///
    /// - Throws: As `EarlierReport.init(reading:)`.
    package init(reading path: String) throws(UnreadableSource) {
        self.init(try EarlierReport(reading: path))
    }

    /// The compared data of a report. Its texts are made safe to show.
    package init(_ report: EarlierReport) {
        let content = report.content
        let all = content.locations.map { (ByteText.printable($0.location), $0.content) }
        let locations = Dictionary(all) { first, _ in first }
        let summary = content.summary
        let whole = LintReport.Content(
            items: summary.items, bytes: summary.bytes, backedUpBytes: summary.backedUpBytes)
        self.init(
            content.findings.map { Line($0) }, whole: whole, locations: locations,
            hidden: summary.suppressed + summary.baselined, isComplete: content.complete,
            sizes: ClassSizes(
                whole: whole, regenerable: summary.regenerableBackedUpBytes, undecided: summary.undecidedBackedUpBytes,
                locations: locations))
    }
}

extension ReportSnapshot.Line {
    fileprivate init(_ finding: ReportContent.Finding) {
        self.init(
            rule: ByteText.printable(finding.rule), severity: finding.severity, path: ByteText.printable(finding.path),
            items: finding.items, bytes: finding.bytes, message: ByteText.printable(finding.message),
            fingerprint: finding.fingerprint)
    }
}
