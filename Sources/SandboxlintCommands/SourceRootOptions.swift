import ArgumentParser
import CommandLineSupport
import FileSystem
import SourceCode
import StoragePolicy
import SystemPackage
import TextOutput

/// The option that selects the source code of the app.
struct SourceRootOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Search the source code in this directory (repeatable). (default: the git work tree of the configuration, else of \
            the working directory)
            """, valueName: "directory"), completion: .directory)
    var sourceRoot: [String] = []

    /// A root with the text that stands before the paths of its files.
    struct Root {
        let path: FilePath
        let prefix: String
    }

    /// Returns the directories to search: those of the option, or the default one. Never the input or a directory in it.
    ///
    /// - Throws: `ValidationError` if a specified directory is in the input, or if no default is found.
    func roots(configuration: String?, besides input: String) throws -> [Root] {
        let working = Invocation.current.workingDirectory
        let container = FilePath(input).physical(from: working.path)
        guard sourceRoot.isEmpty else {
            return try sourceRoot.map { text in
                let path = FilePath(text)
                guard !Self.isBeneath(path.physical(from: working.path), container) else {
                    throw ValidationError(
                        "“\(ByteText.printable(text))” is inside the container. Specify the directory of the source code."
                    )
                }
                let prefix = text.hasSuffix("/") ? text : text + "/"
                return Root(path: path, prefix: text == "." || text == "./" ? "" : prefix)
            }
        }
        let starts = [
            configuration.map { FilePath($0).physical(from: working.path).removingLastComponent() }, working.path,
        ]
        for start in starts.compactMap(\.self) {
            guard let tree = Self.workTree(above: start.physical(from: working.path)), !Self.isBeneath(tree, container)
            else {
                continue
            }
            return [Root(path: tree, prefix: "")]
        }
        throw ValidationError(
            "There is no git work tree around the working directory. Specify the directory of the source code: --source-root DIR."
        )
    }

    /// Returns the closest directory with `.git`, a directory or a file, at a path or above it.
    private static func workTree(above path: FilePath) -> FilePath? {
        var path = path
        while true {
            if let folder = try? Folder(opening: path), let found = try? folder.statusIfPresent(".git"),
                found.isFile || found.kind == .directory
            {
                return path
            }
            guard path.removeLastComponent() else { return nil }
        }
    }

    private static func isBeneath(_ path: FilePath, _ directory: FilePath) -> Bool { path.starts(with: directory) }
}
