import Foundation
import TestSupport
import Testing

@Suite("@AutoArchived in the compiler", .needs(.externalProgram), .timeLimit(.minutes(60))) struct CompilerTests {
    /// Returns the errors of the compiler for a file, with the macros of this build.
    private func errors(_ source: String) throws -> String {
        try withScratch { folder throws in
            try folder.write(source, to: "App.swift")
            let run = try Compiler.check(folder)
            #expect((run.code == 0) == !run.errors.contains("error:"))
            return run.errors
        }
    }

    @Test("A class with properties of supported types, and its subclass, compile without a warning")
    func valid() throws {
        let found = try errors(
            """
            import AutoArchived
            import Foundation
            enum Kind: String, ArchivableValue { case one }
            @AutoArchived open class Item: NSObject {
                let title: String
                var kind: Kind?
                weak var parent: Item?
                init(title: String) { self.title = title }
            }
            @AutoArchived(version: 1) final class Box: Item {
                var items: [String: [Item]] = [:]
                @NotArchived var done: (() -> Void)?
            }
            """)
        #expect(!found.contains("error:") && !found.contains("warning:"), "\(found)")
    }

    @Test(
        "A property of another type is an error that says what to do",
        arguments: ["let origin: Point", "var corner: Point?"])
    func unsupportedType(property: String) throws {
        let found = try errors(
            """
            import AutoArchived
            import Foundation
            struct Point {}
            @AutoArchived class Item: NSObject {
                \(property)
                override init() { fatalError() }
            }
            """)
        let text =
            "the type of the property cannot be archived; conform it to ArchivableValue, or mark the property @NotArchived"
        #expect(found.contains(text), "\(found)")
    }
}
