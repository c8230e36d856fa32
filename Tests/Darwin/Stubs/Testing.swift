// The declarations of Swift Testing in use.

public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    public init(fileID: String, filePath: String, line: Int, column: Int) { stub() }
    public var filePath: String { stub() }
    public var description: String { stub() }
}

@freestanding(expression)
public macro _sourceLocation() -> SourceLocation =
    #externalMacro(module: "TestingMacros", type: "SourceLocationMacro")

public struct Comment: RawRepresentable, Hashable, Sendable, ExpressibleByStringInterpolation {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral: String) { rawValue = stringLiteral }
}

public struct Issue: Sendable {
    @discardableResult public static func record(
        _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Issue { stub() }
}

public struct Test: Sendable {
    public static var current: Test? { stub() }
}

private func stub() -> Never { fatalError() }
