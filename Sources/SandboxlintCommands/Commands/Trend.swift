import ArgumentParser
import CommandLineSupport
internal import PolicyRecords
import PolicyReports
import StoragePolicy
import TextOutput

/// `sandboxlint trend REPORT…`
struct Trend: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trend",
        abstract: "Show findings and bytes of several JSON reports, as text, JSON or a page with a chart.",
        usage: "sandboxlint trend <report> ... [<options>]",
        discussion: """
            REPORT is the output of `sandboxlint lint --format json`. The reports are shown in the order in which they are given, \
            with their bytes by treatment in backups. A badge has the result of the last one.

            Examples:
              sandboxlint trend reports/*.json
              sandboxlint trend reports/*.json --format html > trend.html
              sandboxlint trend report.json --badge badge.svg

            Exit codes: 0 printed, 2 usage error, 3 a report is missing or damaged, 4 internal error or badge not written.
            """)

    @Argument(
        help: ArgumentHelp("The JSON reports, the earliest first.", valueName: "report"),
        completion: .file(extensions: ["json"]))
    var reports: [String]

    /// The format of a trend.
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, html }

    /// The options that select the output.
    struct PrintedOptions: ParsableArguments {
        @Option(help: "Print text, json, or html: a page with a chart.")
        var format: Format = .text

        @Option(
            help: ArgumentHelp("Also write an SVG badge with the result of the last report.", valueName: "path"),
            completion: .file(extensions: ["svg"]))
        var badge: String?
    }

    @OptionGroup(title: "Output") var printed: PrintedOptions

    @OptionGroup(title: "Output") var look: StyleOptions

    func validate() throws {
        guard let badge = printed.badge,
            reports.contains(where: { ReportFile.isLocated(badge, in: $0) })
        else { return }
        throw ValidationError(
            "“\(ByteText.printable(badge))” is one of the reports, which must not be overwritten; specify another file."
        )
    }

    func run() throws {
        var codes: [ExitCode] = []
        var points: [TrendContent.Point] = []
        for path in reports {
            // Only the totals are kept, so that the number of reports is not limited.
            do throws(UnreadableSource) { points.append(TrendContent.Point(try EarlierReport(reading: path))) } catch {
                Failure.printMessage("sandboxlint: \(error)")
                codes.append(Failure.input)
            }
        }
        guard let last = points.last else { throw Failure.input }
        if let badge = printed.badge {
            let svg = Badge(last).svg
            do throws(ReportFileError) { try ReportFile.replace(badge) { $0(svg) } } catch {
                Failure.printMessage("sandboxlint: \(error)")
                codes.append(error.isDiskAtFault ? Failure.ownError : Failure.usage)
            }
        }
        let report = TrendReport(points, version: Sandboxlint.version)
        let style = printed.format == .text ? look.style : Style(colored: false)
        let output = Output(style)
        switch printed.format {
        case .text: report.write(style: style, to: output.write)
        case .json: report.json(to: output.write)
        case .html: report.html(to: output.write)
        }
        try output.end()
        if let code = Failure.worst(codes) { throw code }
    }
}
