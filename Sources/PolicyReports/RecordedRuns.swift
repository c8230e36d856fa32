package import PolicyRecords
package import StoragePolicy
internal import TextOutput

/// The reports of earlier runs that can be read, and the failures of the others.
package struct RecordedRuns {
    /// The maximum size of all reports together.
    private static let mostBytes = 512 << 20
    package private(set) var runs: [RecordedRun] = []
    package private(set) var failures: [LintRun.Failure] = []

    /// Reads reports one after the other.
    ///
    /// - Parameters:
    ///   - paths: The paths of the files.
    ///   - rules: The rules that findings may have, by id.
    package init(reading paths: [String], rules: [String: Rule]) {
        var bytes = 0
        for path in paths {
            do throws(UnreadableSource) {
                let report = try EarlierReport(reading: path)
                bytes += report.size
                guard bytes <= Self.mostBytes else {
                    throw UnreadableSource(
                        path: path, reason: "the reports up to this one are larger than 512 MiB",
                        hint: "Merge fewer reports at once.")
                }
                runs.append(try RecordedRun(report, rules: rules))
            } catch { failures.append(LintRun.Failure(error.description, of: path)) }
        }
    }
}
