internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import Secrets

/// Stored paths and secrets in the raw bytes of a file of any format: databases, and files too damaged or too large to
/// parse. Reads the file once, up to 256 MiB; at most 200 of each.
enum RawContentFact: Fact {
    static let name = "bytes"
    static let cost = Cost.read
    private static let most = 200

    struct Value: Sendable {
        var paths: [StoredPath] = []
        var secrets: [SecretShape.Match] = []
    }

    static func value(of facts: ItemFacts) -> Value {
        var value = Value()
        facts.scan { bytes, starts in
            value.paths += StoredPath.paths(in: bytes, from: starts, most: most - value.paths.count)
            value.secrets += SecretShape.matches(in: bytes, from: starts, most: most - value.secrets.count)
            return value.paths.count < most || value.secrets.count < most
        }
        return value
    }
}

extension ItemFacts {
    /// The largest file that is read through.
    static let scanLimit: UInt64 = 256 << 20

    /// Reads a file through in windows that overlap, so that what is shorter than 4 KiB lies whole in one of them.
    ///
    /// - Parameter look: Gets a window, and where in it something must begin that no other window shows; it says
    ///   whether to go on.
    func scan(_ look: (UnsafeRawBufferPointer, Range<Int>) -> Bool) {
        let size = item.status.size
        guard item.status.kind == .file, size > 0, !isEvicted else { return }
        guard size <= Self.scanLimit else { return leaveOut(.larger(thanMebibytes: 256)) }
        let (window, margin) = (256 << 10, 4 << 10)
        var start = 0
        while start < Int(size) {
            guard let bytes = bytes(window, at: UInt64(start)) else { return leaveOut(.unreadable) }
            let isLast = bytes.count < window || start + bytes.count >= Int(size)
            let from = start == 0 ? 0 : margin
            let to = isLast ? bytes.count : bytes.count - margin
            guard from < to else { return }
            guard bytes.withUnsafeBytes({ look($0, from..<to) }), !isLast else { return }
            start += window - 2 * margin
        }
    }
}
