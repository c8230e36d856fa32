// The declarations of XCTest and XCUIAutomation in use.
@_exported import Foundation

open class XCTestCase: NSObject {}

public func XCTFail(_ message: String = "", file: StaticString = #filePath, line: UInt = #line) { stub() }
public func XCTAssertTrue(
    _ expression: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String = "",
    file: StaticString = #filePath, line: UInt = #line
) { stub() }

public struct XCTSkip: Error {
    public init(
        _ message: @autoclosure () -> String? = nil, file: StaticString = #filePath, line: UInt = #line
    ) { stub() }
}

@MainActor open class XCUIElementQuery: NSObject {
    open subscript(key: String) -> XCUIElement { stub() }
}
@MainActor open class XCUIElement: NSObject {
    open var buttons: XCUIElementQuery { stub() }
    open var staticTexts: XCUIElementQuery { stub() }
    open var textFields: XCUIElementQuery { stub() }
    open func tap() { stub() }
    open func typeText(_ text: String) { stub() }
    open func waitForExistence(timeout: TimeInterval) -> Bool { stub() }
}
@MainActor open class XCUIApplication: XCUIElement {
    public override init() { stub() }
    open var launchArguments: [String] {
        get { stub() }
        set { stub() }
    }
    open func launch() { stub() }
}
@MainActor open class XCUIDevice: NSObject {
    public enum Button: Int, Sendable { case home = 1 }
    open class var shared: XCUIDevice { stub() }
    open func press(_ button: Button) { stub() }
}

private func stub() -> Never { fatalError() }
