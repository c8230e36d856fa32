import AppContainer
import ArgumentParser
import CommandLineSupport
import FileSystem
import SourceCode
import StoragePolicy
import SystemPackage
import TextOutput

/// `sandboxlint written-by INPUT PATH…`
struct WrittenBy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "written-by",
        abstract: "Print the lines of source code that probably write a file of a container.",
        usage: "sandboxlint written-by [<options>] <input> <path> ...",
        discussion: """
            The string literals of the app's source code (Swift, Objective-C, C++, Dart, TypeScript, JavaScript, Kotlin, C#, \
            Go, Rust) are compared with the path of each file. Up to three lines are printed with the probability that they \
            are right; none below 50 %. Files that the system or a known SDK writes have no line.

            Ignored: what .gitignore ignores, links, Pods, node_modules, Carthage, build results and minified files. Tests, \
            generated files and other platforms count less. Nothing is written, and no verdict of `lint` changes.

            Examples:
              sandboxlint written-by path/to/container Documents/cache.json
              sandboxlint written-by container Documents/a.db tmp/b.zip --source-root ~/app
              sandboxlint written-by container Documents/cache.json --format json

            Exit codes: 0 printed, also if there is no line, 2 usage error or no source code, 3 path missing or source code \
            not fully read, 4 internal error.
            """)

    @Argument(help: "An app container: the directory that contains Documents, Library and tmp.", completion: .directory)
    var input: String

    @Argument(help: ArgumentHelp("Files in it, such as Documents/a.jpg.", valueName: "path"))
    var paths: [String]

    @OptionGroup(title: "Source Code") var source: SourceRootOptions

    @OptionGroup(title: "Configuration") var options: ConfigurationOptions

    @OptionGroup(title: "Analysis") var threads: ThreadOptions

    @OptionGroup(title: "Output") var printed: FormatOptions

    @OptionGroup(title: "Output") var look: StyleOptions

    func run() throws {
        let container = try Failure.ofInput { try Container.open(FilePath(input)) }
        let items = try paths.map { path in
            guard let item = Self.existing(path, in: container) else {
                Failure.printMessage(
                    "sandboxlint: \(ByteText.printable(input)) does not contain "
                        + "\(ByteText.escaped(ByteText.unescaped(path))). Pass the path relative to the container, such as "
                        + "Documents/a.jpg.")
                throw Failure.input
            }
            return item
        }
        let configuration = try options.configuration(for: input)
        try source.check(besides: [input])
        guard let source = source.sources(for: [configuration], besides: [input], threads: threads).first,
            !source.roots.roots.isEmpty
        else {
            throw ValidationError(
                "There is no git work tree around the working directory. Specify the directory of the source code: --source-root DIR."
            )
        }
        let text = WrittenByText(source, paths: items)
        try Invocation.current.interruption.check()
        let style = look.style
        try Output.show(printed.format, style: style, text: { $0(text.text(style: style)) }, json: text.json)
        for remark in text.remarks { Failure.printMessage("sandboxlint: \(remark)") }
        if !text.isComplete { throw Failure.input }
    }

    /// Returns the path of an item as it is on disk, or nil.
    private static func existing(_ text: String, in container: Container) -> [UInt8]? {
        ByteText.readings(of: text).lazy
            .map {
                Array(
                    $0.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }.joined(separator: [
                        UInt8(ascii: "/")
                    ]))
            }
            .first {
                !$0.isEmpty && !$0.contains(0)
                    && ((try? container.folder.statusIfPresent(FilePath(bytes: $0))) ?? nil) != nil
            }
    }
}
