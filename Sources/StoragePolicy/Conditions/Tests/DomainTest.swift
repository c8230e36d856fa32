internal import ContainerTree
internal import TextOutput

/// `domain: foreign`: a file of preferences is named for an app of another maker than the container's.
struct DomainTest: Test {
    static let key = "domain"
    static let cost = Cost.look

    private enum Word: String, CaseIterable { case foreign }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("domain", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals {
        slots.pathExtension([PathExtension.word("plist")].compactMap { $0 }).union(.file)
    }

    func holds(for subject: inout Subject) -> Bool {
        guard let identifier = subject.policy.bundleIdentifier,
            let domain = PreferencesDomain(file: subject.item.name), domain.isForeign(to: identifier)
        else { return false }
        subject.note("domain", ByteText.escaped(Array(domain.name.utf8)))
        return true
    }
}

/// Whose preferences a file holds, by its name.
struct PreferencesDomain: Hashable {
    let name: String

    /// Nil for what is named for no app: `settings.plist`, `.GlobalPreferences.plist`.
    init?(file name: UnsafeRawBufferPointer) {
        let text = String(decoding: name, as: UTF8.self)
        guard text.hasSuffix(".plist") else { return nil }
        self.name = String(text.dropLast(6))
        let labels = Self.labels(self.name)
        guard labels.count >= 3, labels.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    /// Whether its maker, the first two parts of the name, is another; suites of the app's maker are its own.
    func isForeign(to identifier: String) -> Bool {
        Self.labels(name).prefix(2) != Self.labels(identifier).prefix(2)
    }

    private static func labels(_ name: String) -> [Substring] {
        let small = name.lowercased()
        let own = small.hasPrefix("group.") ? small.dropFirst(6) : small[...]
        return own.split(separator: ".", omittingEmptySubsequences: false)
    }
}
