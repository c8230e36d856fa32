internal import AppContainer
internal import ContainerTree
internal import Foundation
internal import Secrets
internal import TextOutput

/// `attribute: [com.apple.quarantine]`: the item has one of these extended attributes, with any value.
struct AttributePredicate: Predicate {
    static let key = "attribute"
    static let cost = Cost.free
    private let names: [String]

    init(_ value: YAMLValue) throws(SourceError) { names = try value.strings() }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .attributes }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let found = names.filter(evaluation.item.attributes.contains)
        guard !found.isEmpty else { return false }
        evaluation.addEvidence("attribute", value: found.joined(separator: ", "))
        return true
    }
}

/// `attributes: { value-over: 4KiB, name-over: 127 }`: an extended attribute of the item exceeds one of these lengths.
struct AttributesPredicate: Predicate {
    static let key = "attributes"
    static let cost = Cost.look
    private let longestValue: Int
    private let longestName: Int

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["value-over", "name-over"])
        if fields.isEmpty { throw value.error("attributes needs value-over or name-over") }
        longestValue =
            try fields["value-over"].map { value throws(SourceError) in Int(min(try value.size(), 1 << 20)) } ?? .max
        longestName = try fields["name-over"]?.integer() ?? .max
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .attributes }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        for name in evaluation.item.attributes {
            if name.utf8.count > longestName {
                evaluation.addEvidence("attribute", value: "a name of \(Quantity.count(name.utf8.count, "byte"))")
                return true
            }
            if longestValue < .max, let value = evaluation.facts.attribute(name), value.count > longestValue {
                evaluation.addEvidence(
                    "attribute", value: "\(ByteText.escaped(Array(name.utf8))), \(Quantity.count(value.count, "byte"))")
                return true
            }
        }
        return false
    }
}

/// `without-attributes: 20`: the container has at least that many files, and no item has an extended attribute.
/// Evaluated after the container was read.
struct WithoutAttributesPredicate: Predicate {
    static let key = "without-attributes"
    static let cost = Cost.later
    private let files: Int

    init(_ value: YAMLValue) throws(SourceError) { files = try value.integer() }

    var needs: PredicateNeeds { [.attributes, .container] }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { [] }

    func matches(_ evaluation: inout Evaluation) -> Bool { evaluation.answer(.hasNoAttributes(files: files)) }
}

/// `origin: [downloaded, derived]`: the library that wrote the file recorded one of these creators, or recorded traffic has the
/// bytes of the file, in a response (`downloaded`) or in a request (`user`).
struct OriginPredicate: Predicate {
    static let key = "origin"
    static let cost = Cost.look
    private let makers: [Provenance.Maker]

    init(_ value: YAMLValue) throws(SourceError) { makers = try value.words("maker", type: Provenance.Maker.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .attributes }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        if evaluation.run.traffic != nil, let proof = evaluation.proof, case .traffic(let traffic) = proof {
            guard proof.maker.map(makers.contains) ?? false else { return false }
            evaluation.addEvidence("traffic", value: traffic.reason)
            return true
        }
        guard let word = evaluation.text(ofAttribute: Provenance.makerAttribute),
            let maker = Provenance.Maker(rawValue: word), makers.contains(maker)
        else { return false }
        let source = evaluation.text(ofAttribute: Provenance.originAttribute).map {
            " from \(Origin.withoutSecrets($0))"
        }
        evaluation.addEvidence("origin", value: maker.rawValue + (source ?? ""))
        return true
    }
}

/// The origin of a file in an attribute.
enum Origin {
    /// Returns the address without possible secrets, printable and shortened.
    static func withoutSecrets(_ text: String) -> String {
        ShownAddress(text).map { ByteText.escaped(Array($0.text.utf8)) } ?? "an unreadable URL"
    }
}

/// `fetched-by: app`: an attribute records the origin of the file, and the app itself downloaded it.
///
/// A quarantine attribute contains the agent. If it is another app, the user imported the file. A where-froms attribute
/// alone does not contain the agent.
struct FetchedByAppPredicate: Predicate {
    static let key = "fetched-by"
    static let cost = Cost.look
    static let quarantine = "com.apple.quarantine"
    static let whereFroms = "com.apple.metadata:kMDItemWhereFroms"

    private enum Word: String, CaseIterable { case app }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("agent", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .attributes }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        // `flags;hexadecimal time;agent;UUID`
        let quarantine = evaluation.text(ofAttribute: Self.quarantine)
        let agent = quarantine.map { $0.split(separator: ";", omittingEmptySubsequences: false) }
            .flatMap { $0.count > 2 ? String($0[2]) : nil }
        if let agent, !isApp(agent, of: evaluation) { return false }
        if let origin = evaluation.text(ofAttribute: Provenance.originAttribute) {
            evaluation.addEvidence("origin", value: Origin.withoutSecrets(origin))
            return true
        }
        guard let agent else { return false }
        evaluation.addEvidence("origin", value: "quarantined by \(agent)")
        return true
    }

    private func isApp(_ agent: String, of evaluation: Evaluation) -> Bool {
        guard let identifier = evaluation.run.bundleIdentifier?.lowercased() else { return false }
        let agent = agent.lowercased()
        let names = [agent, agent.hasSuffix(".app") ? String(agent.dropLast(4)) : agent]
        let own = [identifier, identifier.split(separator: ".").last.map(String.init) ?? identifier]
        return names.contains { own.contains($0) }
    }
}

/// `protection: [complete]`: the file has one of these data protection classes. Device backups record it in an attribute,
/// and `AppContainer` does on systems without data protection.
///
/// Source of the numbers: code.google.com/p/iphone-dataprotection, PROTECTION_CLASSES.
struct ProtectionPredicate: Predicate {
    static let key = "protection"
    static let cost = Cost.look

    private enum Class: String, CaseIterable {
        case complete
        case unlessOpen = "unless-open"
        case untilFirstUnlock = "until-first-unlock"
        case none

        var protection: FileProtection {
            switch self {
            case .complete: .complete
            case .unlessOpen: .completeUnlessOpen
            case .untilFirstUnlock: .completeUntilFirstUserAuthentication
            case .none: .always
            }
        }
    }
    private let classes: [Class]

    init(_ value: YAMLValue) throws(SourceError) { classes = try value.words("class", type: Class.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .attributes }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard let number = evaluation.text(ofAttribute: FileProtection.attribute).flatMap({ Int32($0) }),
            let found = classes.first(where: { $0.protection.systemClass == number })
        else { return false }
        evaluation.addEvidence("protection", value: found.rawValue)
        return true
    }
}
