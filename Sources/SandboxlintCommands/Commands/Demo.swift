import AppContainer
import ArgumentParser
import CommandLineSupport
import ContainerInputs
import FileSystem
import Foundation
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// `sandboxlint demo [DIR]`
struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Write the small container of a made-up app, and lint it.",
        usage: "sandboxlint demo [<options>] [<directory>]",
        discussion: """
            The app shows hiking trails. Its container has downloaded photos in Documents, a map tile that lost its backup \
            exclusion, a token in the preferences, and favorites in Caches. Configuration files are ignored. The container is \
            kept, for the commands that are printed below the report; a second run needs another directory.

            Examples:
              sandboxlint demo
              sandboxlint demo trails

            Exit codes: 0 written and linted, 2 usage error, or a directory that is not empty or cannot be written, 3 not \
            fully read, 4 internal error.
            """)

    @Argument(
        help: ArgumentHelp(
            "A directory that does not exist or is empty. (default: a new one in $TMPDIR)", valueName: "directory"),
        completion: .directory)
    var directory: String?

    @OptionGroup(title: "Output") var look: StyleOptions

    func run() throws {
        // A path that begins with a hyphen would be an option in the commands below.
        let path = directory.map { $0.hasPrefix("-") ? "./" + $0 : $0 } ?? Self.temporaryPath
        do throws(ContainerError) {
            try DemoContainer.write(to: FilePath(path))
        } catch {
            Failure.printMessage("sandboxlint: \(error)")
            throw Failure.usage
        }
        let rules = try Catalogue.embedded()
        let linter = try Linter(catalogue: rules)
        var linted = LintedInputs()
        try linted.lint([.path(path)], by: [linter], showing: ProgressLine(.never))
        let run = LintRun(
            linted.report, by: linted.linters, rules: rules.rules, failures: linted.failures, failOn: .error,
            version: Sandboxlint.version)
        let style = look.style
        let output = Output(style)
        ReportFormat.text.write(run, style: style, to: output.write)
        output.write(Self.nextCommands(for: path))
        try output.end()
        if linted.isInputWrong || !linted.report.isComplete { throw Failure.input }
    }

    private static var temporaryPath: String {
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        return Invocation.current.temporaryDirectory.appending("sandboxlint-demo-\(number)").string
    }

    /// Returns the end of the output: the path of the container, and commands that work on it.
    private static func nextCommands(for path: String) -> String {
        let word = ByteText.shellWord(path)
        let commands = [
            "explain \(word) \(DemoContainer.photo)", "fix \(word) --diff", "fix \(word)",
            "lint \(word) --output html=report.html",
        ]
        return "\nThe container is in \(ByteText.printable(path)). Commands to try:\n"
            + commands.map { "  sandboxlint \($0)\n" }.joined()
    }
}

/// The container of an app that shows hiking trails, with one fault of each main kind.
enum DemoContainer {
    /// The path of one of the downloaded photos.
    static let photo = "Documents/photos/eagle-ridge.jpg"
    private static let trails = [
        "alpine-meadow", "birch-valley", "copper-gorge", "dune-crossing", "eagle-ridge", "fern-hollow",
    ]
    private static let identifier = "com.example.trails"
    /// The first bytes of a JPEG picture (JFIF 1.1), and of a PNG picture of 256 × 256 pixels.
    private static let jpeg: [UInt8] =
        [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
    private static let png: [UInt8] =
        [0x89] + Array("PNG\r\n".utf8) + [0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 1, 0, 0, 0, 1, 0]
        + [8, 2, 0, 0, 0, 0xd3, 0x10, 0x3f, 0x31]

    /// Creates the container. Its content is the same each time.
    ///
    /// - Throws: The errors of `Container.create` and of saves; the container may then be incomplete.
    static func write(to path: FilePath) throws(ContainerError) {
        var container = try Container.create(at: path, bundleIdentifier: identifier)
        container.recording = .given
        // Re-downloadable data in Documents.
        for (index, trail) in trails.enumerated() {
            let address = URL(string: "https://trails.example.com/photos/\(trail).jpg")
            try container.save(
                jpeg + [UInt8](repeating: 0x20, count: 40_000 + index * 1000), to: .documents / "photos/\(trail).jpg",
                options: .init(durability: .none, provenance: address.map { .downloaded(from: $0) }))
        }
        // An exclusion that was lost: the last tile was saved again by a rename.
        for column in 2170...2177 {
            let tile = ContainerPath.applicationSupport / "maps/12-\(column).png"
            try container.save(
                png + [UInt8](repeating: 0x20, count: 20_000), to: tile, options: .init(durability: .none))
            if column < 2177 { try container.excludeFromBackup(tile) }
        }
        // A secret in the preferences, and user data in Caches. The token was never valid.
        let preferences = ["units": "metric", "accessToken": "q7Zk2Xv9LpR4tW8sYb3" + "Nq7Zk2Xv9LpR4tW8s"]
        try container.save(preferences, to: .preferences / "\(identifier).plist", options: .init(durability: .none))
        try container.save(
            ["favorites": ["Eagle Ridge", "Fern Hollow"]], to: .caches / "favorites.plist",
            options: .init(durability: .none))
        // Nothing is wrong with this one.
        try container.save(
            track, to: .documents / "Sunday walk.gpx", options: .init(durability: .none, provenance: Provenance(.user)))
    }

    private static let track = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Trails" xmlns="http://www.topografix.com/GPX/1/1">
          <trk><name>Sunday walk</name><trkseg>
            <trkpt lat="47.4212" lon="10.9863"/><trkpt lat="47.4218" lon="10.9871"/>
          </trkseg></trk>
        </gpx>

        """
}
