import TestSupport
import Testing

@Suite("Code that @AutoArchived writes", .needs(.externalProgram), .timeLimit(.minutes(60))) struct ExpansionTests {
    /// A class, and the members that `@AutoArchived` adds to it.
    struct Example: Sendable, CustomTestStringConvertible {
        let title: String
        let name: String
        let source: String
        let members: String
        /// False for a class whose superclass has `@AutoArchived`.
        var addsConformance = true
        var testDescription: String { title }
    }

    static let examples = [
        Example(
            title: "A class gets both methods, its properties in their order, and the conformance", name: "Student",
            source: """
                @AutoArchived(name: "Student")
                public final class Student: NSObject {
                    public let name: String
                    var grade = 1
                    let address: URL?
                    @NotArchived var draws = 0
                    static let limit = 3
                    var isGood: Bool { grade < 3 }
                }
                """,
            members: """
                public class var supportsSecureCoding: Bool {
                    true
                }

                public class var archiveName: String? {
                    "Student"
                }

                public class var _archivedFields: [_AutoArchiving.Field] {
                    []
                }

                public func encode(with coder: NSCoder) {
                    _AutoArchiving.encode(self.name, "name", with: coder)
                    _AutoArchiving.encode(self.grade, "grade", with: coder)
                    _AutoArchiving.encode(self.address, "address", with: coder)
                }

                public required init?(coder: NSCoder) {
                    guard let name = _AutoArchiving.require(String.self, "name", with: coder) else {
                        return nil
                    }
                    self.name = name
                    if let value = _AutoArchiving.decode(Int.self, "grade", with: coder) {
                        self.grade = value
                    }
                    self.address = _AutoArchiving.decode((URL?).self, "address", with: coder) ?? nil
                    super.init()
                }
                """),
        Example(
            title: "References that can be set later are links, and weak ones are conditional", name: "Node",
            source: """
                @AutoArchived
                class Node: NSObject {
                    var next: Node?
                    weak var parent: Node?
                    var children: [Node] = []
                    let owner: Person
                }
                """,
            members: """
                class var supportsSecureCoding: Bool {
                    true
                }

                class var archiveName: String? {
                    nil
                }

                class var _archivedFields: [_AutoArchiving.Field] {
                    [
                        _AutoArchiving.field((Node?).self, "next", isLink: true),
                        _AutoArchiving.field((Node?).self, "parent", isLink: true),
                        _AutoArchiving.field([Node].self, "children", isLink: true),
                        _AutoArchiving.field(Person.self, "owner", isLink: false),
                    ]
                }

                func encode(with coder: NSCoder) {
                    _AutoArchiving.encodeLink(self.next, "next", with: coder)
                    _AutoArchiving.encodeWeak(self.parent, "parent", with: coder)
                    _AutoArchiving.encodeLink(self.children, "children", with: coder)
                    _AutoArchiving.encode(self.owner, "owner", with: coder)
                }

                required init?(coder: NSCoder) {
                    guard let owner = _AutoArchiving.require(Person.self, "owner", with: coder) else {
                        return nil
                    }
                    self.owner = owner
                    super.init()
                    _AutoArchiving.decodeLink((Node?).self, "next", of: self, with: coder) {
                        $0.next = $1
                    }
                    _AutoArchiving.decodeLink((Node?).self, "parent", of: self, with: coder) {
                        $0.parent = $1
                    }
                    _AutoArchiving.decodeLink([Node].self, "children", of: self, with: coder) {
                        $0.children = $1
                    }
                }
                """),
        Example(
            title: "Keys, former keys, a version, extra keys and a migration", name: "Account",
            source: """
                @AutoArchived(name: "Account", version: 2)
                class Account: NSObject {
                    @Archived(key: "owner", formerly: "holder", "name") var user: String
                    func encodeExtra(with coder: NSCoder) {}
                    func decodeExtra(with coder: NSCoder) {}
                    func migrate(from version: Int, with coder: NSCoder) {}
                }
                """,
            members: """
                class var supportsSecureCoding: Bool {
                    true
                }

                class var archiveName: String? {
                    "Account"
                }

                class var _archivedFields: [_AutoArchiving.Field] {
                    []
                }

                func encode(with coder: NSCoder) {
                    _AutoArchiving.encodeVersion(2, of: "Account", with: coder)
                    _AutoArchiving.encode(self.user, "owner", with: coder)
                    self.encodeExtra(with: coder)
                }

                required init?(coder: NSCoder) {
                    guard let archiveVersion = _AutoArchiving.decodeVersion(of: "Account", known: 2, with: coder) else {
                        return nil
                    }
                    guard let user = _AutoArchiving.require(String.self, "owner", formerly: ["holder", "name"], with: coder) else {
                        return nil
                    }
                    self.user = user
                    super.init()
                    self.decodeExtra(with: coder)
                    _AutoArchiving.migrate(from: archiveVersion, to: 2, with: coder) {
                        self.migrate(from: archiveVersion, with: coder)
                    }
                }
                """),
        Example(
            title: "A subclass overrides the methods and calls those of its superclass", name: "Dog",
            source: """
                @AutoArchived
                final class Dog: Animal {
                    var tricks: [String] = []
                    override func encodeExtra(with coder: NSCoder) { super.encodeExtra(with: coder) }
                }
                """,
            members: """
                override class var supportsSecureCoding: Bool {
                    true
                }

                override class var archiveName: String? {
                    nil
                }

                override func encode(with coder: NSCoder) {
                    super.encode(with: coder)
                    _AutoArchiving.encode(self.tricks, "tricks", with: coder)
                }

                required init?(coder: NSCoder) {
                    if let value = _AutoArchiving.decode([String].self, "tricks", with: coder) {
                        self.tricks = value
                    }
                    super.init(coder: coder)
                }
                """,
            addsConformance: false),
    ]

    /// The examples in the compiler, with the classes that they refer to.
    private static let expansions = Result {
        var sources = [
            "Person": "@AutoArchived class Person: NSObject {}",
            "Animal": "@AutoArchived class Animal: NSObject { func encodeExtra(with coder: NSCoder) {} }",
        ]
        for example in examples { sources[example.name] = example.source }
        return try Expansions(of: sources)
    }

    @Test("A class gets its members and the conformance", arguments: examples)
    func code(example: Example) throws {
        let expansion = try #require(try Self.expansions.get()[example.name])
        #expect(expansion.members == example.members)
        #expect(
            expansion.conformance
                == (example.addsConformance ? "extension \(example.name): AutoArchivable {\n}" : ""))
        #expect(expansion.peers.isEmpty && expansion.errors.isEmpty)
    }

    @Test("The code compiles without errors and warnings")
    func diagnostics() throws {
        #expect(try Self.expansions.get().otherDiagnostics == [])
    }
}
