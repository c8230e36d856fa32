internal import Foundation

/// Dates as text, in UTC.
package enum DateText {
    /// Returns the seconds since 1970 of a day or time, such as `2026-01-31` or `2026-01-31T12:00:00Z`; nil for anything
    /// else.
    package static func seconds(_ text: String) -> Int64? {
        let whole = text.contains("T") ? text : text + "T00:00:00Z"
        return (try? Date(whole, strategy: .iso8601)).map { Int64($0.timeIntervalSince1970) }
    }
}
