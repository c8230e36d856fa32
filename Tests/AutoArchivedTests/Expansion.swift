import Foundation
import TestSupport

/// The code and the errors of the macros for a source with one type.
struct Expansion: Sendable {
    /// An error of a macro, with the messages of its fix-its in their order.
    struct Report: Sendable, Equatable {
        let text: String
        let line: Int
        /// The column in bytes, from 1.
        let column: Int
        var fixIts: [String] = []
    }

    let source: String
    /// The members that the macros add to the type.
    fileprivate(set) var members = ""
    /// The extension that the macros add beside the type.
    fileprivate(set) var conformance = ""
    /// The declarations that the macros add beside properties.
    fileprivate(set) var peers = ""
    fileprivate(set) var errors: [Report] = []
    /// The source after one fix-it, by the message of the fix-it.
    fileprivate(set) var fixed: [String: String] = [:]

    fileprivate init(of source: String) { self.source = source }
}

/// The expansions of the macros for several sources, which the compiler reads as the files of one module.
struct Expansions: Sendable {
    private var expansions: [String: Expansion]
    /// The errors and warnings that are not errors of the macros.
    private(set) var otherDiagnostics: [String] = []

    /// Expands the macros in sources. The key of a source is the name of its type.
    init(of sources: [String: String]) throws {
        expansions = sources.mapValues { Expansion(of: $0) }
        let output = try Self.compile(sources, "-dump-macro-expansions")
        readCode(output)
        readErrors(output)
        try readFixIts()
    }

    subscript(name: String) -> Expansion? { expansions[name] }

    /// Returns the output of the compiler with an option of its front end.
    private static func compile(_ sources: [String: String], _ option: String) throws -> String {
        try withScratch { folder throws in
            for (name, source) in sources {
                // The imports are last, so that the lines in errors are those of the source.
                try folder.write(source + "\nimport AutoArchived\nimport Foundation\n", to: "\(name).swift")
            }
            return try Compiler.check(folder, ["-Xfrontend", option]).errors
        }
    }

    /// Reads the code of each macro: between two lines of hyphens, after a name such as
    /// `@__swiftmacro_3App4Node12AutoArchivedfMm_.swift`, in which the type follows its length and the last letter is the role.
    private mutating func readCode(_ output: String) {
        let expansion = /@__swiftmacro_3App(\d+)(\w+)fM([a-z])_\.swift\n-+\n(.*?)\n?-{20,}\n/.dotMatchesNewlines()
        for match in output.matches(of: expansion) {
            let (name, code) = (String(match.2.prefix(Int(match.1) ?? 0)), String(match.4))
            switch match.3 {
            case "m": expansions[name]?.members += code
            case "e": expansions[name]?.conformance += code
            default: expansions[name]?.peers += code
            }
        }
    }

    /// Reads the errors. The notes after an error of a macro are its fix-its.
    private mutating func readErrors(_ output: String) {
        let diagnostic = /(.+):(\d+):(\d+): (error|warning|note): (.*)/
        var current: String?
        for line in output.split(separator: "\n") {
            guard let match = line.wholeMatch(of: diagnostic) else { continue }
            let name = URL(fileURLWithPath: String(match.1)).deletingPathExtension().lastPathComponent
            if match.4 == "note" {
                guard let current, let last = expansions[current]?.errors.indices.last else { continue }
                expansions[current]?.errors[last].fixIts.append(String(match.5))
            } else if match.4 == "error", let error = match.5.wholeMatch(of: /(.*) \(from macro '.*'\)/),
                let line = Int(match.2), let column = Int(match.3), expansions[name] != nil
            {
                expansions[name]?.errors.append(
                    Expansion.Report(text: String(error.1), line: line, column: column))
                current = name
            } else {
                otherDiagnostics.append(String(line))
                current = nil
            }
        }
    }

    /// Reads the changes of the fix-its. The compiler only prints them when it verifies expected notes: a note that is
    /// expected to have no fix-it is an error that states the change.
    private mutating func readFixIts() throws {
        let fixIts = expansions.mapValues { expansion in
            expansion.errors.flatMap { error in error.fixIts.map { (message: $0, line: error.line) } }
        }.filter { !$0.value.isEmpty }
        if fixIts.isEmpty { return }
        let annotated = expansions.mapValues(\.source).merging(
            fixIts.map { name, fixIts in
                (name, fixIts.map { "\n// expected-note@\($0.line) {{\($0.message)}} {{none}}" }.joined())
            }, uniquingKeysWith: +)
        let error = /(?:.*\/)?(\w+)\.swift:(\d+):\d+: error: expected no fix-its; actual fix-it seen: (.*)/
        for line in try Self.compile(annotated, "-verify").split(separator: "\n") {
            guard let match = line.wholeMatch(of: error), let number = Int(match.2) else { continue }
            let name = String(match.1)
            guard let expansion = expansions[name], let fixIts = fixIts[name] else { continue }
            // The expected notes are the lines after the source.
            let index = number - expansion.source.split(separator: "\n", omittingEmptySubsequences: false).count - 1
            guard fixIts.indices.contains(index) else { continue }
            let (message, line) = fixIts[index]
            expansions[name]?.fixed[message] = expansion.applying(match.3, line: line)
        }
    }
}

extension Expansion {
    /// Returns the source after a change such as `{{5-8=var}}` or `{{1:1-3:2=text}}`, with columns in bytes. A change
    /// without a line is in the line of the error.
    fileprivate func applying(_ change: Substring, line: Int) -> String? {
        guard let match = change.wholeMatch(of: /{{(?:(\d+):)?(\d+)-(?:(\d+):)?(\d+)=(.*)}}/),
            let column = Int(match.2), let endColumn = Int(match.4)
        else { return nil }
        let startLine = match.1.flatMap { Int($0) } ?? line
        let endLine = match.3.flatMap { Int($0) } ?? startLine
        let text = match.5.replacing(/\\(.)/) { $0.1 == "n" ? "\n" : $0.1 }
        var bytes = Array(source.utf8)
        let lines = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        bytes.replaceSubrange(lines[startLine - 1] + column - 1..<lines[endLine - 1] + endColumn - 1, with: text.utf8)
        return String(decoding: bytes, as: UTF8.self)
    }
}
