internal import AppContainer
internal import StoragePolicy
internal import TextOutput

/// The verdict on a run in at most four lines: the bytes in backups, what may be lost, secrets, and App Review's launch test.
struct RunVerdict {
    private let run: LintRun
    private var report: LintReport { run.report }

    init(_ run: LintRun) { self.run = run }

    /// The lines with their labels; empty if nothing was found.
    var lines: [(label: String, text: String)] {
        guard !report.findings.isEmpty else { return [] }
        return [("Backups", backups), ("Loss", loss), ("Secrets", secrets), ("App Review", review)]
    }

    /// The bytes in backups that the app can download again, and those that nothing accounts for.
    private var backups: String {
        let likely = bytes(report.findings.filter { $0.isSurelyRegenerable && !$0.isCertain })
        let proven = report.regenerableBackedUpBytes - likely
        let undecided = report.undecidedBackedUpBytes
        let parts = [
            proven > 0 ? "\(Quantity.bytes(proven)) re-downloadable or regenerable" : nil,
            likely > 0 ? "\(Quantity.bytes(likely)) \(proven > 0 ? "likely so" : "likely re-downloadable")" : nil,
            undecided > 0 ? "\(Quantity.bytes(undecided)) undecided" : nil,
        ].compactMap(\.self)
        let backedUp = "\(Quantity.bytes(report.backedUpBytes)) of \(Quantity.bytes(report.bytes)) are in every backup"
        guard parts.isEmpty else { return "\(backedUp): \(parts.joined(separator: ", "))" }
        return "\(backedUp); "
            + (isFreshInstall
                ? "nobody has used the app yet, so that none of it is user data"
                : "nothing in it looks re-downloadable")
    }

    /// The user data that a purge or a new device would take.
    private var loss: String {
        let lost = report.findings.filter(\.isAboutLoss)
        let purged = lost.filter { $0.location.purge != .never }
        let missing = lost.filter { $0.location.purge == .never }
        let parts = [
            purged.isEmpty ? nil : "a purge would delete \(extent(of: purged))",
            missing.isEmpty ? nil : "a new device would lack \(extent(of: missing))",
        ].compactMap(\.self)
        return parts.isEmpty ? "no user data found outside of backups" : parts.joined(separator: "; ")
    }

    private var secrets: String {
        let secrets = report.findings.filter { $0.rule.group == .privacy && $0.severity > .note }
        guard !secrets.isEmpty else { return "none found" }
        let files = Set(secrets.map { Item(of: $0) })
        let backedUp = Set(secrets.filter(\.isBackedUp).map { Item(of: $0) })
        return
            "\(Quantity.count(files.count, "file")) with secrets or identifiers, "
            + "\(Quantity.grouped(backedUp.count)) in every backup"
    }

    /// The result of App Review's launch test, or the way to run it.
    private var review: String {
        guard isFreshInstall else {
            return "the launch test was not run: launch a new installation once, then lint it with `--fresh-install`"
        }
        let failing = report.findings.filter { $0.severity == .error && $0.rule.group == .backup }
        guard !failing.isEmpty else {
            return "the launch test passes: the first launch adds nothing to reject to backups"
        }
        return
            "the launch test fails: \(Quantity.count(failing.count, "error")) about data in backups after the first launch"
    }

    private var isFreshInstall: Bool { report.inputs.allSatisfy(\.isFreshInstall) }

    private func bytes(_ findings: [Finding]) -> UInt64 { findings.reduce(0) { $0.addingSaturated($1.bytes) } }

    private func extent(of findings: [Finding]) -> String {
        var seen: Set<Item> = []
        let different = findings.filter { seen.insert(Item(of: $0)).inserted }
        let items = different.reduce(0) { $0 + $1.items }
        return "\(Quantity.count(items, "item")) of user data (\(Quantity.bytes(bytes(different))))"
    }

    /// An item of an input.
    private struct Item: Hashable {
        private let input: Int
        private let path: [UInt8]
        init(of finding: Finding) { (input, path) = (finding.input, finding.path) }
    }
}

extension Finding {
    /// True if the user may lose the item.
    fileprivate var isAboutLoss: Bool {
        Self.losses.contains(rule.id)
    }

    private static let losses: Set<String> = [
        "exclusion-on-user-document", "user-store-in-caches", "user-data-in-tmp", "user-store-excluded",
        "store-split-across-policy", "user-data-purged", "user-data-not-restored", "user-data-excluded",
        "user-file-in-caches", "declared-data-without-backup",
    ]
}
