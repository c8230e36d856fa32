import Testing

@Suite("Errors of @AutoArchived at compile time") struct ArchiveDiagnosticTests {
    /// A property in a class that cannot be archived.
    struct Bad: Sendable, CustomTestStringConvertible {
        let property: String
        let error: String
        /// The column of the error in the line of the property.
        var column = 5
        var fixIts: [String] = []
        /// The property after the first fix-it.
        var fixed: String?
        /// The property without attributes of macros.
        var expanded: String?
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
            property: "var group = Group()",
            error:
                "“group” needs a type, which a macro cannot infer from the initial value", column: 9,
            fixIts: ["add “: Group”"], fixed: "var group: Group = Group()"),
        Bad(
            property: "var names = [String]()",
            error:
                "“names” needs a type, which a macro cannot infer from the initial value", column: 9,
            fixIts: ["add “: [String]”"], fixed: "var names: [String] = [String]()"),
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
            fixIts: ["add an initial value"], fixed: "@NotArchived var draws: Int = <#initial value#>",
            expanded: "var draws: Int"),
        Bad(
            property: #"@Archived(key: "\(name)") var text: String"#,
            error:
                "a key is a string literal without interpolation", column: 20, expanded: "var text: String"),
        Bad(
            property: #"@Archived(key: "title") var text: String"#,
            error: "“text” and “title” have the same key, “title”",
            expanded: "var text: String"),
        Bad(
            property: "@Archived @NotArchived var text = 1",
            error: "“text” is marked with both @Archived and @NotArchived",
            expanded: "var text = 1"),
        Bad(
            property: "@NotArchived static var text = 1", error: "a static property is never archived",
            fixIts: ["remove @NotArchived"], fixed: "static var text = 1", expanded: "static var text = 1"),
        Bad(
            property: "@Archived var text: String { \"\" }", error: "a computed property is never archived",
            fixIts: ["remove @Archived"], fixed: "var text: String { \"\" }", expanded: "var text: String { \"\" }"),
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

    @Test("A property that cannot be archived is an error at its position, with a fix", arguments: bad)
    func properties(bad: Bad) {
        func type(_ property: String, attribute: String = "@AutoArchived\n") -> String {
            "\(attribute)class Item: NSObject {\n    var title: String\n    \(property)\n}"
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

                class var archivedFields: [AutoArchiving.Field] {
                    []
                }

                func encode(with coder: NSCoder) {
                    AutoArchiving.encode(self.title, "title", with: coder)
                }

                required init?(coder: NSCoder) {
                    guard let title = AutoArchiving.require(String.self, "title", with: coder) else {
                        return nil
                    }
                    self.title = title
                    super.init()
                }
            """
        let expanded = type((bad.expanded ?? bad.property) + (isMarker ? members : ""), attribute: "")
        Expansion(source: type(bad.property)).expect(
            expanded + "\n\nextension Item: AutoArchivable {\n}",
            errors: [.init(text: bad.error, line: 4, column: bad.column, fixIts: bad.fixIts)],
            applying: bad.fixed.map { _ in [bad.fixIts[0]] }, fixed: bad.fixed.map { type($0) })
    }

    @Test("A structure is not archived, and becomes a class")
    func structure() {
        Expansion(source: "@AutoArchived\nstruct Point {\n    var x = 0\n}").expect(
            "struct Point {\n    var x = 0\n}",
            errors: [
                .init(
                    text: "@AutoArchived applies to classes, because an archive stores objects with identity", line: 1,
                    column: 1, fixIts: ["replace “struct” with “final class”"])
            ], applying: ["replace “struct” with “final class”"],
            fixed: "@AutoArchived\nfinal class Point {\n    var x = 0\n}")
    }

    @Test("A class without a superclass inherits from NSObject")
    func superclass() {
        Expansion(source: "@AutoArchived\nclass Point {\n    var x = 0\n}").expect(
            "class Point {\n    var x = 0\n}",
            errors: [
                .init(
                    text: "an archived class inherits from NSObject", line: 2, column: 7, fixIts: ["add “: NSObject”"])
            ], applying: ["add “: NSObject”"], fixed: "@AutoArchived\nclass Point: NSObject {\n    var x = 0\n}")
    }

    @Test("A generic class and a computed version are errors")
    func types() {
        Expansion(source: "@AutoArchived\nclass Box<T>: NSObject {\n}").expect(
            "class Box<T>: NSObject {\n}",
            errors: [
                .init(
                    text: "a generic class cannot be archived, because its name depends on its arguments", line: 2,
                    column: 10)
            ])
        Expansion(source: "@AutoArchived(version: 1 + 1)\nclass Box: NSObject {\n}").expect(
            "class Box: NSObject {\n}\n\nextension Box: AutoArchivable {\n}",
            errors: [.init(text: "a version is a whole number from 0, as a literal", line: 1, column: 24)])
    }

    @Test("A property inside #if is an error, because a macro does not know which branch is compiled")
    func condition() {
        let source = """
            class Item: NSObject {
                #if os(iOS)
                var size = 1
                #endif
            }
            """
        Expansion(source: "@AutoArchived\n" + source).expect(
            source + "\n\nextension Item: AutoArchivable {\n}",
            errors: [
                .init(
                    text: "a stored property inside #if cannot be archived; move it out of #if", line: 4, column: 5,
                    fixIts: ["mark it @NotArchived"])
            ])
    }
}
