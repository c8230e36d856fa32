internal import AppContainer
internal import ContainerStores
internal import ContainerTree
internal import FileSystem

/// What a plan gathers while the items of one directory come.
struct PlanTally {
    /// Items that have not been handed over yet; their names lie in `names`.
    var records: [PlanRecord] = []
    var names: [UInt8] = []
    /// The disk of each of them.
    var devices: [UInt64] = []
    /// The attributes of those that have any, by their index in `records`.
    var attributes: [(record: Int, names: [String])] = []
    /// What a directory that is left out holds.
    var held = PlanSum()
    var regenerable = RegenerableSum()
    var carriesAttributes = true
}

/// Makes a plan of the items that a tree shows.
struct Planner: TreeVisitor {
    let container: Container
    let rules: PlanRules
    let builder = PlanBuilder()

    /// So many items are handed over at once.
    private static let batch = 512

    func root(_ item: Item, _ directory: Directory) -> PlanPlace {
        let verdict =
            rules.verdict(ofMarksOn: item, path: [], in: container)
            ?? PlanVerdict(reason: .userData, decider: PlanDecider(.root))
        let number = builder.newDirectory()
        var tally = PlanTally()
        add(item, verdict, in: PlanRecord.none, directory: number, &tally)
        builder.take(&tally)
        return PlanPlace(directory, number: number, verdict: verdict, in: nil, of: container)
    }

    func begin(_ directory: Directory, _ place: PlanPlace) -> PlanTally { PlanTally() }

    func visit(_ item: Item, in directory: Directory, _ place: PlanPlace, _ tally: inout PlanTally) {
        if place.isLeftOut {
            tally.held.add(bytes: item.status.isFile ? item.status.size : 0)
            if place.isOfUser, place.verdict.reason.isByMark { warnOfDatabase(item, in: directory) }
            return
        }
        let verdict = rules.verdict(on: item, in: place, path: directory.path(of: item), of: container)
        add(item, verdict, in: place.number, directory: PlanRecord.none, &tally)
        if verdict.reason.decision == .include {
            note(item, in: directory, &tally)
        } else if place.isOfUser, verdict.reason.isByMark {
            warnOfDatabase(item, in: directory)
        }
    }

    func enter(
        _ item: Item, _ subdirectory: Directory, in directory: Directory, _ place: PlanPlace, _ tally: inout PlanTally
    ) -> PlanPlace {
        if place.isLeftOut {
            tally.held.add(bytes: 0)
            return PlanPlace(
                subdirectory, number: place.number, verdict: place.verdict, in: place, of: container)
        }
        var verdict = rules.verdict(on: item, in: place, path: subdirectory.path, of: container)
        if verdict.reason == .userData, subdirectory.isLocation {
            verdict = PlanVerdict(reason: .userData, decider: PlanDecider(subdirectory.location))
        }
        let number = builder.newDirectory()
        add(item, verdict, in: place.number, directory: number, &tally)
        return PlanPlace(subdirectory, number: number, verdict: verdict, in: place, of: container)
    }

    func end(_ directory: Directory, _ place: PlanPlace, _ tally: PlanTally) {
        var tally = tally
        builder.take(&tally, endOf: place, location: directory.location)
    }

    func failed(_ failure: WalkFailure) { builder.add(PlanIncident(failure)) }

    private func add(
        _ item: Item, _ verdict: PlanVerdict, in parent: UInt32, directory: UInt32, _ tally: inout PlanTally
    ) {
        if !item.attributes.isEmpty { tally.attributes.append((tally.records.count, item.attributes)) }
        if !item.carriesAttributes { tally.carriesAttributes = false }
        tally.records.append(
            PlanRecord(
                item.status, nameStart: tally.names.count, nameLength: item.name.count, in: parent,
                directory: directory, verdict: verdict))
        tally.names.append(contentsOf: item.name)
        tally.devices.append(item.status.identity.device)
        if tally.records.count >= Self.batch { builder.take(&tally) }
    }

    /// Looks at what is kept for what a person might not want so.
    private func note(_ item: Item, in directory: Directory, _ tally: inout PlanTally) {
        if item.status.isFile {
            if isRegenerable(item) { tally.regenerable.add(directory.path(of: item), item.status.size) }
        } else if let target = item.source.linkTarget(), OldContainer.isIn(target, apartFrom: container.location) {
            builder.add(PlanWarning(.linkToOldContainer, directory.path(of: item)))
        }
    }

    private func warnOfDatabase(_ item: Item, in directory: Directory) {
        // Pages are of at least 512 bytes, and a database is made of whole ones.
        guard item.status.isFile, item.status.size >= 512, item.status.size % 512 == 0, !isRegenerable(item),
            let bytes = item.source.bytes(StoreHeader.size, at: 0), StoreHeader(bytes) != nil
        else { return }
        builder.add(PlanWarning(.databaseLeftOut, directory.path(of: item), bytes: item.status.size))
    }

    private func isRegenerable(_ item: Item) -> Bool {
        guard item.attributes.contains(Provenance.makerAttribute),
            let value = item.source.attribute(Provenance.makerAttribute),
            let maker = Provenance.Maker(rawValue: String(decoding: value, as: UTF8.self))
        else { return false }
        return maker == .downloaded || maker == .derived
    }
}
