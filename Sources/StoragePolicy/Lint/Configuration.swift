/// What a project says of its own containers, in `.sandboxlint.yml`.
public struct Configuration: Sendable {
    /// A list of globs, relative to the container.
    package enum Word: String, CaseIterable, Sendable {
        case downloaded, synced, caches, ignore
        case userData = "user-data"
        case mustExclude = "must-exclude"
        case mustInclude = "must-include"
    }

    /// Whose containers they are, where they do not say.
    public let bundleIdentifier: String?
    /// The modules whose classes may come in archives.
    public let modules: [String]
    /// Whether people see Documents in the Files app (the keys UIFileSharingEnabled,
    /// LSSupportsOpeningDocumentsInPlace and UISupportsDocumentBrowser of Info.plist); nil where it is not said.
    public let sharesDocuments: Bool?
    /// Extensions of the documents that people make with the app (CFBundleDocumentTypes).
    public let documentTypes: [String]
    /// Bytes that a rule with a budget allows, by the rule's id.
    let budgets: [String: UInt64]
    private let globs: [Word: [PathGlob]]

    /// Nothing declared.
    public static let none = Configuration()

    private init() {
        (bundleIdentifier, modules, budgets, globs) = (nil, [], [:], [:])
        (sharesDocuments, documentTypes) = (nil, [])
    }

    /// A configuration from a file's text: `bundle-id`, `modules`, `budgets`, and the lists of globs.
    ///
    /// - Throws: What is wrong, at its line and column.
    public init(file: String, text: String) throws(SourceError) {
        let fields = try YAMLValue(file: file, text: text).fields(
            Set(
                Word.allCases.map(\.rawValue) + [
                    "bundle-id", "modules", "budgets", "shares-documents", "document-types",
                ]))
        bundleIdentifier = try fields["bundle-id"]?.string()
        modules = try fields["modules"]?.strings() ?? []
        sharesDocuments = try fields["shares-documents"]?.boolean()
        documentTypes = try fields["document-types"]?.strings() ?? []
        var budgets: [String: UInt64] = [:]
        for (rule, bytes) in try fields["budgets"]?.pairs() ?? [] { budgets[try rule.string()] = try bytes.size() }
        self.budgets = budgets
        var globs: [Word: [PathGlob]] = [:]
        for word in Word.allCases {
            globs[word] = try fields[word.rawValue]?.strings().map { PathGlob($0) }
        }
        self.globs = globs
    }

    func declares(_ path: [UInt8], _ word: Word) -> Bool { globs[word]?.contains { $0.matches(path) } ?? false }
}
