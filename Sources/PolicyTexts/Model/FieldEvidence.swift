internal import AppContainer
package import PropertyLists

/// The evidence in the fields of JSON, a property list or a keyed archive: names that servers give to their answers against those
/// that apps give to what users write, mark and choose.
///
/// Values count: `draft: false`, an empty list of favorites and a zero say nothing. A field with which a client decides when to
/// fetch again suffices; of those of pages and of remote configuration two are needed to be sure. A file with fields of both kinds
/// stays undecided, such as a response with marks of its reader. Sources: RFC 9111 and RFC 9110 §5.6.7 for the fields of caches;
/// JSON:API 1.1, OData 4.01, the GraphQL Cursor Connections Specification and Google's AIP-158 for pages.
package struct FieldEvidence {
    package enum Kind: String, CaseIterable {
        case server = "server-fields"
        case user = "user-fields"
        case published = "public-records"
    }

    package private(set) var pieces: [PieceOfEvidence] = []
    private var fields = 0
    /// The names with which a client decides when to fetch again, those of expiry, of pages and configuration, and of users.
    private var (fresh, expiry, answer, user): (Set<String>, Set<String>, Set<String>, Set<String>) = ([], [], [], [])
    /// The names that public services give to what they describe.
    private var published: Set<String> = []
    private var isSession = false
    /// The names that were looked at.
    private var known: [String: Roles] = [:]
    /// True for drafts, and for what waits to be sent.
    package private(set) var hasUnsent = false

    /// At most so many fields are looked at.
    private static let most = 20_000
    private static let longestName = 64

    /// A value, as far as it matters.
    private enum Value {
        /// Null, false, zero, or an empty text or container.
        case nothing
        case flag
        case number
        case text(ArraySlice<UInt8>)
        case container
    }

    /// Creates the evidence in the first bytes of JSON, which may be cut off or malformed.
    package init(json bytes: [UInt8]) {
        var position = 0
        while let (name, value) = Self.nextField(in: bytes, from: &position), fields < Self.most {
            add(name, value)
        }
        decide()
    }

    /// Creates the evidence in a property list. In a keyed archive the fields and dictionaries of objects count, and the classes
    /// of responses.
    package init(_ list: PropertyListGraph) {
        let isArchive = list.root["$archiver"] != nil
        let objects = isArchive ? list.root["$objects"]?.members ?? [] : []
        for node in list.nodes {
            guard case .dictionary(let pairs) = node, fields < Self.most else { continue }
            for pair in pairs.prefix(Self.most) {
                guard case .string(let name) = list.nodes[pair.key], !name.hasPrefix("$"), !name.hasPrefix("NS.") else {
                    continue
                }
                add(name.utf8, Self.value(list.nodes[pair.value], among: objects))
            }
        }
        for object in objects where fields < Self.most {
            if let name = object["$classname"]?.string, Self.classes.contains(name) { fresh.insert(name) }
            guard let keys = object["NS.keys"]?.members, let values = object["NS.objects"]?.members else { continue }
            for (key, value) in zip(keys, values) {
                guard let name = Self.target(key.node, among: objects)?.string else { continue }
                add(name.utf8, Self.value(value.node, among: objects))
            }
        }
        decide()
    }

    // MARK: - Names and values

    private mutating func add(_ bytes: some Collection<UInt8>, _ value: Value) {
        fields += 1
        if case .nothing = value { return }
        guard bytes.count <= Self.longestName else { return }
        let name = String(decoding: bytes, as: UTF8.self)
        let roles = known[name] ?? Roles(bytes)
        known[name] = roles
        switch value {
        case .nothing: break
        case .text(let text) where Self.isDateOfHTTP(text):
            // Feeds and books have such dates as well.
            if ["modified", "expires", "date", "fetched", "retryafter"].contains(where: Self.joined(bytes).hasSuffix) {
                fresh.insert(name)
            } else {
                published.insert(name)
            }
        case .text, .number:
            if roles.contains(.fresh) { fresh.insert(name) }
            if roles.contains(.expiry) { expiry.insert(name) }
            if !roles.isDisjoint(with: [.answer, .counted]) { answer.insert(name) }
            if case .text(let text) = value, Self.isSignature(text), Self.joined(bytes).contains("sig") {
                answer.insert(name)
            }
        case .flag, .container: if roles.contains(.answer) { answer.insert(name) }
        }
        if roles.contains(.published) { published.insert(name) }
        guard !roles.contains(.foreign) else { return }
        if case .text(let text) = value {
            if roles.contains(.session) { isSession = true }
            // The user as the author, in the words of the app, and what waits to be sent.
            let isMaker = roles.contains(.maker) && Self.makers.contains { text.elementsEqual($0.utf8) }
            let isWaiting = roles.contains(.state) && Self.waiting.contains { text.starts(with: $0.utf8) }
            if isMaker || isWaiting { user.insert(name) }
            if isWaiting { hasUnsent = true }
        }
        if roles.contains(.user) { user.insert(name) }
        if roles.contains(.unsent) { hasUnsent = true }
    }

    /// The roles that the name of a field can have.
    private struct Roles: OptionSet {
        let rawValue: UInt16

        static let fresh = Roles(rawValue: 1 << 0)
        static let expiry = Roles(rawValue: 1 << 1)
        static let answer = Roles(rawValue: 1 << 2)
        /// A number of other people's reactions.
        static let counted = Roles(rawValue: 1 << 3)
        /// A number, an address, or a mark that a server keeps for its reader, such as `starred` and `favourited`.
        static let foreign = Roles(rawValue: 1 << 4)
        static let session = Roles(rawValue: 1 << 5)
        static let maker = Roles(rawValue: 1 << 6)
        static let state = Roles(rawValue: 1 << 7)
        static let user = Roles(rawValue: 1 << 8)
        static let unsent = Roles(rawValue: 1 << 9)
        static let published = Roles(rawValue: 1 << 10)

        init(rawValue: UInt16) { self.rawValue = rawValue }

        init(_ bytes: some Collection<UInt8>) {
            let joined = FieldEvidence.joined(bytes)
            var words: Set<String> = []
            Array(bytes).withUnsafeBytes { NameWords.forEach(in: $0) { words.insert(NameWords.text($0)) } }
            self = []
            if FieldEvidence.freshNames.contains(joined) || words.contains("fetched") { insert(.fresh) }
            if FieldEvidence.expiryNames.contains(joined) { insert(.expiry) }
            if FieldEvidence.answerNames.contains(joined) { insert(.answer) }
            if FieldEvidence.isCounted(joined) { insert(.counted) }
            if FieldEvidence.publishedNames.contains(joined) { insert(.published) }
            if ["count", "url", "ited", "marked"].contains(where: joined.hasSuffix) { insert(.foreign) }
            if FieldEvidence.sessionNames.contains(joined) { insert(.session) }
            if FieldEvidence.makerNames.contains(joined) { insert(.maker) }
            if FieldEvidence.stateNames.contains(joined) { insert(.state) }
            if !words.isDisjoint(with: FieldEvidence.userWords) || FieldEvidence.hasUserPart(joined) { insert(.user) }
            if !words.isDisjoint(with: FieldEvidence.unsentWords) { insert(.unsent) }
        }
    }

    private static func hasUserPart(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { bytes in
            bytes.indices.contains { start in
                userParts[bytes[start], default: []].contains { bytes[start...].starts(with: $0.utf8) }
            }
        }
    }

    private mutating func decide() {
        let (isSession, user) = (isSession, user)
        // A session of a user expires, too.
        let fresh = isSession ? fresh : fresh.union(expiry)
        if isSession {
            pieces = [PieceOfEvidence(Kind.user, 1, "token")]
        } else if !user.isEmpty {
            guard fresh.isEmpty, answer.isEmpty else { return }
            pieces = [Self.piece(.user, strength: user.count > 1 || hasUnsent ? 1 : 0.7, name: user.min())]
        } else if !fresh.isEmpty {
            pieces = [Self.piece(.server, strength: 1, name: fresh.min())]
        } else if !answer.isEmpty {
            pieces = [Self.piece(.server, strength: answer.count > 1 ? 1 : 0.6, name: answer.min())]
        } else if published.count > 1 {
            pieces = [Self.piece(.published, strength: 1, name: published.min())]
        }
    }

    private static func piece(_ kind: Kind, strength: Double, name: String?) -> PieceOfEvidence {
        PieceOfEvidence(kind, strength, PieceOfEvidence.shown(Array((name ?? "").utf8)))
    }

    /// A name in lower case, without what is no letter.
    private static func joined(_ name: some Collection<UInt8>) -> String {
        String(decoding: name.filter { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7a }.map { $0 | 0x20 }, as: UTF8.self)
    }

    /// `Wed, 31 Dec 2025 23:00:00 GMT`.
    private static func isDateOfHTTP(_ text: ArraySlice<UInt8>) -> Bool {
        text.count == 29 && text[text.startIndex + 3] == UInt8(ascii: ",") && text.suffix(4).elementsEqual(" GMT".utf8)
    }

    /// Returns true for a number of other people's reactions, which only a server knows: `likesCount`, `reply_count`.
    private static func isCounted(_ name: String) -> Bool {
        guard name.hasSuffix("count") else { return false }
        let stem = name.dropLast(5)
        return reactions.contains(String(stem.last == "s" ? stem.dropLast() : stem))
    }

    private static let reactions: Set<String> = [
        "like", "favourite", "favorite", "replie", "reply", "reblog", "repost", "retweet", "quote", "follower",
        "following",
        "subscriber", "upvote", "downvote", "statuse", "view", "share", "comment",
    ]

    /// Returns true for an ECDSA signature in Base64, which begins with the sequence of two numbers (RFC 3279 §2.2.3).
    private static func isSignature(_ text: ArraySlice<UInt8>) -> Bool {
        (88...104).contains(text.count) && ["MEU", "MEQ", "MEY"].contains { text.starts(with: $0.utf8) }
    }

    private static let freshNames: Set<String> = [
        "etag", "ttl", "maxage", "cachecontrol", "lastfetch", "lastfetchtime", "fetchtime", "fetchtimemillis",
        "fetchdate",
        "cachedat", "cachetime", "cacheexpiry", "staleafter", "cdn", "nsurlsessiondownloadurl",
        "nsurlsessionresumeentitytag",
    ]
    private static let expiryNames: Set<String> = [
        "expires", "expiresat", "expiresin", "expiry", "expirydate", "validuntil",
    ]
    private static let answerNames: Set<String> = [
        "nextcursor", "endcursor", "startcursor", "nextpage", "nextpagetoken", "hasnextpage", "hasmore", "pageinfo",
        "totalpages", "totalresults", "perpage", "nextlink", "odatanextlink", "odatacontext", "typename", "requestid",
        "jsonrpc", "apiversion", "servertime", "experiments", "experiment", "variants", "variant", "variations",
        "rollout",
        "rolloutpercentage", "featureflags", "killswitch", "minversion", "minimumversion", "minappversion",
        "minsupportedversion", "forceupdate", "remoteconfig", "abtests",
    ]
    /// Names of records that public services publish, which apps also keep with what users choose: of films (TMDB), music (iTunes
    /// Search, Spotify), code (GitHub), posts (Reddit, Mastodon, Twitter, WordPress), feeds (JSON Feed, Podcast Index), food (Open
    /// Food Facts), places (Nominatim), coins (Bitcoin Core’s RPC, CoinGecko), weather (OpenWeather, Open-Meteo) and books (Google
    /// Books), by the references of their interfaces.
    private static let publishedNames: Set<String> = [
        "voteaverage", "votecount", "posterpath", "backdroppath", "originallanguage", "genreids", "trackviewurl",
        "artworkurl", "wrappertype", "collectionprice", "artistviewurl", "availablemarkets", "previewurl",
        "externalurls", "stargazerscount", "openissuescount", "forkscount", "gravatarid", "subreddit", "numcomments",
        "upvoteratio", "spoilertext", "inreplytoid", "avatarstatic", "possiblysensitive", "profileimageurl",
        "commentstatus", "pingstatus", "featuredmedia", "feedurl", "homepageurl", "datepublished", "contenthtml",
        "enclosureurl", "nutriscoregrade", "nutriments", "categoriestags", "ingredientstext", "osmid", "osmtype",
        "placerank", "confirmations", "blockhash", "blocktime", "scriptpubkey", "blockheight", "marketcap",
        "marketcaprank", "circulatingsupply", "pricechangepercentageh", "feelslike", "weathercode", "dewpoint",
        "precipitationprobability", "volumeinfo", "industryidentifiers",
    ]
    /// Returns true for a name with which a client decides when to fetch again.
    static func isFreshName(_ name: some Collection<UInt8>) -> Bool { freshNames.contains(joined(name)) }

    private static let sessionNames: Set<String> = [
        "accesstoken", "refreshtoken", "idtoken", "sessiontoken", "mnemonic", "seedphrase", "privatekey",
    ]
    private static let userWords: Set<String> = [
        "draft", "drafts", "outbox", "unsent", "dirty", "unsynced", "alarm", "alarms", "annotation", "annotations",
        "highlights", "remark", "remarks", "reminder", "reminders", "stroke", "strokes", "basket", "handwritten",
    ]
    private static let unsentWords: Set<String> = ["draft", "drafts", "outbox", "unsent"]
    /// By the first letter.
    private static let userParts: [UInt8: [String]] = Dictionary(grouping: [
        "favorite", "favourite", "bookmark", "highscore", "bestscore", "savegame", "recentsearch", "searchhistory",
        "watchhistory", "readingprogress", "playbackposition", "resumeposition", "lastposition", "lastread",
        "lastplayed",
        "hasseen", "onboardingcompleted", "darkmode", "isediting", "locallymodified", "createdbyuser",
        "usernote", "editedat", "savedforlater", "giftnote", "drawnbyhand", "bytessent", "trainedon",
    ]) { $0.utf8.first ?? 0 }
    private static let makerNames: Set<String> = [
        "author", "by", "createdby", "creator", "note", "owner", "publisher", "madeby",
    ]
    private static let makers = ["me", "mine", "user", "self"]
    private static let stateNames: Set<String> = ["state", "status", "syncstate", "uploadstate", "sendstate"]
    private static let waiting = ["failed: offline", "queued", "draft", "unsent", "not sent", "notsent", "waiting"]
    private static let classes: Set<String> = ["NSHTTPURLResponse", "NSURLResponse", "NSCachedURLResponse"]

    // MARK: - Property lists

    private static func target(_ node: PropertyListGraph.Node, among objects: [PropertyListValue]) -> PropertyListValue?
    {
        guard case .uid(let number) = node, let index = Int(exactly: number), objects.indices.contains(index) else {
            return nil
        }
        return objects[index]
    }

    private static func value(_ node: PropertyListGraph.Node, among objects: [PropertyListValue]) -> Value {
        let node = target(node, among: objects)?.node ?? node
        switch node {
        case .null: return .nothing
        case .boolean(let flag): return flag ? .flag : .nothing
        case .integer(let number): return number == 0 ? .nothing : .number
        case .unsigned(let number): return number == 0 ? .nothing : .number
        case .real(let number): return number == 0 ? .nothing : .number
        case .single(let number): return number == 0 ? .nothing : .number
        case .date, .uid: return .number
        case .data(let bytes): return bytes.isEmpty ? .nothing : .container
        case .string(let text): return text.isEmpty || text == "$null" ? .nothing : .text(Array(text.utf8)[...])
        case .array(let members): return members.isEmpty ? .nothing : .container
        case .dictionary(let pairs): return pairs.isEmpty ? .nothing : .container
        }
    }

    // MARK: - JSON

    /// Returns the next name and its value after a position, which becomes that of the value; nil at the end.
    private static func nextField(
        in bytes: [UInt8], from position: inout Int
    ) -> (name: ArraySlice<UInt8>, value: Value)? {
        while let start = bytes[position...].firstIndex(of: quote) {
            guard let end = endOfText(in: bytes, from: start + 1) else { return nil }
            let colon = next(in: bytes, from: end + 1)
            position = end + 1
            guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { continue }
            position = next(in: bytes, from: colon + 1)
            return (bytes[(start + 1)..<end], value(in: bytes, at: position))
        }
        return nil
    }

    private static let quote = UInt8(ascii: "\"")

    /// The position of the first byte from another on that is no space.
    private static func next(in bytes: [UInt8], from start: Int) -> Int {
        bytes[min(start, bytes.count)...].firstIndex { $0 > 0x20 } ?? bytes.count
    }

    /// The position of the quotation mark that ends a text; nil where the text is cut off.
    private static func endOfText(in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index < bytes.count, bytes[index] != quote { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return index < bytes.count ? index : nil
    }

    private static func value(in bytes: [UInt8], at start: Int) -> Value {
        guard start < bytes.count else { return .nothing }
        switch bytes[start] {
        case quote:
            let end = endOfText(in: bytes, from: start + 1) ?? bytes.count
            return end == start + 1 ? .nothing : .text(bytes[(start + 1)..<end])
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let inner = next(in: bytes, from: start + 1)
            return inner < bytes.count && "]}".utf8.contains(bytes[inner]) ? .nothing : .container
        case UInt8(ascii: "t"): return .flag
        case UInt8(ascii: "f"), UInt8(ascii: "n"): return .nothing
        default:
            // A number other than zero has another digit.
            let digits = bytes[start...].prefix { "-+.eE0123456789".utf8.contains($0) }
            return digits.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) } ? .number : .nothing
        }
    }
}
