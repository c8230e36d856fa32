internal import FileSystem
internal import Foundation
internal import SystemPackage
internal import TextOutput

/// A report that an earlier run wrote as JSON (`sandboxlint-report/1`). Anyone may have written the file.
package struct EarlierReport: Sendable {
    private static let mostBytes = 64 << 20

    /// The path as given.
    package let path: String
    /// The number of bytes.
    package let size: Int
    let content: ReportContent

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
        try self.init(bytes, path)
    }

    /// Decodes a report.
    ///
    /// - Throws: `UnreadableSource` for what is no such report.
    init(_ bytes: [UInt8], _ path: String) throws(UnreadableSource) {
        (self.path, size) = (path, bytes.count)
        do { content = try JSONDecoder().decode(ReportContent.self, from: Data(bytes)) } catch {
            throw UnreadableSource(path: path, reason: Self.reason(error, bytes), hint: Self.hint)
        }
    }

    private static let hint = "Create a report with `sandboxlint lint --format json`."

    private static func open(_ path: String) throws(FileSystemError) -> OpenFile {
        let path = FilePath(path)
        let above = path.removingLastComponent()
        let folder = try Folder(opening: above.isEmpty ? "." : above)
        let name = path.lastComponent.map { FilePath(root: nil, [$0]) } ?? "."
        // A pipe would be waited for.
        guard [.file, .symbolicLink].contains(try folder.status(name).kind) else {
            throw FileSystemError("read", name, .invalidArgument)
        }
        let file = try folder.open(name)
        guard try file.status().kind == .file else { throw FileSystemError("read", name, .invalidArgument) }
        return file
    }

    /// Returns the reason for which bytes are not a report, in one phrase.
    private static func reason(_ error: any Error, _ bytes: [UInt8]) -> String {
        if let error = error as? ReportContent.OtherFormat {
            return error.schema.hasPrefix("sandboxlint-report/")
                ? "the report has the format \(ByteText.printable(error.schema.prefix(40))); this version of sandboxlint "
                    + "reads \(ReportContent.format)"
                : "it is not a sandboxlint report"
        }
        guard let path = valuePath(of: error) else {
            // A file that begins like a report was probably cut off.
            let start = String(decoding: bytes.prefix(200), as: UTF8.self)
            return start.contains(ReportContent.format)
                ? "the report is damaged or truncated: it is not valid JSON, or a number is out of range"
                : "it is not a sandboxlint report"
        }
        return "the report is damaged: \(path) is missing or invalid"
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
        guard path.first?.stringValue != ReportContent.CodingKeys.schema.stringValue else { return nil }
        let text = path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
        return text.isEmpty ? nil : ByteText.printable(text.prefix(100))
    }
}

extension ReportSnapshot {
    /// Reads the compared data of a report. Makes its texts safe to show.
    ///
    /// - Throws: As `EarlierReport.init(reading:)`.
    package init(reading path: String) throws(UnreadableSource) {
        self.init(try EarlierReport(reading: path).content)
    }

    init(_ content: ReportContent) {
        let lines = content.findings.map { finding in
            Line(
                fingerprint: finding.fingerprint, rule: ByteText.printable(finding.rule),
                severity: Severity(rawValue: finding.severity) ?? .note, path: ByteText.printable(finding.path),
                items: Int(finding.items), bytes: finding.bytes, message: ByteText.printable(finding.message))
        }
        let locations = content.locations.map { (ByteText.printable($0.location), $0.content) }
        let summary = content.summary
        self.init(
            lines,
            whole: .init(items: Int(summary.items), bytes: summary.bytes, backedUpBytes: summary.backedUpBytes),
            locations: Dictionary(locations) { first, _ in first },
            hidden: Int(summary.suppressed) + Int(summary.baselined), isComplete: content.complete)
    }
}
