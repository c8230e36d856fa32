// The UI test of a guide. `scripts/check-darwin-swift` compiles it for iOS; a test on a Mac cannot link it.
#if os(iOS)
import XCTest

// shown in simulator.md
@MainActor
final class ReaderUITests: XCTestCase {
    func testAnEvening() {
        let app = XCUIApplication()
        app.launchArguments = ["-onboarding", "done"]
        app.launch()
        app.buttons["Download issue"].tap()
        XCTAssertTrue(app.staticTexts["Downloaded"].waitForExistence(timeout: 60))
        app.textFields["Note"].tap()
        app.textFields["Note"].typeText("Read again")
        XCUIDevice.shared.press(.home)
    }
}
// end
#endif
