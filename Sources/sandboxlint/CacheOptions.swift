import ArgumentParser
import FileSystem
import Foundation
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// The option that selects a cache.
struct CacheOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep the results of reading files here, so that the next run reads only changed files. (default: none)",
            discussion: """
                The findings are the same as without a cache. The file can be deleted at any time. Archives, device \
                backups and --after do not use it.
                """, valueName: "path"),
        completion: .file())
    var cache: String?

    /// Opens the cache, if one is given. Prints a note if the existing file is ignored.
    ///
    /// - Throws: An error if the path is a directory or inside one of the inputs, which must not be modified.
    func open(besides inputs: [String]) throws -> LintCache? {
        guard let cache else { return nil }
        if let input = inputs.first(where: { ReportFile.lies(cache, in: $0) }) {
            throw ValidationError(
                "“\(ByteText.printable(cache))” is inside the container “\(ByteText.printable(input))”, which must not be "
                    + "modified; specify a file outside it with --cache.")
        }
        let opened = try LintCache(path: cache, build: Self.build)
        if let problem = opened.problem { Failure.say("sandboxlint: \(problem)") }
        return opened
    }

    /// Writes the cache. An error is printed and does not change the exit code.
    static func write(_ cache: LintCache?) {
        if let problem = cache?.write() { Failure.say("sandboxlint: \(problem)") }
    }

    /// The version, and the size and time of the program's file, which differ between builds of one version.
    private static var build: String {
        guard let path = Bundle.main.executablePath.map({ FilePath($0) }), let name = path.lastComponent,
            let folder = try? Folder(opening: path.removingLastComponent()),
            let status = try? folder.open(FilePath(root: nil, [name])).status()
        else { return Sandboxlint.version }
        let modified = status.modified
        return "\(Sandboxlint.version) \(status.size) \(modified.seconds).\(modified.nanoseconds)"
    }
}
