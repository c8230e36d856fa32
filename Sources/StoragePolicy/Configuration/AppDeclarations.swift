internal import AppContainer
internal import FileSystem
internal import PropertyLists
internal import SystemPackage

/// The keys of an app's Info.plist on which rules depend. The configuration of the project takes precedence.
///
/// Source: Apple, Information Property List.
struct AppDeclarations: Sendable {
    /// True if Documents is visible in the Files app.
    let sharesDocuments: Bool
    /// The extensions of the documents that users create with the app, in lowercase.
    let documentTypes: [String]

    private static let limit = 4 << 20
    private static let mostTypes = 1_000

    /// Reads the Info.plist of a bundle. Returns nil if it cannot be read.
    init?(of bundle: Container) {
        for name in ["Info.plist", "Contents/Info.plist"] {
            guard let file = try? bundle.folder.open(FilePath(name), followingLinks: false),
                let bytes = try? file.contents(limit: Self.limit), let graph = try? PropertyListGraph(parsing: bytes)
            else { continue }
            self.init(graph.root)
            return
        }
        return nil
    }

    private init(_ info: PropertyListValue) {
        func isTrue(_ key: String) -> Bool { if case .boolean(true)? = info[key]?.node { true } else { false } }
        sharesDocuments =
            isTrue("UISupportsDocumentBrowser")
            || isTrue("UIFileSharingEnabled") && isTrue("LSSupportsOpeningDocumentsInPlace")
        var extensions: Set<String> = []
        var identifiers: Set<String> = []
        for type in (info["CFBundleDocumentTypes"]?.members ?? []).prefix(Self.mostTypes) {
            extensions.formUnion(Self.strings(type["CFBundleTypeExtensions"]))
            identifiers.formUnion(Self.strings(type["LSItemContentTypes"]))
        }
        for key in ["UTExportedTypeDeclarations", "UTImportedTypeDeclarations"] {
            for type in (info[key]?.members ?? []).prefix(Self.mostTypes) {
                guard let identifier = type["UTTypeIdentifier"]?.string, identifiers.contains(identifier) else {
                    continue
                }
                extensions.formUnion(Self.strings(type["UTTypeTagSpecification"]?["public.filename-extension"]))
            }
        }
        documentTypes = extensions.filter { !$0.isEmpty && $0 != "*" }.map { $0.lowercased() }.sorted()
    }

    /// The strings of an array, or a single one.
    private static func strings(_ value: PropertyListValue?) -> [String] {
        if let text = value?.string { return [text] }
        return (value?.members ?? []).prefix(mostTypes).compactMap(\.string)
    }
}
