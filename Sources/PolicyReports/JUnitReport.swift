internal import StoragePolicy
internal import TextOutput

/// JUnit XML according to the schema of Apache Ant: one suite per input. A rule without findings is a passed test. A
/// finding that fails the run is a failed test. A finding below `--fail-on` is a skipped test with its text, so that no
/// viewer counts it as passed; the output of the suite lists it as well. A suppressed finding is a skipped test with the
/// reason. A gap is an error.
///
/// The time of a suite is that of linting its input. All rules are evaluated in one walk, so each test has an equal share.
/// The containers of one app are linted together, and the first has their time.
///
/// GitLab keeps the first of several tests with the same name, so the name contains the rule and the item.
struct JUnitReport {
    private let run: LintRun

    init(_ run: LintRun) { self.run = run }

    func write(to output: (String) -> Void) {
        output(XMLReportText.declaration + "<testsuites>\n")
        var repetitions = Repetitions()
        var suites: [Suite] = run.report.inputs.indices.map(suite)
        if !run.failures.isEmpty {
            suites.append(
                Suite(
                    name: "sandboxlint",
                    tests: run.failures.map {
                        TestCase(name: "input", group: "run", outcome: .error, type: "failed", text: $0.reason)
                    }, told: ""))
        }
        for (number, suite) in suites.enumerated() {
            write(suite, number: number, repetitions: &repetitions, to: output)
        }
        output("</testsuites>\n")
    }

    private struct TestCase {
        enum Outcome: String { case pass, failure, error, skipped }
        let name: String
        let group: String
        let outcome: Outcome
        let type: String
        let text: String
    }

    private struct Suite {
        let name: String
        var tests: [TestCase]
        /// The findings that do not fail a test.
        var told: String
        /// The time of the input in seconds.
        var seconds = 0.0
    }

    private func suite(of input: Int) -> Suite {
        let seconds = input < run.seconds.count ? run.seconds[input] : 0
        var suite = Suite(name: name(of: input), tests: [], told: "", seconds: seconds)
        let findings = run.report.findings.filter { $0.input == input }
        let found = Set(findings.map(\.rule.id))
        for finding in findings {
            let anchor = run.anchors.anchor(of: finding)
            let text = """
                \(finding.severity): \(finding.message)
                at \(anchor.shown):\(anchor.line)
                \(run.remedy([finding]))
                """
            let fails = run.fails(finding)
            if !fails { suite.told += text + "\n\n" }
            suite.tests.append(
                TestCase(
                    name: "\(finding.rule.id): \(finding.path.isEmpty ? "the container itself" : finding.displayPath)",
                    group: finding.rule.group.rawValue, outcome: fails ? .failure : .skipped, type: finding.rule.id,
                    text: text))
        }
        for finding in run.report.suppressedFindings where finding.input == input {
            guard let suppression = finding.suppression else { continue }
            let owner = suppression.owner.map { ", \($0)" } ?? ""
            suite.tests.append(
                TestCase(
                    name: "\(finding.rule.id): \(finding.path.isEmpty ? "the container itself" : finding.displayPath)",
                    group: finding.rule.group.rawValue, outcome: .skipped, type: finding.rule.id,
                    text: "\(suppression.reason) (\(suppression.location)\(owner))"))
        }
        for incident in run.gaps where incident.input == input {
            suite.tests.append(
                TestCase(
                    name: incident.text, group: "run", outcome: .error, type: incident.reason,
                    text: "\(incident.text)\nat \(run.anchors.anchor(of: incident).shown)"))
        }
        for rule in run.rules(puttingTo: input) where !found.contains(rule.id) {
            suite.tests.append(TestCase(name: rule.id, group: rule.group.rawValue, outcome: .pass, type: "", text: ""))
        }
        return suite
    }

    private func name(of input: Int) -> String {
        let name = run.report.inputs[input].bundleIdentifier.map { ByteText.escaped(Array($0.utf8)) } ?? "container"
        return run.report.inputs.count > 1 ? "\(name) (\(input + 1))" : name
    }

    /// Returns seconds with six decimals.
    private static func time(_ seconds: Double) -> String {
        let micros = Int((min(max(0, seconds), 1e9) * 1e6).rounded())
        let decimals = String(micros % 1_000_000)
        return "\(micros / 1_000_000)." + String(repeating: "0", count: 6 - decimals.count) + decimals
    }

    private func write(
        _ suite: Suite, number: Int, repetitions: inout Repetitions, to output: (String) -> Void
    ) {
        let name = XMLReportText.escaped(suite.name)
        func count(_ outcome: TestCase.Outcome) -> Int { suite.tests.count { $0.outcome == outcome } }
        output(
            """
            <testsuite id="\(number)" package="sandboxlint" name="\(name)" timestamp="\(run.moment)" \
            hostname="localhost" tests="\(suite.tests.count)" failures="\(count(.failure))" errors="\(count(.error))" skipped="\(count(.skipped))" time="\(Self.time(suite.seconds))">
            <properties>
            <property name="version" value="\(XMLReportText.escaped(run.version))"/>
            <property name="suppressed" value="\(run.report.suppressed)"/>
            </properties>

            """)
        let share = Self.time(suite.seconds / Double(max(1, suite.tests.count)))
        for test in suite.tests {
            let group = "\(suite.name).\(test.group)"
            let ordinal = repetitions.next("\(group)\n\(test.name)")
            let name = ordinal == 1 ? test.name : "\(test.name) (\(ordinal))"
            output(
                "<testcase classname=\"\(XMLReportText.escaped(group))\" name=\"\(XMLReportText.escaped(name))\" time=\"\(share)\""
            )
            if test.outcome == .pass {
                output("/>\n")
                continue
            }
            let message = test.text.prefix { $0 != "\n" }
            guard test.outcome != .skipped else {
                let hasMore = message.endIndex != test.text.endIndex
                output("><skipped message=\"\(XMLReportText.escaped(String(message)))\"")
                output(hasMore ? ">\(XMLReportText.escaped(test.text))</skipped>" : "/>")
                output("</testcase>\n")
                continue
            }
            output(
                "><\(test.outcome) message=\"\(XMLReportText.escaped(String(message)))\" "
                    + "type=\"\(XMLReportText.escaped(test.type))\">\(XMLReportText.escaped(test.text))"
                    + "</\(test.outcome)></testcase>\n")
        }
        output(
            "<system-out>\(XMLReportText.escaped(suite.told))</system-out>\n<system-err></system-err>\n</testsuite>\n")
    }
}
