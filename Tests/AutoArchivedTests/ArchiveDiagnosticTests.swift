import TestSupport
import Testing

@Suite("Errors of @AutoArchived at compile time", .needs(.externalProgram), .timeLimit(.minutes(60)))
struct ArchiveDiagnosticTests {
    /// A property in a class that cannot be archived.
    struct Bad: Sendable, CustomTestStringConvertible {
        let property: String
        let error: String
        /// The column of the error in the line of the property.
        var column = 5
        var fixIts: [String] = []
        /// The property after the first fix-it.
        var fixed: String?
        var testDescription: String { property }
    }

    static let bad = [
        Bad(
            property: "lazy var total = 1",
            error:
                "a lazy property cannot be archived, because reading it would compute its value",
            fixIts: ["mark it @NotArchived"], fixed: "@NotArchived lazy var total = 1"),
        Bad(
            property: "let limit: Int = 3", error: "a constant with an initial value cannot be read from an archive",
            fixIts: ["replace “let” with “var”", "mark it @NotArchived"], fixed: "var limit: Int = 3"),
        Bad(
            property: "var group = Group(1)",
            error:
                "“group” needs a type, which a macro cannot infer from the initial value", column: 9,
            fixIts: ["add “: Group”"], fixed: "var group: Group = Group(1)"),
        Bad(
            property: "var names = [String](repeating: \"\", count: 2)",
            error:
                "“names” needs a type, which a macro cannot infer from the initial value", column: 9,
            fixIts: ["add “: [String]”"], fixed: "var names: [String] = [String](repeating: \"\", count: 2)"),
        Bad(
            property: "var size = measure()",
            error:
                "“size” needs a type, which a macro cannot infer from the initial value", column: 9),
        Bad(
            property: "var done: (() -> Void)?", error: "a function cannot be archived", column: 15,
            fixIts: ["mark it @NotArchived"], fixed: "@NotArchived var done: (() -> Void)?"),
        Bad(
            property: "var pair: (Int, Int)", error: "a tuple cannot be archived", column: 15,
            fixIts: ["mark it @NotArchived"], fixed: "@NotArchived var pair: (Int, Int)"),
        Bad(
            property: "var anything: [Any] = []", error: "a value of any type cannot be archived", column: 19,
            fixIts: ["mark it @NotArchived"], fixed: "@NotArchived var anything: [Any] = []"),
        Bad(
            property: "weak var delegate: (any Delegate)?", error: "a value of any type cannot be archived", column: 24,
            fixIts: ["mark it @NotArchived"], fixed: "@NotArchived weak var delegate: (any Delegate)?"),
        Bad(
            property: "var label: Label!", error: "an implicitly unwrapped optional cannot be archived", column: 16,
            fixIts: ["mark it @NotArchived"], fixed: "@NotArchived var label: Label!"),
        Bad(
            property: "unowned var owner: Person",
            error:
                "an unowned property cannot be archived, because its object may be missing in the archive; declare a weak "
                + "variable of an optional type",
            fixIts: ["mark it @NotArchived"], fixed: "@NotArchived unowned var owner: Person"),
        Bad(
            property: "var (a, b) = (1, 2)",
            error:
                "a tuple of properties cannot be archived; declare each property by itself", column: 9),
        Bad(
            property: "@NotArchived var draws: Int",
            error:
                "“draws” is not archived and needs an initial value, which objects that are read from an archive have",
            fixIts: ["add an initial value"], fixed: "@NotArchived var draws: Int = <#initial value#>"),
        Bad(
            property: #"@Archived(key: "\(name)") var text: String"#,
            error:
                "a key is a string literal without interpolation", column: 20),
        Bad(
            property: #"@Archived(key: "title") var text: String"#,
            error: "“text” and “title” have the same key, “title”"),
        Bad(
            property: "@Archived @NotArchived var text = 1",
            error: "“text” is marked with both @Archived and @NotArchived"),
        Bad(
            property: "@NotArchived static var text = 1", error: "a static property is never archived",
            fixIts: ["remove @NotArchived"], fixed: "static var text = 1"),
        Bad(
            property: "@Archived var text: String { \"\" }", error: "a computed property is never archived",
            fixIts: ["remove @Archived"], fixed: "var text: String { \"\" }"),
        Bad(
            property: "func encode(with coder: NSCoder) {}",
            error:
                "@AutoArchived writes this method; remove it, and archive other values in encodeExtra(with:) and "
                + "decodeExtra(with:)", column: 10),
        Bad(
            property: "required init?(coder: NSCoder) { nil }",
            error:
                "@AutoArchived writes this method; remove it, and archive other values in encodeExtra(with:) and "
                + "decodeExtra(with:)", column: 14),
        Bad(
            property: "func migrate(from version: Int, with coder: NSCoder) {}",
            error:
                "the migration is never called; state the version: @AutoArchived(version: 1)", column: 10),
    ]

    /// Types with other errors, by their names.
    private static let types = [
        "Point": "@AutoArchived\nstruct Point {\n    var x = 0\n}",
        "Place": "@AutoArchived\nclass Place {\n    var x = 0\n}",
        "Box": "@AutoArchived\nclass Box<T>: NSObject {\n}",
        "Crate": "@AutoArchived(version: 1 + 1)\nclass Crate: NSObject {\n}",
        "Screen": """
        @AutoArchived
        class Screen: NSObject {
            #if os(iOS)
            var size = 1
            #endif
        }
        """,
    ]

    /// The types and the classes with the properties, in the compiler.
    private static let expansions = Result {
        var sources = types
        for (index, bad) in bad.enumerated() { sources["Item\(index)"] = item(index, bad.property) }
        return try Expansions(of: sources)
    }

    private static func item(_ index: Int, _ property: String) -> String {
        "@AutoArchived\nclass Item\(index): NSObject {\n    var title: String\n    \(property)\n}"
    }

    private func expansion(of name: String) throws -> Expansion { try #require(try Self.expansions.get()[name]) }

    @Test(
        "A property that cannot be archived is an error at its position, with a fix", arguments: zip(bad.indices, bad))
    func properties(index: Int, bad: Bad) throws {
        let expansion = try expansion(of: "Item\(index)")
        #expect(expansion.errors == [.init(text: bad.error, line: 4, column: bad.column, fixIts: bad.fixIts)])
        if let message = bad.fixIts.first, let fixed = bad.fixed {
            #expect(expansion.fixed[message] == Self.item(index, fixed))
        }
        // An attribute on a property that is not archived is an error of that macro, and does not stop the other one.
        let isMarker = bad.error.hasSuffix("property is never archived")
        let members = """
            class var supportsSecureCoding: Bool {
                true
            }

            class var archiveName: String? {
                nil
            }

            class var _archivedFields: [_AutoArchiving.Field] {
                []
            }

            func encode(with coder: NSCoder) {
                _AutoArchiving.encode(self.title, "title", with: coder)
            }

            required init?(coder: NSCoder) {
                guard let title = _AutoArchiving.require(String.self, "title", with: coder) else {
                    return nil
                }
                self.title = title
                super.init()
            }
            """
        #expect(expansion.members == (isMarker ? members : ""))
        #expect(expansion.conformance == "extension Item\(index): AutoArchivable {\n}")
        #expect(expansion.peers.isEmpty)
    }

    @Test("A structure is not archived, and becomes a class")
    func structure() throws {
        let expansion = try expansion(of: "Point")
        let message = "replace “struct” with “final class”"
        #expect(
            expansion.errors == [
                .init(
                    text: "@AutoArchived applies to classes, because an archive stores objects with identity", line: 1,
                    column: 1, fixIts: [message])
            ])
        #expect(expansion.fixed == [message: "@AutoArchived\nfinal class Point {\n    var x = 0\n}"])
        #expect(expansion.members.isEmpty && expansion.conformance.isEmpty)
    }

    @Test("A class without a superclass inherits from NSObject")
    func superclass() throws {
        let expansion = try expansion(of: "Place")
        let message = "add “: NSObject”"
        #expect(
            expansion.errors == [
                .init(text: "an archived class inherits from NSObject", line: 2, column: 7, fixIts: [message])
            ])
        #expect(expansion.fixed == [message: "@AutoArchived\nclass Place: NSObject {\n    var x = 0\n}"])
        #expect(expansion.members.isEmpty && expansion.conformance.isEmpty)
    }

    @Test("A generic class and a computed version are errors")
    func types() throws {
        let generic = try expansion(of: "Box")
        #expect(
            generic.errors == [
                .init(
                    text: "a generic class cannot be archived, because its name depends on its arguments", line: 2,
                    column: 10)
            ])
        #expect(generic.members.isEmpty && generic.conformance.isEmpty)
        let version = try expansion(of: "Crate")
        #expect(
            version.errors == [.init(text: "a version is a whole number from 0, as a literal", line: 1, column: 24)])
        #expect(version.members.isEmpty && version.conformance == "extension Crate: AutoArchivable {\n}")
    }

    @Test("A property inside #if is an error, because a macro does not know which branch is compiled")
    func condition() throws {
        let expansion = try expansion(of: "Screen")
        #expect(
            expansion.errors == [
                .init(
                    text: "a stored property inside #if cannot be archived; move it out of #if", line: 4, column: 5,
                    fixIts: ["mark it @NotArchived"])
            ])
        #expect(expansion.members.isEmpty && expansion.conformance == "extension Screen: AutoArchivable {\n}")
    }
}
