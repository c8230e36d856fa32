internal import AppContainer
internal import Foundation
internal import TextOutput

/// `origin: [downloaded, derived]`: the library that wrote the file says who made it.
struct OriginTest: Test {
    static let key = "origin"
    static let cost = Cost.look
    private let makers: [Provenance.Maker]

    init(_ value: YAMLValue) throws(SourceError) { makers = try value.words("maker", Provenance.Maker.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .attributes }

    func holds(for subject: inout Subject) -> Bool {
        guard let word = subject.text(ofAttribute: Provenance.makerAttribute),
            let maker = Provenance.Maker(rawValue: word), makers.contains(maker)
        else { return false }
        let source = subject.text(ofAttribute: Provenance.originAttribute).map { " from \(Origin.withoutSecrets($0))" }
        subject.note("origin", maker.rawValue + (source ?? ""))
        return true
    }
}

/// Where a file came from, as an attribute says it.
enum Origin {
    /// The address without what may be secret in it, printable and short.
    static func withoutSecrets(_ text: String) -> String {
        guard let url = URL(string: text), let stripped = Provenance.strip(url) else { return "an unreadable URL" }
        return ByteText.escaped(Array(stripped.utf8.prefix(300)))
    }
}
