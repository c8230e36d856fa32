import AppContainer
import ArgumentParser
import BackupPlan
import BackupReports
import FileSystem
import Foundation
import SystemPackage

extension BackupView: ExpressibleByArgument {}

/// A container, and what decides what is kept of it: the same for a plan and for what is made by it.
struct PlanOptions: ParsableArguments {
    @Argument(help: "An app's container: the directory that holds Documents, Library and tmp.")
    var container: String

    @Option(help: "Whose backup it is to be like: finder (encrypted), finder-unencrypted, or icloud.")
    var view: BackupView = .finder

    @Option(help: ArgumentHelp("Whose container it is, where it does not say.", valueName: "identifier"))
    var bundleId: String?

    @Flag(help: "Leave out directories that hold a CACHEDIR.TAG.")
    var excludeCachesTag = false

    @Flag(help: "Leave out what is marked to be left out of dumps (chattr +d, chflags nodump).")
    var excludeNodump = false

    var rules: PlanRules {
        var rules = PlanRules(view: view)
        (rules.heedsCacheTags, rules.heedsNoDump) = (excludeCachesTag, excludeNodump)
        return rules
    }

    /// Opens the container, and says where reading it leaves traces.
    func open() throws -> Container {
        let opened = try Container.open(FilePath(container), bundleIdentifier: bundleId)
        // Linux lets root and a file's owner alone read it so that its access time stays (O_NOATIME).
        if geteuid() != 0, let owner = try? opened.folder.status("").owner.user, owner != geteuid() {
            Failure.say(
                "sandboxbackup: note: the container belongs to another user, so reading it moves its files' access times"
            )
        }
        return opened
    }
}
