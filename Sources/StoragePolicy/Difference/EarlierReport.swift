internal import FileSystem
internal import Foundation
internal import SystemPackage
internal import TextOutput

/// A report that an earlier run wrote as JSON (`sandboxlint-report/1`). Anyone may have written the file.
package enum EarlierReport {
    private static let mostBytes = 64 << 20

    /// Returns true if a path leads to a file that begins as JSON does.
    package static func isMeant(by path: String) -> Bool {
        guard let file = try? open(path), let first = try? file.read(upTo: 64) else { return false }
        return first.drop { $0 == 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }.first == UInt8(ascii: "{")
    }

    /// Reads a report of at most 64 MiB. Makes its texts safe to show.
    ///
    /// - Throws: `UnreadableSource` for what cannot be read or is no such report.
    package static func read(_ path: String) throws(UnreadableSource) -> ReportSnapshot {
        let bytes: [UInt8]
        do throws(FileSystemError) { bytes = try open(path).read(upTo: mostBytes + 1) } catch {
            throw UnreadableSource(
                path: path, reason: "it cannot be read: \(error)", hint: "Check the path and its permissions.")
        }
        guard bytes.count <= mostBytes else {
            throw UnreadableSource(
                path: path, reason: "it is larger than 64 MiB", hint: "Specify the container instead.")
        }
        return try snapshot(bytes, path)
    }

    private static let hint = "Create a report with `sandboxlint lint --format json`, or specify a container."

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

    static func snapshot(_ bytes: [UInt8], _ path: String) throws(UnreadableSource) -> ReportSnapshot {
        let header: Header
        let report: Report
        do {
            header = try JSONDecoder().decode(Header.self, from: Data(bytes))
        } catch { throw UnreadableSource(path: path, reason: "it is not a sandboxlint report", hint: hint) }
        guard header.schema == "sandboxlint-report/1" else {
            let isOurs = header.schema.hasPrefix("sandboxlint-report/")
            throw UnreadableSource(
                path: path,
                reason: isOurs
                    ? "the report is not in the format sandboxlint-report/1" : "it is not a sandboxlint report",
                hint: hint)
        }
        do { report = try JSONDecoder().decode(Report.self, from: Data(bytes)) } catch {
            throw UnreadableSource(path: path, reason: "the report is damaged: \(valuePath(of: error))", hint: hint)
        }
        return report.snapshot
    }

    /// Returns the path of the damaged value in a report.
    private static func valuePath(of error: any Error) -> String {
        let context: DecodingError.Context? =
            switch error as? DecodingError {
            case .keyNotFound(let key, let context): .init(codingPath: context.codingPath + [key], debugDescription: "")
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): context
            default: nil
            }
        let way = context?.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".") ?? ""
        return way.isEmpty
            ? "a value is missing or has the wrong type"
            : "\(ByteText.printable(way.prefix(100))) is missing or invalid"
    }

    private struct Header: Decodable { let schema: String }

    private struct Report: Decodable {
        struct Summary: Decodable {
            let items: UInt32
            let bytes: UInt64
            let backedUpBytes: UInt64
            let suppressed: UInt32
            let baselined: UInt32
        }
        struct Location: Decodable {
            let location: String
            let items: UInt32
            let bytes: UInt64
            let backedUpBytes: UInt64
        }
        struct Finding: Decodable {
            let fingerprint: String
            let rule: String
            let severity: String
            let path: String
            let items: UInt32
            let bytes: UInt64
            let message: String
        }
        let summary: Summary
        let complete: Bool
        let locations: [Location]?
        let findings: [Finding]

        var snapshot: ReportSnapshot {
            let lines = findings.map { finding in
                ReportSnapshot.Line(
                    fingerprint: finding.fingerprint, rule: ByteText.printable(finding.rule),
                    severity: Severity(rawValue: finding.severity) ?? .note, path: ByteText.printable(finding.path),
                    items: Int(finding.items), bytes: finding.bytes, message: ByteText.printable(finding.message))
            }
            let content = locations.map { locations in
                Dictionary(
                    locations.map {
                        (
                            ByteText.printable($0.location),
                            LintReport.Content(
                                items: Int($0.items), bytes: $0.bytes, backedUpBytes: $0.backedUpBytes)
                        )
                    }
                ) { first, _ in first }
            }
            return ReportSnapshot(
                lines,
                whole: .init(items: Int(summary.items), bytes: summary.bytes, backedUpBytes: summary.backedUpBytes),
                locations: content, hidden: Int(summary.suppressed) + Int(summary.baselined), isComplete: complete)
        }
    }
}
