import AppContainer
import FaultedOperations
import Foundation
import SystemPackage
import TestSupport
import Testing

/// On a file system without RENAME_NOREPLACE, renameat2 fails with EINVAL (rename(2)); strace simulates one.
@Suite("A file system with plain rename only", .needs(.externalProgram), .enabled(if: Platform.isLinux, "runs strace"))
struct PlainRenameTests {
    private static let operations = FaultedOperation.all.filter {
        ["copy a file", "copy a tree", "move"].contains($0.description)
    }

    private func run(_ operation: FaultedOperation, _ container: Container) throws -> String {
        try Command(
            "strace",
            [
                "-f", "-o", "/dev/null", "-e", "trace=renameat2", "-e", "inject=renameat2:error=EINVAL", Command.probe,
                "run", container.location.string, operation.description,
            ]
        ).text
    }

    @Test("A copy or a move creates its target, and replaces nothing", arguments: operations)
    func steps(operation: FaultedOperation) throws {
        try withContainer { container throws in
            try operation.prepare(container)
            let before = try operation.state(container)
            #expect(try run(operation, container) == "done\n")
            let after = try operation.state(container)
            #expect(before != after && after.last != .some(nil))
            let names = try FileManager.default.subpathsOfDirectory(atPath: container.location.string).sorted()
            #expect(!names.contains { $0.contains("staging") })
            #expect(try run(operation, container) != "done\n")
            #expect(try operation.state(container) == after)
            let now = try FileManager.default.subpathsOfDirectory(atPath: container.location.string).sorted()
            #expect(now == names)
        }
    }
}
