import AppContainer
import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import ContainerInputs
import TextOutput

/// `sandboxfm cp CONTAINER PATH… TARGET`
struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cp",
        abstract: "Copy items within the container.",
        discussion: CommandHelp.discussion(
            TransferText.note,
            examples: [
                "sandboxfm cp CONTAINER Documents/a.txt Documents/b.txt",
                "sandboxfm cp CONTAINER 'Documents/*.jpg' tmp --dry-run",
            ],
            exits: CommandHelp.changing))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "Paths or patterns of items, then the new path or an existing directory.") var paths: [String] = []
    @OptionGroup var confirmation: Confirmation
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try TransferText.validate(container.following(paths)) }

    func run() throws {
        try container.change(isPlan: confirmation.isPlan) {
            try confirmation.perform(.copy, container.following(paths), in: $0, output)
        }
    }
}

/// `sandboxfm mv CONTAINER PATH… TARGET`
struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mv",
        abstract: "Move or rename items within the container.",
        discussion: CommandHelp.discussion(
            TransferText.note
                + " Items that may be user data only leave the directories that are backed up with --unsafe.",
            examples: [
                "sandboxfm mv CONTAINER Documents/a.txt Documents/b.txt",
                "sandboxfm mv CONTAINER 'Documents/*.part' tmp --dry-run",
            ],
            exits: CommandHelp.changing))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "Paths or patterns of items, then the new path or an existing directory.") var paths: [String] = []
    @Flag(help: "Also move items that may be user data to a directory that is not backed up.") var unsafe = false
    @OptionGroup var confirmation: Confirmation
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try TransferText.validate(container.following(paths)) }

    func run() throws {
        try container.change(isPlan: confirmation.isPlan) {
            try confirmation.perform(.move, container.following(paths), in: $0, allowsUserData: unsafe, output)
        }
    }
}

/// `sandboxfm put CONTAINER FILE… TARGET`
struct Put: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Copy files and directories from outside into the container.",
        discussion: CommandHelp.discussion(
            TransferText.note,
            examples: [
                "sandboxfm put CONTAINER photo.jpg Documents",
                "sandboxfm put CONTAINER settings.plist Documents/copy.plist --yes",
            ],
            exits: CommandHelp.changing))

    @OptionGroup var container: ContainerOptions
    @Argument(
        help: "Files or directories outside, then the new path in the container or an existing directory in it.",
        completion: .file())
    var paths: [String] = []
    @OptionGroup var confirmation: Confirmation
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try TransferText.validate(container.following(paths)) }

    func run() throws {
        try container.change(isPlan: confirmation.isPlan) {
            try confirmation.perform(.put, container.following(paths), in: $0, output)
        }
    }
}

/// `sandboxfm get CONTAINER PATH… TARGET`
struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Copy items out of the container.",
        discussion: CommandHelp.discussion(
            TransferText.note,
            examples: [
                "sandboxfm get CONTAINER Documents/photo.jpg .",
                "sandboxfm get CONTAINER 'Documents/*.pdf' papers",
            ],
            exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @Argument(
        help: "Paths or patterns of items, then the new path outside the container or an existing directory.",
        completion: .file())
    var paths: [String] = []
    @OptionGroup var confirmation: Confirmation
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try TransferText.validate(container.following(paths)) }

    func run() throws {
        // Reads the container, which may be in an archive.
        try container.open { try confirmation.perform(.get, container.following(paths), in: $0.container, output) }
    }
}

/// The help and the checks that all transfers share.
private enum TransferText {
    static let note = """
        Attributes, modes and times are kept, each item is complete or missing, and links are copied as links. Replacing \
        a file asks on a terminal; a directory is never replaced.
        """

    static func validate(_ paths: [String]) throws {
        guard paths.count >= 2 else { throw ValidationError("Name at least one item and the target.") }
    }
}

extension Confirmation {
    fileprivate func perform(
        _ direction: Transfer.Direction, _ paths: [String], in container: Container, allowsUserData: Bool = false,
        _ output: OutputOptions
    ) throws {
        var transfer = try Transfer(
            direction, sources: Array(paths.dropLast()), to: paths.last ?? "", in: container,
            allowsUserData: allowsUserData)
        if isPlan { return try output.printChanges(transfer.plan) }
        let editor = ContainerEditor(container)
        if transfer.replacements > 0 {
            let noUndo = transfer.undoObstacle(in: editor)
            transfer.mayLoseContent = noUndo != nil
            let remark = noUndo.map { ", which cannot be undone because \($0)" } ?? ""
            try confirm(
                transfer.plan, question: "Replace \(Quantity.count(transfer.replacements, "file"))\(remark)")
        }
        try output.printChanges(transfer.perform(by: editor))
    }
}
