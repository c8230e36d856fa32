import ArgumentParser
import Foundation

/// A moment on the command line, in universal time.
struct Moment: ExpressibleByArgument {
    let seconds: Int64

    init?(argument: String) {
        let text = argument.contains("T") ? argument : argument + "T00:00:00Z"
        guard let date = try? Date(text, strategy: .iso8601) else { return nil }
        seconds = Int64(date.timeIntervalSince1970)
    }
}
