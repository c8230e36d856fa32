internal import AppContainer
internal import Synchronization

/// Where the threads of a walk put what they have found.
final class PlanBuilder: Sendable {
    struct State: Sendable {
        var records = RecordStore()
        var names = NameArena()
        /// Lists of attribute names as the kernel gives them; the first is that of an item without any.
        var attributeLists: [[String]] = [[]]
        var attributeNumbers: [[String]: UInt32] = [:]
        var devices: [UInt64] = []
        /// What the directories that are left out hold, by number.
        var held: [UInt32: PlanSum] = [:]
        var regenerable: [Location: RegenerableSum] = [:]
        var carriesAttributes = true
        var warnings: [PlanWarning] = []
        var incidents: [PlanIncident] = []
        var directories: UInt32 = 0
    }
    private let state = Mutex(State())

    /// A number for a directory that has been met.
    func newDirectory() -> UInt32 {
        state.withLock { state in
            defer { state.directories += 1 }
            return state.directories
        }
    }

    func add(_ warning: PlanWarning) { state.withLock { $0.warnings.append(warning) } }
    func add(_ incident: PlanIncident) { state.withLock { $0.incidents.append(incident) } }

    /// Takes the items out of a tally.
    func take(_ tally: inout PlanTally) {
        state.withLock { Self.move(&tally, into: &$0) }
        tally.records.removeAll(keepingCapacity: true)
        tally.names.removeAll(keepingCapacity: true)
        tally.devices.removeAll(keepingCapacity: true)
        tally.attributes.removeAll(keepingCapacity: true)
    }

    /// Takes all there is when a directory has been read.
    func take(_ tally: inout PlanTally, endOf place: PlanPlace, location: Location) {
        state.withLock { state in
            Self.move(&tally, into: &state)
            if place.isLeftOut { state.held[place.number, default: PlanSum()].add(tally.held) }
            if tally.regenerable.sum.items > 0 {
                state.regenerable[location, default: RegenerableSum()].add(tally.regenerable)
            }
        }
    }

    /// All that has been put here. Nothing of it stays, so that what is changed of it then need not be copied.
    func finish() -> State {
        state.withLock { state in
            defer { state = State() }
            return state
        }
    }

    private static func move(_ tally: inout PlanTally, into state: inout State) {
        for (record, names) in tally.attributes { tally.records[record].attributes = number(of: names, in: &state) }
        if !tally.carriesAttributes { state.carriesAttributes = false }
        guard !tally.records.isEmpty else { return }
        let place = state.names.add(tally.names)
        for (var record, device) in zip(tally.records, tally.devices) {
            record.namePiece = place.piece
            record.nameStart += place.start
            record.device = number(of: device, in: &state)
            state.records.append(record)
        }
    }

    /// Which disk it is; more than can be told apart, which no container lies on, are told as none.
    private static func number(of device: UInt64, in state: inout State) -> UInt16 {
        if let number = state.devices.firstIndex(of: device) { return UInt16(number) }
        guard state.devices.count < UInt16.max else { return .max }
        state.devices.append(device)
        return UInt16(state.devices.count - 1)
    }

    private static func number(of names: [String], in state: inout State) -> UInt32 {
        if let number = state.attributeNumbers[names] { return number }
        let number = UInt32(state.attributeLists.count)
        state.attributeLists.append(names)
        state.attributeNumbers[names] = number
        return number
    }
}
