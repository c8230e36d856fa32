import AppContainer
import ArgumentParser
import BackupPlan
import CommandLineSupport
import ContainerInputs
import FileSystem
import Foundation
import SystemPackage

extension BackupView: ExpressibleByArgument {}

/// The argument that names a container.
enum ContainerArgument {
    static let help: ArgumentHelp = """
        The container of an app: the directory that contains Documents, Library and tmp, a package .xcappdata, a simulated \
        device, a directory that holds containers, an archive (zip, tar), or a device backup.
        """
}

/// The rules of the plan of a container, for `plan` and `create`.
struct PlanOptions: ParsableArguments {
    @Option(help: "Plan the backup that Finder (finder: encrypted, finder-unencrypted) or iCloud (icloud) makes.")
    var view: BackupView = .finder
    @Flag(help: "Exclude directories that contain a CACHEDIR.TAG.")
    var excludeCachesTag = false
    @Flag(help: "Exclude items with the nodump flag (chattr +d, chflags nodump).")
    var excludeNodump = false

    var rules: PlanRules {
        var rules = PlanRules(view: view)
        (rules.respectsCacheTags, rules.respectsNoDump) = (excludeCachesTag, excludeNodump)
        return rules
    }
}

extension InputContainer {
    /// Prints a note if reading the container changes access times.
    func noteAccessTimes() {
        // On Linux only root and the owner of a file may read it without changing its access time (O_NOATIME).
        guard !isCopy, geteuid() != 0, let owner = try? container.folder.status("").owner.user, owner != geteuid()
        else { return }
        StandardError.note(
            "note: the container belongs to another user, so reading changes the access times of its files")
    }
}
