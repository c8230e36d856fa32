import ArgumentParser
import CommandLineSupport
import SourceCode
import StoragePolicy

/// The option that selects the source code of the app.
struct SourceRootOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Search the source code in this directory (repeatable), or in none. (default: the source-root of the \
            configuration, else the git work tree of the configuration or of the working directory)
            """, valueName: "directory"), completion: .directory)
    var sourceRoot: [String] = []

    /// - Throws: `ValidationError` if a specified directory is in an input or cannot be opened.
    func check(besides inputs: [String]) throws {
        guard !sourceRoot.isEmpty else { return }
        if let problem = SourceRoots(sourceRoot, configuration: nil, besides: inputs).problem {
            throw ValidationError(problem)
        }
    }

    /// Returns the source code for each configuration, which is not read yet. Equal roots share it, also with earlier ones.
    func sources(
        for configurations: [Configuration], besides inputs: [String], threads: ThreadOptions? = nil,
        sharing earlier: [AppSource] = []
    ) -> [AppSource] {
        var known = Dictionary(earlier.map { ($0.roots, $0) }) { first, _ in first }
        return configurations.map { configuration in
            let roots = SourceRoots(
                sourceRoot.isEmpty ? configuration.sourceRoots : sourceRoot, configuration: configuration.files.last,
                besides: inputs)
            if let source = known[roots] { return source }
            let source = AppSource(roots, besides: inputs, threads: threads?.jobs ?? 0, sdk: RegisteredWriters.name)
            known[roots] = source
            return source
        }
    }
}
