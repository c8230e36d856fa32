/// `entropy: { tenths-over: 79 }`: the content has no pattern, as encrypted content has none; tenths of a bit a byte.
struct EntropyTest: Test {
    static let key = "entropy"
    static let cost = Cost.read
    private let tenths: Int

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["tenths-over"])
        tenths = try value.required("tenths-over", of: fields).integer()
    }

    func signals(_ slots: inout SignalSlots) -> Signals { slots.size(UInt64(EntropyFact.least)...UInt64.max) }

    func holds(for subject: inout Subject) -> Bool {
        guard let entropy = subject.facts[EntropyFact.self], entropy * 10 > Double(tenths) else { return false }
        let hundredths = Int(entropy * 100)
        subject.note("entropy", "\(hundredths / 100).\(hundredths % 100) of 8 bits per byte")
        return true
    }
}
