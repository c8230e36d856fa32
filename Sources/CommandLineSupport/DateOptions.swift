package import ArgumentParser
internal import FileSystem
internal import TextOutput

/// A date of an argument, in UTC.
package struct DateArgument: ExpressibleByArgument {
    /// Seconds since 1970.
    package let seconds: Int64

    package init?(argument: String) {
        guard let seconds = DateText.seconds(argument) else { return nil }
        self.seconds = seconds
    }
}

/// The option that sets the date from which ages are computed.
package struct DateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Compute ages relative to this date (2026-01-31 or 2026-01-31T12:00:00Z). (default: now)", valueName: "date"
        ))
    package var now: DateArgument?

    package init() {}

    /// The date in seconds since 1970.
    package var seconds: Int64 { now?.seconds ?? Timestamp.now.seconds }
}
