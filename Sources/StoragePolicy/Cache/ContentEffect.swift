internal import ContainerTree
internal import FileSystem

/// A change that the evaluation of content makes to the data of the run, besides its result.
///
/// Every effect may be performed again without a further change.
enum ContentEffect: Hashable, Sendable {
    case incident(Incident.Reason)
    /// Something of this name was seen.
    case seen(String)
    /// A text names something.
    case referred(String)
    /// A text ends with the name of something, which begins at any of its bytes.
    case referredByEnd([UInt8])
    /// The file contains web addresses.
    case addresses(AddressIndex.Found)
    /// The file contains web addresses that were not read.
    case unreadAddresses
    /// The database has columns that are evidence, by the kind of evidence.
    case columns([String: String])

    /// False for what another run may not encounter with the same content: errors of the system and exceeded times.
    var isRepeatable: Bool {
        guard case .incident(let reason) = self else { return true }
        return switch reason {
        case .contentMissing, .contentEncrypted, .propertyListBeyondLimits, .tooManyContainedPropertyLists,
            .tooManyArchiveFields, .tooManyCookies, .tooManyTexts, .databaseNotUnderstood, .statementRefused,
            .larger:
            true
        default: false
        }
    }
}

extension ItemFacts {
    /// Performs an effect, and remembers it with the predicate or fact that has it.
    func perform(_ effect: ContentEffect) {
        cached?.note(effect)
        switch effect {
        case .incident(let reason): addIncident(reason)
        case .seen(let name): policy.notes.see(name)
        case .referred(let name): policy.notes.refer(to: name)
        case .referredByEnd(let text): policy.notes.refer(toEndsOf: text)
        case .addresses(let found): policy.addresses.add(found)
        case .unreadAddresses: policy.addresses.noteUnread()
        case .columns(let columns): policy.databases.add(columns, at: directory.path(of: item))
        }
    }
}

extension CacheWriter {
    mutating func add(_ effect: ContentEffect) {
        switch effect {
        case .incident(let reason):
            add(0)
            add(reason.rawValue)
        case .seen(let name):
            add(1)
            add(name)
        case .referred(let name):
            add(2)
            add(name)
        case .referredByEnd(let text):
            add(3)
            add(text)
        case .addresses(let found):
            add(4)
            add(found)
        case .unreadAddresses: add(5)
        case .columns(let columns):
            add(6)
            add(columns)
        }
    }

    private mutating func add(_ texts: [String: String]) {
        add(each: texts.sorted { $0.key < $1.key }) { writer, pair in
            writer.add(pair.key)
            writer.add(pair.value)
        }
    }

    private mutating func add(_ found: AddressIndex.Found) {
        add(each: found.addresses) { writer, address in
            writer.add(address.name)
            writer.add(address.shown)
            writer.add(each: address.digests) { $0.addFixed($1) }
        }
        add(each: found.listings) { writer, listing in
            writer.add(listing.directory)
            writer.add(listing.name)
        }
        add(found.files)
        add(found.keys)
        add(Dictionary(uniqueKeysWithValues: found.series.map { ($0.key.text, $0.value) }))
        add(each: found.described.sorted { $0.key.lexicographicallyPrecedes($1.key) }) { writer, pair in
            writer.add(pair.key)
            writer.add(pair.value ? 1 : 0)
        }
    }
}

extension CacheReader {
    mutating func effect() throws(DamagedCache) -> ContentEffect {
        switch try byte() {
        case 0:
            guard let reason = Incident.Reason(rawValue: try text()) else { throw DamagedCache() }
            return .incident(reason)
        case 1: return .seen(try text())
        case 2: return .referred(try text())
        case 3: return .referredByEnd(try string())
        case 4: return .addresses(try addresses())
        case 5: return .unreadAddresses
        case 6: return .columns(try texts())
        default: throw DamagedCache()
        }
    }

    private mutating func texts() throws(DamagedCache) -> [String: String] {
        let pairs = try each { reader throws(DamagedCache) in (try reader.text(), try reader.text()) }
        return Dictionary(pairs) { first, _ in first }
    }

    private mutating func addresses() throws(DamagedCache) -> AddressIndex.Found {
        var found = AddressIndex.Found()
        found.addresses = try each { reader throws(DamagedCache) in
            let (name, shown) = (try reader.text(), try reader.text())
            let digests = try reader.each { reader throws(DamagedCache) in try reader.fixed() }
            guard let address = WebAddress(name: name, shown: shown, digests: digests) else { throw DamagedCache() }
            return address
        }
        found.listings = try each { reader throws(DamagedCache) in
            AddressIndex.Listing(directory: try reader.string(), name: try reader.string())
        }
        (found.files, found.keys) = (try texts(), try texts())
        let series = try texts().map { (NumberedName(text: $0.key), $0.value) }
        found.series = Dictionary(series) { first, _ in first }
        let described = try each { reader throws(DamagedCache) in (try reader.string(), try reader.byte() == 1) }
        found.described = Dictionary(described) { first, _ in first }
        return found
    }
}
