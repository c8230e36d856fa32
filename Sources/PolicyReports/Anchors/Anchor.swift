internal import AppContainer
internal import Foundation
internal import SourceCode
internal import StoragePolicy
internal import TextOutput

/// The line that a finding points at: if possible, one that a reviewer can change.
struct Anchor: Hashable {
    /// The kind of the file.
    enum Kind: String { case source, configuration, container }

    let kind: Kind
    /// The path as bytes, relative to the root of the repository or to the container; never empty, never absolute.
    let path: [UInt8]
    /// The absolute path as bytes, if the file is known to exist on this machine.
    let absolutePath: [UInt8]?
    /// The number of the line, from 1.
    let line: Int

    init(kind: Kind, path: [UInt8], at absolutePath: [UInt8]? = nil, line: Int) {
        self.kind = kind
        self.path = path
        self.absolutePath = absolutePath
        self.line = line
    }

    /// Creates the anchor of a line of Swift code in the files of `sources`; nil for an invalid `#fileID`.
    init?(_ source: CodeLocation, in sources: [SourceName: String], of repository: Repository) {
        guard let name = SourceName(source) else { return nil }
        let line = Int(clamping: min(max(1, source.line), UInt(Int32.max)))
        self.init(
            kind: .source, path: Array((sources[name] ?? source.fileID).utf8),
            at: sources[name].flatMap(repository.absolute).map { Array($0.utf8) }, line: line)
    }

    /// Creates the anchor that an earlier report records; nil for an unknown kind or a path that is not relative.
    init?(_ recorded: Finding.Recorded.Anchor) {
        guard let kind = Kind(rawValue: recorded.kind), kind != .container, let first = recorded.path.first,
            first != UInt8(ascii: "/")
        else { return nil }
        self.init(kind: kind, path: recorded.path, line: recorded.line)
    }

    /// The path for display: bytes outside UTF-8, control characters and `%` are percent-escaped.
    var shown: String { ByteText.escaped(path) }

    /// The path as a relative reference. Source: RFC 3986, 4.2.
    var uri: String { Self.uri(path) }

    static func uri(_ path: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(path.count)
        for byte in path {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                text.append(byte)
            default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Finds the anchor of each finding, in this order:
///
/// 1. The line of Swift code that wrote the item, if the item records it. `#fileID` contains a module and a file. The
///    file with that name in the repository is used; of several, the one below a directory with the name of the module.
///    If no file or more than one remains, the `#fileID` itself is shown.
/// 2. The line of source code that the configuration declares for the item under `sources`.
/// 3. The line of source code that writes the item with a probability of at least 0.8.
/// 4. The line of a configuration file in the repository whose glob declares the item; of several, the longest glob.
/// 5. Line 1 of the item itself.
final class Anchors {
    private let report: LintReport
    private let configurations: [Configuration]
    private let repository: Repository
    private let names: InputNames
    /// The source code of each input's app; empty if none is searched.
    private let code: [AppSource]
    private var known: [Int: [[UInt8]: Writers]] = [:]
    /// The absolute path of each input that exists on this machine; nil for a copy.
    private let directories: [String?]
    private lazy var sources = repository.paths(
        of: Set(report.findings.compactMap { $0.source.flatMap(SourceName.init) }), besides: report.inputs.map(\.path))

    init(
        _ report: LintReport, configurations: [Configuration], code: [AppSource] = [],
        repository: Repository = .current
    ) {
        self.report = report
        self.code = code
        self.configurations = configurations
        self.repository = repository
        directories = report.inputs.map { input in
            let path = Repository.resolved(input.path)
            return FileManager.default.fileExists(atPath: path) ? path : nil
        }
        names = InputNames(report.inputs.map { ($0.path, $0.label) }, in: repository)
    }

    /// The name of an input in a report about several inputs; otherwise nil.
    func label(of input: Int) -> String? { names.label(of: input) }

    /// Returns the anchor of a finding.
    func anchor(of finding: Finding) -> Anchor { anchorOutside(of: finding) ?? item(of: finding) }

    /// Returns the anchor of a finding that is a line outside of the container; nil for one at the item.
    func anchorOutside(of finding: Finding) -> Anchor? {
        if let recorded = finding.recorded { return recorded.anchor.flatMap(Anchor.init) }
        return source(of: finding) ?? writingLine(of: finding)?.anchor ?? declaration(of: finding)
    }

    /// Returns the line that an item records, or that the configuration declares for it; nil without either.
    func source(of finding: Finding) -> Anchor? {
        if let recorded = finding.recorded {
            return recorded.writtenBy.isEmpty
                ? recorded.anchor.flatMap(Anchor.init).flatMap { $0.kind == .source ? $0 : nil } : nil
        }
        return recordedSource(of: finding) ?? declaredSource(of: finding)
    }

    /// Reads the source code and searches it for all findings of the report.
    func searchSourceCode() {
        var paths: [Int: [[UInt8]]] = [:]
        for finding in report.findings where isSearched(finding) {
            paths[finding.input, default: []].append(finding.largest ?? finding.path)
        }
        for (input, paths) in paths.sorted(by: { $0.key < $1.key }) { code[input].search(for: paths) }
    }

    private func isSearched(_ finding: Finding) -> Bool {
        finding.recorded == nil && finding.suppression == nil && code.indices.contains(finding.input)
            && finding.rule.group != .exceptions && !finding.path.isEmpty && source(of: finding) == nil
    }

    /// Returns the lines that probably write an item of a reported finding, if no line is known for it.
    func writers(of finding: Finding) -> Writers {
        if let recorded = finding.recorded { return Writers(recorded) }
        let path = finding.largest ?? finding.path
        guard isSearched(finding) else { return Writers() }
        if let known = known[finding.input]?[path] { return known }
        let code = code[finding.input]
        let writers = code.answer(for: path).map { Writers($0, of: path, in: code) } ?? Writers()
        known[finding.input, default: [:]][path] = writers
        return writers
    }

    /// Returns the lines of a change of the code that writes an item, as a difference; empty without one.
    func change(for finding: Finding) -> [String] {
        guard let line = writers(of: finding).lines.first, code.indices.contains(finding.input) else { return [] }
        return line.change(for: finding.rule, in: code[finding.input])
    }

    /// Returns a sentence about the code that excludes an item from backup, for an item that a rule wants to be excluded; nil
    /// without such code.
    func lostExclusion(of finding: Finding) -> String? {
        guard finding.rule.effects.contains(.excluded), let line = writers(of: finding).lines.first,
            code.indices.contains(finding.input)
        else { return nil }
        return line.lostExclusion(in: code[finding.input])
    }

    /// Returns the line that a report points at, because it very probably writes the item; nil without one.
    func writingLine(of finding: Finding) -> Writers.Line? {
        writers(of: finding).lines.first.flatMap { $0.confidence >= Writers.anchored ? $0 : nil }
    }

    /// Returns an anchor at the item itself.
    func item(of finding: Finding) -> Anchor { item(finding.path, in: finding.input) }

    /// Returns an anchor at an item of an input.
    func item(_ path: [UInt8], in input: Int) -> Anchor {
        var whole = Array(names.prefix(of: input).utf8)
        if !whole.isEmpty, !path.isEmpty { whole.append(UInt8(ascii: "/")) }
        whole += path
        if whole.isEmpty { whole = Array((report.inputs[input].bundleIdentifier ?? "container").utf8) }
        var absolute = directories[input].map { Array($0.utf8) }
        if !path.isEmpty { absolute?.append(UInt8(ascii: "/")) }
        absolute? += path
        return Anchor(kind: .container, path: whole, at: absolute, line: 1)
    }

    /// Returns the anchor of a gap: the item, or the whole run.
    func anchor(of gap: LintRun.Gap) -> Anchor {
        guard let input = gap.input, let path = gap.path else {
            return Anchor(kind: .container, path: Array("container".utf8), line: 1)
        }
        return item(path, in: input)
    }

    private func recordedSource(of finding: Finding) -> Anchor? {
        finding.source.flatMap { Anchor($0, in: sources, of: repository) }
    }

    /// Returns the anchor of the source code that the configuration declares for an item, for its largest item, or for its
    /// directory.
    private func declaredSource(of finding: Finding) -> Anchor? {
        let configuration = configurations[finding.input]
        guard
            let source = finding.largest.flatMap(configuration.source(of:)) ?? configuration.source(of: finding.path)
        else { return nil }
        return Anchor(
            kind: .source, path: Array(repository.name(of: source.path).utf8),
            at: Array(Repository.resolved(source.path).utf8), line: source.line)
    }

    private func declaration(of finding: Finding) -> Anchor? {
        guard let position = configurations[finding.input].declaration(of: finding.largest ?? finding.path),
            let path = repository.relative(position.file), !path.isEmpty
        else { return nil }
        return Anchor(
            kind: .configuration, path: Array(path.utf8), at: Array(Repository.resolved(position.file).utf8),
            line: max(1, position.line))
    }
}
