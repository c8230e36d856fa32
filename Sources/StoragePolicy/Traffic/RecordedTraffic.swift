package import FileSystem
package import PolicyTexts
internal import Secrets

/// The bodies of recorded requests and responses, as digests.
///
/// It keeps the method, the host and the status of an exchange, and the length and the SHA-256 of a body. Nothing else of a
/// recording is kept: no address, header, cookie or content.
package struct RecordedTraffic: Sendable {
    /// The direction of a body.
    enum Direction: Sendable { case downloaded, uploaded }

    /// The part of an exchange that is shown.
    struct Exchange: Hashable, Sendable {
        let method: String
        let host: String
        let status: Int
    }

    /// The reason why a recording could not be read to its end. What was read before counts.
    package enum Failure: Error, Hashable {
        case json(JSONStream.Failure)
        /// The text has no `log.entries`.
        case noRecording

        /// One sentence.
        package var reason: String {
            switch self {
            case .json(.ended): "the recording ends before its last entry does"
            case .json(.malformed(let offset)): "the recording is no JSON at byte \(offset)"
            case .json(.tooDeep): "the recording has more than \(JSONStream.depth) nested levels"
            case .json(.unreadable): "the recording cannot be read"
            case .noRecording: "the file is no HAR file: it has no log with entries"
            }
        }
    }

    /// The most bodies that are kept.
    let mostBodies: Int
    /// The most different exchanges that are kept.
    static let mostExchanges = 20_000

    private var bodies: [BodyDigest: (direction: Direction, exchange: UInt32)] = [:]
    /// The recordings, to be read again where there are too many bodies.
    private var files: [OpenFile] = []
    /// The lengths of bodies that are kept; nil if all are.
    private let wanted: WantedLengths?
    private var exchanges: [Exchange] = []
    private var numbers: [Exchange: UInt32] = [:]
    /// The lengths of the bodies.
    private(set) var sizes: Set<UInt64> = []
    /// The lengths that the bodies had on the wire, perhaps compressed.
    private(set) var sentSizes: Set<UInt64> = []
    /// The length of the longest body.
    private(set) var longest: UInt64 = 0
    /// The number of exchanges that were read.
    package private(set) var entries = 0
    /// The number of bodies that were not kept, because there are too many.
    package private(set) var dropped = 0

    package init(mostBodies: Int = 200_000) {
        self.mostBodies = mostBodies
        wanted = nil
    }

    private init(of wanted: WantedLengths, mostBodies: Int) {
        self.mostBodies = mostBodies
        self.wanted = wanted
    }

    /// True if no body is known, so that nothing can be proven.
    package var isEmpty: Bool { bodies.isEmpty }

    /// Reads the recordings again and returns those bodies alone whose lengths files have, so that recordings of any length are
    /// compared. Bodies beyond the limit are counted as before.
    func read(of wanted: WantedLengths) -> RecordedTraffic {
        var again = RecordedTraffic(of: wanted, mostBodies: mostBodies)
        // An error that ends a recording ended it the first time as well, and was reported.
        for file in files { try? again.add(har: file) }
        return again
    }

    /// Returns the exchange with a body of these bytes. What was uploaded comes first.
    func exchange(of body: BodyDigest) -> (direction: Direction, exchange: Exchange)? {
        bodies[body].map { ($0.direction, exchanges[Int($0.exchange)]) }
    }

    /// Adds the exchanges of a HAR file.
    ///
    /// Source: the HAR 1.2 specification (w3c.github.io/web-performance/specs/HAR/Overview.html).
    ///
    /// - Throws: `Failure` where the recording ends, or is not what it should be. What comes before counts.
    package mutating func add(har file: OpenFile) throws(Failure) {
        files.append(file)
        var offset: UInt64 = 0
        var stream = JSONStream { buffer in
            let count = try? file.read(into: buffer, from: offset)
            offset += UInt64(count ?? 0)
            return count
        }
        try add(har: &stream)
    }

    /// Adds the exchanges of the text of a HAR file.
    mutating func add(har stream: inout JSONStream) throws(Failure) {
        var hasEntries = false
        do throws(JSONStream.Failure) {
            try stream.members { (stream, name) throws(JSONStream.Failure) in
                guard name == "log" else { return }
                try stream.members { (stream, name) throws(JSONStream.Failure) in
                    guard name == "entries" else { return }
                    hasEntries = try stream.kind() == .array
                    try stream.elements { (stream) throws(JSONStream.Failure) in
                        guard !Invocation.current.interruption.isRequested else { throw .unreadable }
                        let entry = try RecordedEntry(&stream)
                        entries += 1
                        add(entry)
                    }
                }
            }
        } catch {
            guard hasEntries || error == .unreadable else { throw .noRecording }
            throw .json(error)
        }
        guard hasEntries else { throw .noRecording }
    }

    private mutating func add(_ entry: RecordedEntry) {
        guard let exchange = entry.exchange else { return }
        for body in entry.sent { add(body, direction: .uploaded, exchange: exchange) }
        guard entry.isRepeatable else { return }
        for body in entry.received { add(body, sent: entry.sentSize, direction: .downloaded, exchange: exchange) }
        if let size = entry.sentSize, !entry.received.isEmpty { sentSizes.insert(size) }
    }

    private mutating func add(
        _ body: (digest: BodyDigest, size: UInt64), sent: UInt64? = nil, direction: Direction, exchange: Exchange
    ) {
        longest = max(longest, body.size)
        if let wanted, !wanted.contains(body.size, sent: sent) { return }
        if let known = bodies[body.digest], known.direction == .uploaded || direction == .downloaded { return }
        guard let number = number(of: exchange), bodies.count < mostBodies || bodies[body.digest] != nil else {
            dropped += 1
            return
        }
        bodies[body.digest] = (direction, number)
        sizes.insert(body.size)
    }

    private mutating func number(of exchange: Exchange) -> UInt32? {
        if let number = numbers[exchange] { return number }
        guard exchanges.count < Self.mostExchanges else { return nil }
        exchanges.append(exchange)
        numbers[exchange] = UInt32(exchanges.count - 1)
        return UInt32(exchanges.count - 1)
    }
}

/// The lengths that bodies have if files of a container have their bytes.
struct WantedLengths: Sendable {
    /// The lengths of files.
    var files: Set<UInt64> = []
    /// The lengths of what compressed files contain.
    var unpacked: Set<UInt64> = []

    /// Returns true for the length of a body, which perhaps had another one on the wire.
    fileprivate func contains(_ size: UInt64, sent: UInt64?) -> Bool {
        files.contains(size) || unpacked.contains(size) || sent.map(files.contains) ?? false
    }
}

/// One entry of a recording: the bodies as digests, and what says whether they prove something.
struct RecordedEntry {
    private var method = ""
    private var address = ""
    private var status = 0
    /// The range of bytes that a partial response has, as its header states it.
    private var range: String?
    /// The bodies of the request: the whole one, or the parts of a form.
    private(set) var sent: [(digest: BodyDigest, size: UInt64)] = []
    private(set) var received: [(digest: BodyDigest, size: UInt64)] = []
    /// The length that the response's body had on the wire.
    private(set) var sentSize: UInt64?

    private static let longestAddress = 2_048

    init(_ stream: inout JSONStream) throws(JSONStream.Failure) {
        try stream.members { (stream, name) throws(JSONStream.Failure) in
            switch name {
            case "request": try readRequest(&stream)
            case "response": try readResponse(&stream)
            default: break
            }
        }
    }

    private mutating func readRequest(_ stream: inout JSONStream) throws(JSONStream.Failure) {
        try stream.members { (stream, name) throws(JSONStream.Failure) in
            switch name {
            case "method": method = String(decoding: try stream.text(limit: 16).bytes, as: UTF8.self)
            case "url":
                address = String(decoding: try stream.text(limit: Self.longestAddress).bytes, as: UTF8.self)
            case "postData": sent = try Self.body(&stream, mayBeForm: true)
            default: break
            }
        }
    }

    private mutating func readResponse(_ stream: inout JSONStream) throws(JSONStream.Failure) {
        try stream.members { (stream, name) throws(JSONStream.Failure) in
            switch name {
            case "status": status = try stream.integer() ?? 0
            case "bodySize": sentSize = try stream.integer().flatMap { $0 > 0 ? UInt64($0) : nil }
            case "content": received = try Self.body(&stream, mayBeForm: false)
            case "headers": try readRange(&stream)
            default: break
            }
        }
    }

    /// Reads the range of a partial response. No other header is kept.
    private mutating func readRange(_ stream: inout JSONStream) throws(JSONStream.Failure) {
        try stream.elements { (stream) throws(JSONStream.Failure) in
            var isRange = false
            var value: String?
            try stream.members { (stream, name) throws(JSONStream.Failure) in
                switch name {
                case "name":
                    let name = String(decoding: try stream.text(limit: 32).bytes, as: UTF8.self)
                    isRange = name.lowercased() == "content-range"
                case "value": value = String(decoding: try stream.text(limit: 64).bytes, as: UTF8.self)
                default: break
                }
            }
            if isRange { range = value }
        }
    }

    /// Returns the digests of a body, whose encoding may follow its text.
    private static func body(
        _ stream: inout JSONStream, mayBeForm: Bool
    ) throws(JSONStream.Failure) -> [(digest: BodyDigest, size: UInt64)] {
        var text: BodyText?
        var isBase64 = false
        try stream.members { (stream, name) throws(JSONStream.Failure) in
            switch name {
            case "text" where text == nil:
                var body = BodyText(mayBeForm: mayBeForm)
                try stream.text { body.update($0) }
                text = body
            case "encoding", "_encoding":
                let word = try stream.text(limit: 16).bytes
                isBase64 = String(decoding: word, as: UTF8.self).lowercased() == "base64"
            default: break
            }
        }
        return text?.digests(isBase64: isBase64) ?? []
    }

    /// The part that is shown; nil for an address that no network serves.
    var exchange: RecordedTraffic.Exchange? {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", let shown = ShownAddress(address) else { return nil }
        let host = String(shown.withoutScheme.prefix { $0 != "/" })
        let isMethod = !method.isEmpty && method.utf8.allSatisfy { (0x41...0x5a).contains($0) || $0 == 0x2d }
        return RecordedTraffic.Exchange(
            method: isMethod ? method : "…", host: host, status: (100...599).contains(status) ? status : 0)
    }

    /// True if the same request can be sent again without an effect (RFC 9110, section 9.2.1), and if the response is the
    /// whole content.
    var isRepeatable: Bool {
        guard method == "GET" else { return false }
        return status == 200 || status == 203 || status == 206 && isWhole
    }

    /// True if the range of a partial response is the whole content: `bytes 0-99/100`.
    private var isWhole: Bool {
        guard let range, let parts = range.wholeMatch(of: /bytes\s+0-(\d{1,18})\/(\d{1,18})/.ignoresCase()),
            let last = Int(parts.1), let all = Int(parts.2)
        else { return false }
        return last + 1 == all
    }
}
