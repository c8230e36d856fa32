internal import FileSystem

/// The attribute of an entry of a cache: its size, the time at which it was stored, its expiry date, and its key if the
/// name of the file is shortened.
struct CacheRecord: Hashable {
    static let attribute = "appcontainer.cache"

    let size: UInt64
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let stored: Int64
    /// Milliseconds since 1970-01-01T00:00:00Z. Nil for an entry that does not expire.
    let expiry: Int64?
    let key: String?

    init(size: UInt64, stored: Int64, expiry: Int64?, key: String?) {
        (self.size, self.stored, self.expiry, self.key) = (size, stored, expiry, key)
    }

    init?(_ value: [UInt8]) {
        let fields = value.split(separator: 0x20, maxSplits: 3, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard fields.count >= 3, let size = UInt64(fields[0]), let stored = Int64(fields[1]),
            fields[2] == "-" || Int64(fields[2]) != nil
        else { return nil }
        self.init(size: size, stored: stored, expiry: Int64(fields[2]), key: fields.count > 3 ? fields[3] : nil)
    }

    var value: [UInt8] {
        Array("\(size) \(stored) \(expiry.map(String.init) ?? "-")\(key.map { " " + $0 } ?? "")".utf8)
    }

    /// The change that records this. Without it, an expiry date and a key would be lost.
    var change: AttributeChange {
        AttributeChange(Self.attribute, value: value, isOptional: expiry == nil && key == nil)
    }

    /// Returns the reason to remove the entry at a time, or nil if it is valid.
    func reasonToRemove(at now: Int64, maximumAge: Int64?) -> FileCache.Eviction.Reason? {
        if let expiry, expiry <= now { return .expired }
        // A clock that was set back makes an entry young, not old.
        if let maximumAge, now - stored >= maximumAge { return .age }
        return nil
    }
}

extension Timestamp {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    var milliseconds: Int64 { seconds.multipliedSaturated(by: 1_000) + Int64(nanoseconds / 1_000_000) }
    /// Nanoseconds since 1970-01-01T00:00:00Z, at most those of the year 2262.
    var wholeNanoseconds: Int64 {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : product.addingReportingOverflow(Int64(nanoseconds)).partialValue
    }

    init(wholeNanoseconds: Int64) {
        let (quotient, rest) = wholeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(
            seconds: rest < 0 ? quotient - 1 : quotient, nanoseconds: UInt32(rest < 0 ? rest + 1_000_000_000 : rest))
    }
}

extension Int64 {
    fileprivate func multipliedSaturated(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? (self < 0 ? .min / 2 : .max / 2) : product
    }
}
