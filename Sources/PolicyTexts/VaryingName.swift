/// The form of a name without the parts that change by themselves: UUIDs, dates, counters, versions and hashes.
///
/// A baseline names items by this form, so that an item that an app writes again under another such name is the same one.
package enum VaryingName {
    private static let star = UInt8(ascii: "*")
    /// Hexadecimal digits from which on a run of them is a hash.
    private static let shortestHash = 16
    /// Digits from which on those at the end of a word are a counter: `IMG0001`, but not `mp3` or `sha1`.
    private static let shortestSuffix = 3

    /// Returns a path with `*` for each part of a name that changes by itself. A `*` of the path itself must be escaped
    /// before.
    package static func pattern(ofPath path: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        let names = path.split(separator: slash, omittingEmptySubsequences: false)
        return Array(names.map { pattern(of: Array($0)) }.joined(separator: [slash]))
    }

    /// Returns a name with `*` for each part that changes by itself.
    package static func pattern(of name: [UInt8]) -> [UInt8] {
        guard name.contains(where: ASCII.isDigit) else { return name }
        let stem = name.prefix(upTo: name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.count)
        if Array(stem).withUnsafeBytes(NameForm.isToken) {
            return [star] + pattern(of: Array(name[stem.endIndex...]))
        }
        var pattern: [UInt8] = []
        var index = 0
        while index < name.count {
            let isStart = index == 0 || !ASCII.isAlphanumeric(name[index - 1])
            if isStart, let uuid = ASCII.uuid(in: name, at: index) {
                append([star], to: &pattern)
                index += uuid.count
            } else if ASCII.isAlphanumeric(name[index]) {
                let run = Array(name[index...].prefix(while: ASCII.isAlphanumeric))
                append(self.run(run), to: &pattern)
                index += run.count
            } else {
                pattern.append(name[index])
                index += 1
            }
        }
        return pattern
    }

    /// Returns the form of letters and digits without a separator.
    private static func run(_ run: [UInt8]) -> [UInt8] {
        guard run.contains(where: ASCII.isDigit) else { return run }
        if run.allSatisfy(ASCII.isDigit) || isVersion(run) || isTime(run) { return [star] }
        if run.count >= shortestHash, run.allSatisfy({ ASCII.hexadecimal($0) != nil }) { return [star] }
        let digits = run.reversed().prefix(while: ASCII.isDigit).count
        return digits >= shortestSuffix ? run.dropLast(digits) + [star] : run
    }

    /// `v2`.
    private static func isVersion(_ run: [UInt8]) -> Bool {
        run[0] | 0x20 == UInt8(ascii: "v") && run.count > 1 && run.dropFirst().allSatisfy(ASCII.isDigit)
    }

    /// `02T101500Z`, of a date such as `2026-01-02T101500Z`, and `30Z`.
    private static func isTime(_ run: [UInt8]) -> Bool {
        let parts = run.split(omittingEmptySubsequences: false) { [UInt8(ascii: "T"), UInt8(ascii: "Z")].contains($0) }
        return parts.count <= 3 && !parts[0].isEmpty && parts.allSatisfy { $0.allSatisfy(ASCII.isDigit) }
    }

    /// Appends a part. Stars with only a separator between them are one, so that `1.2` and `1.2.1` have one form.
    private static func append(_ part: [UInt8], to pattern: inout [UInt8]) {
        if part == [star], let last = pattern.lastIndex(where: { !separators.contains($0) }), pattern[last] == star {
            pattern.removeSubrange((last + 1)...)
            return
        }
        pattern += part
    }

    private static let separators = Set("-_.:+ ".utf8)
}
