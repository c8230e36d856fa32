// The declarations of XCTest in use.
@_exported import Foundation

open class XCTestCase: NSObject {}

public func XCTFail(_ message: String = "", file: StaticString = #filePath, line: UInt = #line) { stub() }

private func stub() -> Never { fatalError() }
