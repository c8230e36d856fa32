internal import StoragePolicy
internal import TextOutput

/// The totals of each app, for reports about several apps. Those with the most severe findings come first.
struct AppTotalsText {
    /// The maximum number of apps. The JSON report contains all.
    private static let most = 40
    private let apps: [AppTotals]

    init(_ report: LintReport) {
        let apps = report.apps
        func precedes(_ left: AppTotals, _ right: AppTotals) -> Bool {
            for severity in Severity.allCases where left.count(of: severity) != right.count(of: severity) {
                return left.count(of: severity) > right.count(of: severity)
            }
            return (left.bundleIdentifier ?? "") < (right.bundleIdentifier ?? "")
        }
        self.apps = apps.count > 1 ? apps.sorted(by: precedes) : []
    }

    /// One line for each app; empty for a report about one app.
    func text(style: Style) -> String {
        guard !apps.isEmpty else { return "" }
        let lines = apps.prefix(Self.most).map { app in
            "  \(Self.name(of: app)): \(Self.findings(of: app)); \(Self.extent(of: app))\n"
        }
        let others = apps.count > Self.most ? "  … \(apps.count - Self.most) more apps (--format json)\n" : ""
        return "\(style.bold(Quantity.count(apps.count, "app")))\n\(lines.joined())\(others)\n"
    }

    /// The rows of a table in Markdown; empty for a report about one app.
    var rows: [String] {
        apps.map { app in
            let findings = Severity.allCases.map { "\(app.count(of: $0)) |" }.joined(separator: " ")
            return "| \(MarkdownText.code(Self.name(of: app))) | \(app.containers) | \(findings) "
                + "\(Quantity.bytes(app.content.bytes)) | \(Quantity.bytes(app.content.backedUpBytes)) |\n"
        }
    }

    private static func name(of app: AppTotals) -> String {
        app.bundleIdentifier.map { ByteText.escaped(Array($0.utf8)) } ?? "unknown app"
    }

    private static func findings(of app: AppTotals) -> String {
        let counts = Severity.allCases.filter { app.count(of: $0) > 0 }
        if counts.isEmpty { return "no findings" }
        return counts.map { Quantity.count(app.count(of: $0), $0.rawValue) }.joined(separator: ", ")
    }

    private static func extent(of app: AppTotals) -> String {
        "\(Quantity.count(app.containers, "container")), \(Quantity.bytes(app.content.bytes)), "
            + "\(Quantity.bytes(app.content.backedUpBytes)) included in backups"
    }
}
