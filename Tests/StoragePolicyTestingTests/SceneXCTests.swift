import AppContainer
import Foundation
import StoragePolicyTesting
import SystemPackage
import Testing
import XCTest

/// Tests that fail on purpose. `XCTestCaseTests` runs them in a separate process; otherwise they are skipped.
final class SceneXCTests: XCTestCase {
    static let expected = (method: 18, directory: 22)
    private static let reason = "It fails on purpose, and XCTestCaseTests runs it in a process of its own."
    private func container() throws -> Container {
        guard let path = ProcessInfo.processInfo.environment["SANDBOXLINT_SCENE"] else { throw XCTSkip(Self.reason) }
        return try Container.open(FilePath(path))
    }

    func testMethod() throws {
        expectCompliant(try container(), "after the first run", select: ["regenerable-in-documents"])
    }

    func testDirectory() throws {
        expectCompliant(at: URL(fileURLWithPath: try container().location.string + "/Documents"))
    }

    func testFunction() throws {
        checkElsewhere(try container())
    }

    func testGood() throws {
        expectCompliant(try container(), select: ["stale-tmp"])
    }
}

/// Not a method of a test case, so it calls the function for Swift Testing.
private func checkElsewhere(_ container: Container) { expectCompliant(container) }
