internal import FileSystem
package import SystemPackage
internal import TextOutput

/// The source code of an app, which is read at the first question about an item.
package final class AppSource: Sendable {
    private struct State {
        var index: CodeIndex?
        var isRead = false
        var answers: [[UInt8]: CodeAnswer] = [:]
        /// True after the first question. Nothing is read and said before.
        var isAsked = false
        /// The paths of items that were not searched for.
        var unanswered = 0
    }

    package let roots: SourceRoots
    private let inputs: [FilePath]
    private let threads: Int
    /// Returns the name of the SDK that writes a file, if one is known.
    let sdk: @Sendable ([UInt8]) -> String?
    private let state = LockedValue(State())

    /// Nil if a root could not be opened.
    package var index: CodeIndex? {
        state.withLock { state -> CodeIndex? in
            if !state.isRead {
                state.index = try? CodeIndex(of: roots.roots.map(\.path), excluding: inputs, threads: threads)
                state.isRead = true
            }
            return state.index
        }
    }

    /// The most items that are searched for. A report with more shows the lines of the first ones.
    package static let mostItems = 1_000

    /// Creates the source code in some directories.
    ///
    /// - Parameters:
    ///   - roots: The directories.
    ///   - inputs: The inputs of the run, which are not read.
    ///   - threads: The number of threads that read; 0 for one per processor.
    ///   - sdk: Returns the name of the SDK that writes a file, by its path relative to the container, if one is known.
    package init(
        _ roots: SourceRoots, besides inputs: [String], threads: Int,
        sdk: @escaping @Sendable ([UInt8]) -> String? = { _ in nil }
    ) {
        self.sdk = sdk
        self.roots = roots
        let working = Invocation.current.workingDirectory
        self.inputs = inputs.map { working.absolute(FilePath($0)) }
        self.threads = threads == 0 ? Host.processorCount : threads
    }

    /// Searches for items together, which is faster than one by one.
    package func search(for paths: [[UInt8]]) {
        guard !paths.isEmpty else { return }
        state.withLock { $0.isAsked = true }
        guard !roots.roots.isEmpty, let index else { return }
        let new = state.withLock { state -> [[UInt8]] in
            var known = Set(state.answers.keys)
            let new = paths.filter { known.insert($0).inserted }
            let room = max(0, Self.mostItems - state.answers.count)
            state.unanswered += max(0, new.count - room)
            return Array(new.prefix(room))
        }
        let lowest = roots.isSelected ? CodeIndex.lowestConfidence : CodeIndex.lowestByDefault
        let found = index.answers(for: new, atLeast: lowest, sdk: sdk)
        state.withLock { state in
            for (path, answer) in zip(new, found) { state.answers[path] = answer }
        }
    }

    /// Returns the answer for an item, by its path relative to the container; nil without source code.
    package func answer(for path: [UInt8]) -> CodeAnswer? {
        let (known, count) = state.withLock { ($0.answers[path], $0.answers.count) }
        if let known { return known }
        guard count < Self.mostItems else { return nil }
        search(for: [path])
        return state.withLock { $0.answers[path] }
    }

    /// Returns the name of a file in output: its path in the repository of the working directory, else in its root.
    package func name(of path: [UInt8], in root: Int) -> [UInt8] { roots.roots[root].prefix + path }

    /// Returns the absolute path of a file.
    package func absolutePath(of path: [UInt8], in root: Int) -> FilePath {
        FilePath(bytes: roots.roots[root].path.bytes + [UInt8(ascii: "/")] + path)
    }

    /// Returns the text of a line of a place without secrets, and without characters that control a terminal; nil if the line
    /// cannot be read any more.
    package func text(of place: CodePlace) -> String? { text(at: place.line, of: place.file) }

    /// Returns the text of a line of a file of the index, likewise.
    func text(at line: Int, of file: Int) -> String? {
        // A secret is replaced before the text is shortened, because the half of one has no form.
        guard let line = index?.text(at: line, of: file) else { return nil }
        let text = CodeIndex.withoutRandomValues(ByteText.printable(line))
        return text.count > Self.longestLine ? text.prefix(Self.longestLine) + "…" : text
    }

    private static let longestLine = 160

    /// False if a part of the source code was not read.
    package var isComplete: Bool {
        index.map { $0.summary.failures == 0 && !$0.summary.isCut } ?? false && roots.missing.isEmpty
    }

    /// The parts of the source code that were not read or searched, one sentence each. Nothing is said about a default root
    /// without source code, because nobody asked for it.
    package var remarks: [String] {
        let (isAsked, answered, unanswered) = state.withLock { ($0.isAsked, $0.answers.count, $0.unanswered) }
        guard isAsked else { return [] }
        var remarks = roots.missing.map { "the source root “\(ByteText.printable($0))” cannot be opened." }
        remarks += roots.contained.map { "the source root “\(ByteText.printable($0))” is inside the container." }
        guard !roots.roots.isEmpty else { return remarks }
        guard let summary = index?.summary else { return remarks + ["the source code cannot be read."] }
        if summary.files == 0, roots.isSelected { remarks.append("the source roots contain no source code.") }
        if summary.failures > 0 {
            remarks.append("\(Quantity.count(summary.failures, "item")) of the source code could not be read.")
        }
        if summary.isCut {
            remarks.append("the source code is too large to be read completely. Specify a smaller --source-root.")
        }
        if unanswered > 0 {
            remarks.append(
                "the source code was searched for \(Quantity.count(answered, "item")), and not for "
                    + "\(Quantity.grouped(unanswered)) more.")
        }
        return remarks
    }
}
