import Foundation

/// The lines of an iCalendar file. Source: RFC 5545, 3.1 and 3.3.11.
struct ContentLines {
    /// The text, with lines of at most 75 bytes that end in CRLF.
    private(set) var text = ""

    /// Adds a property, folded without splitting a character.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - parameters: The names and values of the parameters.
    ///   - value: The value in the form of the file. See `escaped(_:)` for text.
    mutating func add(_ name: String, _ parameters: [(String, String)] = [], _ value: String) {
        let line = name + parameters.map { ";\($0)=\(Self.quoted($1))" }.joined() + ":" + value
        var length = 0
        for scalar in line.unicodeScalars {
            let size = UTF8.width(scalar)
            if length + size > 75 {
                text += "\r\n "
                length = 1
            }
            text.unicodeScalars.append(scalar)
            length += size
        }
        text += "\r\n"
    }

    /// Adds a component with its properties.
    mutating func add(component name: String, _ body: (inout ContentLines) -> Void) {
        add("BEGIN", name)
        body(&self)
        add("END", name)
    }

    private mutating func add(_ name: String, _ value: String) { add(name, [], value) }

    /// Returns text with the characters escaped that have a meaning in values. Control characters, which the format
    /// excludes, are removed.
    static func escaped(_ text: String) -> String {
        var result = ""
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": result += "\\\(scalar)"
            case "\n": if previous != "\r" { result += "\\n" }
            case "\r": result += "\\n"
            case "\t": result.unicodeScalars.append(scalar)
            default: if !isControl(scalar) { result.unicodeScalars.append(scalar) }
            }
            previous = scalar
        }
        return result
    }

    /// Returns the value of a parameter, in quotes if needed. Quotes and control characters, which the format excludes,
    /// are removed.
    private static func quoted(_ value: String) -> String {
        let allowed = String(String.UnicodeScalarView(value.unicodeScalars.filter { $0 != "\"" && !isControl($0) }))
        return allowed.contains { ":;,".contains($0) } ? "\"\(allowed)\"" : allowed
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 32 || scalar.value == 127 }
}

/// An offset from UTC.
struct UTCOffset: Hashable, CustomStringConvertible {
    let seconds: Int

    /// The offset in the form `+02:00`.
    var description: String { text(separator: ":") }

    /// The offset in the form `+0200` of RFC 5545.
    var property: String { text(separator: "") }

    private func text(separator: String) -> String {
        let size = abs(seconds)
        let fields = [size / 3600, size / 60 % 60] + (size % 60 == 0 ? [] : [size % 60])
        return (seconds < 0 ? "-" : "+") + fields.map { padded($0, 2) }.joined(separator: separator)
    }
}

extension CivilDate {
    /// The day in the form `20261122`.
    var property: String {
        let (year, month, day) = components
        return padded(year, 4) + padded(month, 2) + padded(day, 2)
    }
}

extension CivilTime {
    /// The time in the form `20261122T093000`.
    var property: String {
        "\(date.property)T\(padded(secondOfDay / 3600, 2))\(padded(secondOfDay / 60 % 60, 2))\(padded(secondOfDay % 60, 2))"
    }
}

extension Date {
    /// The instant in UTC in the form `20261122T083000Z`.
    var property: String { TimeZone.gmt.civilTime(at: self).property + "Z" }
}
