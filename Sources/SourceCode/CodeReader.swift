internal import FileSystem
internal import SystemPackage

/// Reads the source files of a root, in the order of their paths, so that a limit always keeps the same ones.
struct CodeReader {
    /// The files that were read, by path.
    private(set) var files: [CodeFile] = []
    private(set) var bytes = 0
    private(set) var skippedFiles = 0
    private(set) var failures = 0
    /// True if a limit ended the reading.
    private(set) var isCut = false

    /// Files that are read before the literals are counted.
    private static let batch = 1_024

    private enum Outcome: Sendable { case read(CodeFile), minified, unreadable }

    /// Reads the files that a walk found in a directory.
    init(_ found: CodeWalk.Result, in folder: Folder, limits: CodeLimits, threads: Int) {
        (skippedFiles, failures) = (found.skippedFiles, found.failures)
        guard found.entries <= limits.entries else {
            isCut = true
            return
        }
        let meanings = CodeMeaning.Table()
        let lexers = CodeLanguage.all.map { CodeLexer($0, meanings: meanings) }
        let candidates = found.candidates.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        var end = 0
        while end < candidates.count, end < limits.files, bytes + candidates[end].size <= limits.bytes {
            bytes += candidates[end].size
            end += 1
        }
        isCut = end < candidates.count
        var literals = 0
        let interruption = Invocation.current.interruption
        for start in stride(from: 0, to: end, by: Self.batch) where !interruption.isRequested {
            let part = candidates[start..<min(start + Self.batch, end)]
            for outcome in Self.read(part, in: folder, by: lexers, limits: limits, threads: threads) {
                switch outcome {
                case .read(let file):
                    literals += file.literals.count
                    guard literals <= limits.literals else {
                        isCut = true
                        return
                    }
                    files.append(file)
                case .minified: skippedFiles += 1
                case .unreadable: failures += 1
                }
            }
        }
    }

    /// Returns the outcomes in the order of the candidates.
    private static func read(
        _ candidates: ArraySlice<CodeWalk.Candidate>, in folder: Folder, by lexers: [CodeLexer], limits: CodeLimits,
        threads: Int
    ) -> [Outcome] {
        let outcomes = LockedValue([Outcome](repeating: .unreadable, count: candidates.count))
        let next = LockedValue(candidates.startIndex)
        Invocation.current.concurrentPerform(iterations: max(1, min(threads, candidates.count))) { _ in
            while let number = next.withLock({ next -> Int? in
                guard next < candidates.endIndex else { return nil }
                next += 1
                return next - 1
            }) {
                let outcome = read(candidates[number], in: folder, by: lexers, limits: limits)
                outcomes.withLock { $0[number - candidates.startIndex] = outcome }
            }
        }
        return outcomes.withLock { $0 }
    }

    private static func read(
        _ candidate: CodeWalk.Candidate, in folder: Folder, by lexers: [CodeLexer], limits: CodeLimits
    ) -> Outcome {
        guard let open = try? folder.open(FilePath(bytes: candidate.path), followingLinks: false),
            let bytes = try? open.contents(limit: limits.fileBytes)
        else { return .unreadable }
        guard !isMinified(bytes) else { return .minified }
        var file = bytes.withUnsafeBytes { lexers[candidate.language].read($0) }
        file.path = candidate.path
        file.traits = candidate.traits
        if isGenerated(bytes) { file.traits.insert(.generated) }
        if isForMac(bytes) { file.traits.insert(.otherPlatform) }
        // A file without either takes no part in any answer.
        if file.literals.isEmpty, file.mentions.isEmpty { (file.text, file.uses) = ([], []) }
        return .read(file)
    }

    /// Returns true for a file whose lines are too long for a person.
    private static func isMinified(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 10_000 else { return false }
        var lines = 1
        for byte in bytes where byte == 0x0a { lines += 1 }
        return bytes.count / lines > 400
    }

    /// Returns true for a file that imports what only macOS has.
    private static func isForMac(_ bytes: [UInt8]) -> Bool {
        let head = String(decoding: bytes.prefix(4_096), as: UTF8.self)
        return ["import AppKit", "import Cocoa", "<AppKit/", "<Cocoa/"].contains(where: head.contains)
            && !["import UIKit", "<UIKit/"].contains(where: head.contains)
    }

    private static func isGenerated(_ bytes: [UInt8]) -> Bool {
        let head = String(decoding: bytes.prefix(600), as: UTF8.self).lowercased()
        // A note of copyright may say when the file was “generated by” a company.
        return [
            "do not edit", "do not modify", "@generated", "auto-generated", "autogenerated", "automatically generated",
            "code generated by", "file generated by", "was generated by",
        ].contains(where: head.contains)
    }
}
