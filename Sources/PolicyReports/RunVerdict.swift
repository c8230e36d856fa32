internal import AppContainer
internal import StoragePolicy
internal import TextOutput

/// The verdict on a run in at most five lines: user data that may be lost, the bytes in backups, secrets, App Review,
/// and the first thing to do.
struct RunVerdict {
    private let run: LintRun
    private let first: Cause?
    private var report: LintReport { run.report }
    /// The smallest amount of re-downloadable data for which App Review is known to have rejected an app: see
    /// `regenerable-budget`.
    private static let smallestRejected: UInt64 = 2_750_000

    /// Creates the verdict on a run with causes in the order of reports.
    init(_ run: LintRun, _ causes: [Cause]) {
        self.run = run
        first = causes.first
    }

    /// The lines with their labels; empty if nothing was found.
    var lines: [(label: String, text: String)] {
        guard !report.findings.isEmpty else { return [] }
        let lost = report.findings.filter(\.isAboutLoss)
        let sums = [("Loss", loss(of: lost)), ("Backups", backups)]
        return (lost.isEmpty ? sums.reversed() : sums) + [("Secrets", secrets), ("App Review", review)]
            + (firstStep.map { [("Do first", $0)] } ?? [])
    }

    /// The bytes in backups that the app can download again, those that nothing accounts for, and the others.
    private var backups: String {
        let regenerable = report.regenerableBackedUpBytes
        let proven = provenBytes
        let likely = regenerable - proven
        let undecided = report.undecidedBackedUpBytes
        let backedUp = "\(Quantity.bytes(report.backedUpBytes)) of \(Quantity.bytes(report.bytes)) are in every backup"
        guard regenerable > 0 || undecided > 0 else {
            return "\(backedUp); "
                + (run.isFreshInstall
                    ? "nobody has used the app yet, so that none of it is user data"
                    : "nothing in it looks re-downloadable")
        }
        let others = report.backedUpBytes - min(report.backedUpBytes, regenerable.addingSaturated(undecided))
        let parts = [
            proven > 0 ? "\(Quantity.bytes(proven)) re-downloadable or regenerable" : nil,
            likely > 0 ? "\(Quantity.bytes(likely)) \(proven > 0 ? "likely so" : "likely re-downloadable")" : nil,
            undecided > 0 ? "\(Quantity.bytes(undecided)) undecided (`sandboxlint init --ask`)" : nil,
            others > 0 ? "\(Quantity.bytes(others)) others" : nil,
        ]
        return "\(backedUp): \(parts.compactMap(\.self).joined(separator: ", "))"
    }

    /// The bytes in backups that are re-downloadable or regenerable by proof.
    private var provenBytes: UInt64 {
        report.regenerableBackedUpBytes - bytes(report.findings.filter { $0.isSurelyRegenerable && !$0.isCertain })
    }

    /// The user data that a purge or a new device would take.
    private func loss(of lost: [Finding]) -> String {
        let purged = lost.filter { $0.location.purge != .never }
        let missing = lost.filter { $0.location.purge == .never }
        let parts = [
            purged.isEmpty ? nil : "the system may delete \(extent(of: purged))",
            missing.isEmpty ? nil : "a new device would lack \(extent(of: missing))",
        ].compactMap(\.self)
        let kept = parts.isEmpty ? ["no user data found outside of backups"] : parts
        return (kept + [brokenPaths].compactMap(\.self)).joined(separator: "; ")
    }

    /// The stored paths that the next update of the app makes invalid.
    private var brokenPaths: String? {
        let broken = report.findings.filter { $0.rule.id == "absolute-container-path" }
        let files = Set(broken.map { Item(of: $0) })
        guard let first = broken.first else { return nil }
        return "the next update of the app breaks paths that are stored in \(names(first, of: files.count))"
    }

    private var secrets: String {
        let secrets = report.findings.filter { $0.rule.group == .privacy && $0.severity > .note }
        // The file that the first block names, if it has a secret.
        guard let first = secrets.first(where: { $0.path == first?.first.path }) ?? secrets.first else {
            return "none found"
        }
        let files = Set(secrets.map { Item(of: $0) })
        let backedUp = Set(secrets.filter(\.isBackedUp).map { Item(of: $0) })
        let found =
            "\(Quantity.count(files.count, "file")) with secrets or identifiers: \(names(first, of: files.count))"
        let all = files.count == 1 ? "it" : "all of them"
        let revealed = backedUp.count == files.count ? all : "\(Quantity.grouped(backedUp.count)) of them"
        return backedUp.isEmpty ? "\(found); no backup contains them" : "\(found); a stolen backup reveals \(revealed)"
    }

    /// The reasons of App Review to reject the app, and the result of its test of a first launch or the way to run it.
    private var review: String {
        guard run.isFreshInstall else {
            let test = "the test of a first launch was not run (`--fresh-install`)"
            let most = min(
                report.backedUpBytes, report.regenerableBackedUpBytes.addingSaturated(report.undecidedBackedUpBytes))
            let amount = "\(Quantity.bytes(provenBytes)) of re-downloadable data in backups"
            if provenBytes >= Self.smallestRejected {
                return "a rejection is likely: \(amount), and apps were rejected for 2.75 MB; \(test)"
            }
            if most >= Self.smallestRejected {
                return
                    "a rejection is possible: up to \(Quantity.bytes(most)) in backups may be re-downloadable, and apps "
                    + "were rejected for 2.75 MB; \(test)"
            }
            return provenBytes == 0
                ? "no reason for a rejection found; \(test)"
                : "no rejection is known for so little: \(amount), and the least was 2.75 MB; \(test)"
        }
        let failing = report.findings.filter { $0.severity == .error && $0.rule.group == .backup }
        guard !failing.isEmpty else {
            return "the test of a first launch passes: it adds nothing to reject to backups"
        }
        return
            "the test of a first launch fails: \(Quantity.count(failing.count, "error")) about data in backups after the first launch"
    }

    /// The solution of the first cause; nil if all findings are notes.
    private var firstStep: String? {
        guard let first, first.severity > .note else { return nil }
        if let fix = first.commonFix { return fix }
        return first.path.isEmpty ? first.first.help : "\(shortened(first.location)): \(first.first.help)"
    }

    private func bytes(_ findings: [Finding]) -> UInt64 { findings.reduce(0) { $0.addingSaturated($1.bytes) } }

    /// Returns the number of items, their size, and the path of the first of them.
    private func extent(of findings: [Finding]) -> String {
        var seen: Set<Item> = []
        let different = findings.filter { seen.insert(Item(of: $0)).inserted }
        let items = different.reduce(0) { $0 + $1.items }
        let size = Quantity.bytes(bytes(different))
        return "\(Quantity.count(items, "item")) of user data (\(size)): \(names(different[0], of: different.count))"
    }

    /// Returns the path of one of several items, and the number of the others.
    private func names(_ finding: Finding, of count: Int) -> String {
        shortened(finding.displayPath) + (count > 1 ? " and \(Quantity.grouped(count - 1)) more" : "")
    }

    /// Returns a path in one line. The block of the finding has all of it.
    private func shortened(_ path: String) -> String { Columns.cut(path, to: 120) }

    /// An item of an input.
    private struct Item: Hashable {
        private let input: Int
        private let path: [UInt8]
        init(of finding: Finding) { (input, path) = (finding.input, finding.path) }
    }
}

extension Finding {
    /// True if the user may lose the item.
    var isAboutLoss: Bool {
        Self.losses.contains(rule.id)
    }

    private static let losses: Set<String> = [
        "exclusion-on-user-document", "user-store-in-caches", "user-data-in-tmp", "user-store-excluded",
        "store-split-across-policy", "user-data-purged", "user-data-not-restored", "user-data-excluded",
        "user-file-in-caches", "declared-data-without-backup",
    ]
}
