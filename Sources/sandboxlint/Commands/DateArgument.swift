import ArgumentParser
import StoragePolicy

/// A date on the command line, in UTC.
struct DateArgument: ExpressibleByArgument {
    let seconds: Int64

    init?(argument: String) {
        guard let seconds = DateText.seconds(argument) else { return nil }
        self.seconds = seconds
    }
}
