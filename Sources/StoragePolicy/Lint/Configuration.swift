/// What a project says of its own containers, in `.sandboxlint.yml`.
public struct Configuration: Sendable {
    /// A list of globs, relative to the container.
    package enum Word: String, CaseIterable, Sendable {
        case userData = "user-data"
    }

    /// Whose containers they are, where they do not say.
    public let bundleIdentifier: String?
    private let globs: [Word: [PathGlob]]

    /// Nothing declared.
    public static let none = Configuration(bundleIdentifier: nil, globs: [:])

    private init(bundleIdentifier: String?, globs: [Word: [PathGlob]]) {
        self.bundleIdentifier = bundleIdentifier
        self.globs = globs
    }

    /// A configuration from a file's text: `bundle-id` and `user-data`.
    ///
    /// - Throws: What is wrong, at its line and column.
    public init(file: String, text: String) throws(SourceError) {
        let fields = try YAMLValue(file: file, text: text).fields(Set(Word.allCases.map(\.rawValue) + ["bundle-id"]))
        bundleIdentifier = try fields["bundle-id"]?.string()
        var globs: [Word: [PathGlob]] = [:]
        for word in Word.allCases {
            globs[word] = try fields[word.rawValue]?.strings().map { PathGlob($0) }
        }
        self.globs = globs
    }

    func declares(_ path: [UInt8], _ word: Word) -> Bool { globs[word]?.contains { $0.matches(path) } ?? false }
}
