internal import ContainerTree
internal import PolicyTexts
internal import Secrets

/// The secrets in a file's texts, or in its bytes where those tell nothing; at most 200. No value is kept.
///
/// A text is one by its shape alone (a token with its maker's prefix, a private key), or by its name and its shape.
enum SecretsFact: Fact {
    static let name = "secrets"
    static let cost = Cost.read
    private static let most = 200

    /// Bytes of the smallest file that is read: a name, a sign and the shortest password.
    static let smallestFile: UInt64 = 10

    /// The extensions of logs and of texts that the user writes.
    private static let plainTexts = ["txt", "md", "log", "csv", "tsv", "rtf", "html", "htm"].compactMap(
        PathExtension.word)

    struct Found: Sendable {
        /// The location in the file; nil for raw bytes.
        let pointer: String?
        let secret: SecretShape.Match
        /// True if only the name and the mixed letters of a short value speak for it.
        var isByName: Bool { secret.shape == .password || secret.shape == .shortKey }
        /// The form of the secret, with the length of a long one.
        var phrase: String { secret.shape.phrase + (isByName ? "" : " of \(secret.length) characters") }
        /// The location in words.
        var location: String { pointer ?? "raw bytes" }
    }

    static func value(of facts: ItemFacts) -> [Found] {
        var found: [Found] = []
        let shown = facts[TextTraitsFact.self]
        // In a text of the user, only the form of a value counts, not its name.
        let isPlainText = plainTexts.contains(PathExtension.word(of: facts.item.name))
        let texts = shown.contains(.secret) && !isPlainText ? facts[TextValuesFact.self] : []
        // By index, since few texts are secrets, and a copy of each would take longer than the search.
        // JSON in a text counts as a whole only if none of its texts is a secret.
        for isWhole in [false, true] where found.isEmpty {
            for index in texts.indices where texts[index].hasListedTexts == isWhole && found.count < most {
                let isTable = { isLocalization(facts.directory.path(of: facts.item)) }
                guard let secret = secret(texts[index], inTable: isTable()) else { continue }
                found.append(Found(pointer: pointer(to: texts[index]), secret: secret))
            }
        }
        // A database contains deleted rows and BLOBs in its bytes, JSON its keys.
        if found.isEmpty,
            !shown.contains(.any) || isPlainText || facts[MagicFact.self] == .sqlite || facts[JSONFact.self] != nil
        {
            found = facts[RawContentFact.self].secrets.map { Found(pointer: nil, secret: $0) }
        }
        return found.filter { !$0.isByName } + found.filter(\.isByName)
    }

    private static func secret(_ value: TextValue, inTable isTable: @autoclosure () -> Bool) -> SecretShape.Match? {
        if let strong = SecretShape.first(in: value.text) { return strong }
        guard SecretValue.isPossible(value.text), !value.pointer.text.hasPrefix("/PreferenceSpecifiers/"), !isTable()
        else { return nil }
        return SecretValue.shape(of: value.text, named: value.name)
            .map { SecretShape.Match(shape: $0, length: value.text.utf8.count) }
    }

    /// The way to the value, without what is equal to the value itself.
    private static func pointer(to value: TextValue) -> String {
        let pointer = value.pointer.text
        return pointer.contains(value.text) ? "…" : pointer
    }

    /// Returns true for a table of localized texts, in which a name such as `password` stands for a caption.
    private static func isLocalization(_ path: [UInt8]) -> Bool {
        let parts = String(decoding: path, as: UTF8.self).lowercased().split(separator: "/")
        guard let name = parts.last else { return false }
        if [".strings", ".stringsdict", ".xliff", ".arb"].contains(where: name.hasSuffix) { return true }
        let stem = name.prefix { $0 != "." }
        return ["strings", "localizable", "translations"].contains(String(stem))
            || parts.dropLast().contains { $0.hasSuffix(".lproj") || $0 == "settings.bundle" || folders.contains($0) }
    }

    private static let folders: Set<Substring> = [
        "locale", "locales", "i18n", "l10n", "lang", "langs", "language", "languages", "translations", "localization",
        "localizations",
    ]
}
