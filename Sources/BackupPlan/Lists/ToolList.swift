internal import FileSystem
internal import Foundation
package import SystemPackage

/// A backup tool of someone else's that is told by a list what to take of a container.
package enum ListedTool: String, Sendable, CaseIterable {
    case restic, borg, rsync, tar, tmutil

    /// Whether the tool compares whole paths, from the disk's root on.
    package var needsAbsolutePath: Bool { self == .restic || self == .tmutil }

    /// How the list is given to the tool.
    package var usage: String {
        switch self {
        case .restic: "restic backup --exclude-file=LIST CONTAINER"
        case .borg: "cd CONTAINER && borg create --exclude-from LIST REPOSITORY::NAME ."
        case .rsync: "rsync -aHAX --from0 --exclude-from=LIST CONTAINER/ TARGET/"
        case .tar: "tar --create --file=ARCHIVE --directory=CONTAINER --null --no-recursion --files-from=LIST"
        case .tmutil: "sudo sh LIST"
        }
    }
}

/// Why a list cannot be made.
package enum ToolListError: Error, Hashable, CustomStringConvertible {
    /// The container itself is left out, which no list can say.
    case nothingKept(PlanReason)

    package var description: String {
        switch self {
        case .nothingKept(let reason): "The container itself is left out (\(reason.phrase)): there is nothing to take."
        }
    }
}

/// A plan as the list that another tool takes: with it, the tool takes what the plan keeps and nothing else.
package struct ToolList: Sendable {
    private let plan: Plan
    private let tool: ListedTool
    /// Where the container lies, as the tool names it; empty where it does not matter.
    private let root: [UInt8]

    /// The list for a tool that will be given the container by this path, from the same directory where it is relative.
    ///
    /// - Throws: `nothingKept`.
    package init(_ plan: Plan, for tool: ListedTool, at location: FilePath) throws(ToolListError) {
        if let first = plan.first, first.decision == .exclude { throw .nothingKept(first.reason) }
        self.plan = plan
        self.tool = tool
        // As the tools do: `.`, `..` and doubled slashes are taken out, links stay.
        let whole = location.isAbsolute ? location : Self.workingDirectory.appending(location.components)
        root = tool.needsAbsolutePath ? whole.lexicallyNormalized().bytes : []
    }

    /// The working directory by the name that the shell has for it, as Go's tools have it (`os.Getwd`); that may hold
    /// links.
    private static var workingDirectory: FilePath {
        if let name = ProcessInfo.processInfo.environment["PWD"], name.hasPrefix("/"),
            let named = try? Folder(opening: FilePath(name)).status("").identity,
            let current = try? Folder(opening: ".").status("").identity, named == current
        {
            return FilePath(name)
        }
        return FilePath(FileManager.default.currentDirectoryPath)
    }

    /// The list, bytes as the tool reads them.
    package func write(to output: ([UInt8]) -> Void) {
        let listed: PlanDecision = tool == .tar ? .include : .exclude
        for entry in plan where entry.decision == listed {
            switch tool {
            case .restic: output(ResticList.pattern(root + [slash] + entry.path))
            case .borg: output(BorgList.pattern(entry.path))
            case .rsync: output(RsyncList.pattern(entry.path))
            case .tmutil: output(TmutilList.command(root + [slash] + entry.path))
            case .tar: output(TarList.member(entry.path))
            }
        }
    }

    private var slash: UInt8 { UInt8(ascii: "/") }
}
