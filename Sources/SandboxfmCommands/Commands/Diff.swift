import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import ContainerInputs
import ContainerTree
import FileSystem
import StoragePolicy
import TextOutput

/// `sandboxfm diff A B`
struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the items in which two containers differ.",
        discussion: CommandHelp.discussion(
            """
            - only in A, + only in B, ~ changed: the kind, size, content or target of a link; times and modes are not \
            compared. A directory that only one has is one line with everything below it. Both can be any input, also a \
            repository of sandboxbackup, whose latest snapshot or that of --snapshot is compared.
            """,
            examples: [
                "sandboxfm diff BEFORE AFTER",
                "sandboxfm diff CONTAINER REPOSITORY --backed-up",
                "sandboxfm diff backup.zip CONTAINER --class --json",
            ],
            exits: [
                ExitStatus(0, meaning: "equal"), ExitStatus(1, meaning: "different"),
                ExitStatus(2, meaning: "usage error or failed"), .incomplete, .interrupted,
            ]))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "The other container.", completion: .file()) var other: String?
    @Flag(
        name: .customLong("class"),
        help: "Also print the class of each item, with ! if it is proven, and sums by class, as in ls --class.")
    var printsClasses = false
    @Flag(
        help: ArgumentHelp(
            "Compare the content of all files of equal size. (default: only if their modification dates differ)"))
    var content = false
    @Flag(help: "Compare only what a backup includes.") var backedUp = false
    @OptionGroup(title: "Output") var output: OutputOptions

    private var second: String {
        get throws { try container.required(["other"], arguments: [other])[0] }
    }

    func validate() throws { _ = try second }

    func run() throws {
        let isComplete: Bool
        let isEqual: Bool
        do { (isEqual, isComplete) = try compare() } catch let error where !(error is ExitCode) {
            // As of diff: 1 says that the containers differ.
            let code = Sandboxfm.report(error)
            throw code == Failure.failed ? ExitCode(ExitStatus.usage.code) : code
        }
        if !isComplete { throw Failure.incomplete }
        if !isEqual { throw ExitCode(1) }
    }

    private func compare() throws -> (isEqual: Bool, isComplete: Bool) {
        let (left, right) = (
            try container.openInput(), try container.openInput(at: second, password: container.secret.password)
        )
        try container.requireRepository(among: [left, right])
        for input in [left, right] { input.printRemarks() }
        return try withExtendedLifetime((left, right)) {
            let indexes = try [left, right].map { try ContainerIndex(of: DirectoryTree($0.container.container)) }
            let interruption = Invocation.current.interruption
            var options = ContainerComparison.Options()
            options.comparesAllContent = content
            options.comparesOnlyBackedUp = backedUp
            options.isCancelled = { interruption.isRequested }
            guard let comparison = ContainerComparison(indexes[0], indexes[1], options: options) else {
                try interruption.check()
                return (false, false)
            }
            try output.print(
                ComparisonListing(
                    comparison, left: left.path, right: right.path,
                    classes: printsClasses ? try classes(in: comparison, left.path, right.path) : nil))
            for (input, index) in zip([left, right], indexes) {
                for failure in index.failures {
                    let path = failure.path.isEmpty ? "the container" : "“\(ByteText.escaped(failure.path))”"
                    StandardError.printNote("\(path) of “\(input.path.printable)” was not read: \(failure.reason)")
                }
            }
            for item in comparison.uncompared {
                StandardError.printNote("“\(ByteText.escaped(item.path))” was not compared: \(item.reason)")
            }
            return (comparison.isEqual, comparison.isComplete && left.gaps.isEmpty && right.gaps.isEmpty)
        }
    }

    private func classes(
        in comparison: ContainerComparison, _ left: String, _ right: String
    ) throws -> ComparisonListing.Classes {
        let items = comparison.differences.flatMap(comparison.items)
        return ComparisonListing.Classes(
            left: try container.classes(
                of: items.filter { $0.right == nil }.compactMap(\.left), in: comparison.left, configuredAt: left),
            right: try container.classes(of: items.compactMap(\.right), in: comparison.right, configuredAt: right))
    }
}
