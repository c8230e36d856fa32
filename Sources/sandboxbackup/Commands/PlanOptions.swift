import AppContainer
import ArgumentParser
import CommandLineSupport
import BackupPlan
import FileSystem
import Foundation
import SystemPackage

extension BackupView: ExpressibleByArgument {}

/// The container and the rules of its plan, for `plan` and `create`.
struct PlanOptions: ParsableArguments {
    @Argument(help: "The container of an app: the directory that contains Documents, Library and tmp.")
    var container: String
    @Option(help: "Plan the backup that Finder (finder: encrypted, finder-unencrypted) or iCloud (icloud) makes.")
    var view: BackupView = .finder
    @Option(help: ArgumentHelp("Set the bundle identifier if the container does not name it.", valueName: "identifier"))
    var bundleId: String?
    @Flag(help: "Exclude directories that contain a CACHEDIR.TAG.")
    var excludeCachesTag = false
    @Flag(help: "Exclude items with the nodump flag (chattr +d, chflags nodump).")
    var excludeNodump = false

    var rules: PlanRules {
        var rules = PlanRules(view: view)
        (rules.respectsCacheTags, rules.respectsNoDump) = (excludeCachesTag, excludeNodump)
        return rules
    }

    /// Opens the container, and notes if reading it changes access times.
    func open() throws -> Container {
        let opened = try Container.open(FilePath(container), bundleIdentifier: bundleId)
        // On Linux only root and the owner of a file may read it without changing its access time (O_NOATIME).
        if geteuid() != 0, let owner = try? opened.folder.status("").owner.user, owner != geteuid() {
            Failure.note(
                "note: the container belongs to another user, so reading changes the access times of its files")
        }
        return opened
    }
}
