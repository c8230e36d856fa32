/// `location: [temporary]`: the item lies there, whatever else the rule's scope allows; for a rule whose
/// evidence differs by place.
struct LocationTest: Test {
    static let key = "location"
    static let cost = Cost.free
    private let places: [RuleScope.Place]

    init(_ value: YAMLValue) throws(SourceError) { places = try value.words("location", RuleScope.Place.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { places.count == 1 ? places[0].signal : [] }

    func isDecided(by signals: Signals) -> Bool { places.count == 1 }

    func holds(for subject: inout Subject) -> Bool { places.contains { subject.signals.contains($0.signal) } }
}
