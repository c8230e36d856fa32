// The declarations of swift-argument-parser in use.

public struct ExitCode: Error, RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(_ code: Int32) { rawValue = code }
    public init(rawValue: Int32) { self.rawValue = rawValue }
    public static let success = ExitCode(0)
    public static let failure = ExitCode(1)
    public static let validationFailure = ExitCode(64)
}

public struct ValidationError: Error, CustomStringConvertible, Sendable {
    public let message: String
    public init(_ message: String) { self.message = message }
    public var description: String { stub() }
}

public enum CleanExit: Error, Sendable {
    case helpRequest(ParsableCommand.Type?)
    case message(String)
}

public protocol ParsableArguments: Decodable {
    init()
    mutating func validate() throws
}

extension ParsableArguments {
    public mutating func validate() throws { stub() }
    public static func parseOrExit(_ arguments: [String]? = nil) -> Self { stub() }
    public static func parse(_ arguments: [String]? = nil) throws -> Self { stub() }
    public static func message(for error: any Error) -> String { stub() }
    public static func fullMessage(for error: any Error, columns: Int? = nil) -> String { stub() }
    public static func helpMessage(includeHidden: Bool = false, columns: Int? = nil) -> String { stub() }
    public static func exitCode(for error: any Error) -> ExitCode { stub() }
}

public protocol ParsableCommand: ParsableArguments {
    static var configuration: CommandConfiguration { get }
    mutating func run() throws
}

extension ParsableCommand {
    public static var configuration: CommandConfiguration { stub() }
    public static var _commandName: String { stub() }
    public mutating func run() throws { stub() }
    public static func parseAsRoot(_ arguments: [String]? = nil) throws -> any ParsableCommand { stub() }
    public static func helpMessage(
        for subcommand: any ParsableCommand.Type, includeHidden: Bool = false, columns: Int? = nil
    ) -> String { stub() }
    public static func main(_ arguments: [String]?) { stub() }
    public static func main() { stub() }
}

public struct CommandGroup: Sendable {
    public init(name: String, subcommands: [any ParsableCommand.Type]) { stub() }
}

public struct CommandConfiguration: Sendable {
    public init(
        commandName: String? = nil, abstract: String = "", usage: String? = nil, discussion: String = "",
        version: String = "", shouldDisplay: Bool = true, subcommands: [any ParsableCommand.Type] = [],
        groupedSubcommands: [CommandGroup] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil,
        helpNames: NameSpecification? = nil, aliases: [String] = []
    ) { stub() }
    public var commandName: String?
    public var abstract: String
    public var subcommands: [any ParsableCommand.Type]
    public var aliases: [String]
}

public struct NameSpecification: ExpressibleByArrayLiteral, Sendable {
    public struct Element: Hashable, Sendable {
        public static func customLong(_ name: String, withSingleDash: Bool = false) -> Element { stub() }
        public static func customShort(_ name: Character, allowingJoined: Bool = false) -> Element { stub() }
        public static var long: Element { stub() }
        public static var short: Element { stub() }
    }
    public init(arrayLiteral elements: Element...) { stub() }
    public static var long: NameSpecification { stub() }
    public static var short: NameSpecification { stub() }
    public static var shortAndLong: NameSpecification { stub() }
    public static func customLong(_ name: String, withSingleDash: Bool = false) -> NameSpecification { stub() }
    public static func customShort(_ name: Character, allowingJoined: Bool = false) -> NameSpecification { stub() }
}

public struct ArgumentVisibility: Sendable {
    public static let `default` = ArgumentVisibility()
    public static let hidden = ArgumentVisibility()
    public static let `private` = ArgumentVisibility()
}

public struct ArgumentHelp: ExpressibleByStringInterpolation, Sendable {
    public init(
        _ abstract: String = "", discussion: String = "", valueName: String? = nil,
        visibility: ArgumentVisibility = .default
    ) { stub() }
    public init(stringLiteral: String) { stub() }
    public static var hidden: ArgumentHelp { stub() }
    public static var `private`: ArgumentHelp { stub() }
}

public struct CompletionKind: Sendable {
    public static var `default`: CompletionKind { stub() }
    public static func list(_ words: [String]) -> CompletionKind { stub() }
    public static func file(extensions: [String] = []) -> CompletionKind { stub() }
    public static var directory: CompletionKind { stub() }
    public static func shellCommand(_ command: String) -> CompletionKind { stub() }
    @preconcurrency public static func custom(
        _ completion: @Sendable @escaping ([String], Int, String) -> [String]
    ) -> CompletionKind { stub() }
}

public protocol ExpressibleByArgument: SendableMetatype {
    init?(argument: String)
    var defaultValueDescription: String { get }
    static var allValueStrings: [String] { get }
    static var allValueDescriptions: [String: String] { get }
    static var defaultCompletionKind: CompletionKind { get }
}

extension ExpressibleByArgument {
    public var defaultValueDescription: String { stub() }
    public static var allValueStrings: [String] { stub() }
    public static var allValueDescriptions: [String: String] { stub() }
    public static var defaultCompletionKind: CompletionKind { stub() }
}

extension RawRepresentable where Self: ExpressibleByArgument, RawValue: ExpressibleByArgument {
    public init?(argument: String) { stub() }
}

extension LosslessStringConvertible where Self: ExpressibleByArgument {
    public init?(argument: String) { stub() }
}

extension String: ExpressibleByArgument {}
extension Int: ExpressibleByArgument {}
extension Int64: ExpressibleByArgument {}
extension UInt: ExpressibleByArgument {}
extension UInt64: ExpressibleByArgument {}
extension Double: ExpressibleByArgument {}

public protocol EnumerableFlag: CaseIterable, Equatable, SendableMetatype {
    static func name(for value: Self) -> NameSpecification
    static func help(for value: Self) -> ArgumentHelp?
}

extension EnumerableFlag {
    public static func name(for value: Self) -> NameSpecification { stub() }
    public static func help(for value: Self) -> ArgumentHelp? { stub() }
}

public struct FlagInversion: Sendable {
    public static var prefixedNo: FlagInversion { stub() }
    public static var prefixedEnableDisable: FlagInversion { stub() }
}

public struct FlagExclusivity: Sendable {
    public static var exclusive: FlagExclusivity { stub() }
    public static var chooseFirst: FlagExclusivity { stub() }
    public static var chooseLast: FlagExclusivity { stub() }
}

public struct SingleValueParsingStrategy: Hashable, Sendable {
    public static var next: SingleValueParsingStrategy { stub() }
    public static var unconditional: SingleValueParsingStrategy { stub() }
    public static var scanningForValue: SingleValueParsingStrategy { stub() }
}

public struct ArrayParsingStrategy: Hashable, Sendable {
    public static var singleValue: ArrayParsingStrategy { stub() }
    public static var upToNextOption: ArrayParsingStrategy { stub() }
}

public struct ArgumentArrayParsingStrategy: Hashable, Sendable {
    public static var remaining: ArgumentArrayParsingStrategy { stub() }
    public static var captureForPassthrough: ArgumentArrayParsingStrategy { stub() }
}

private func stub() -> Never { fatalError() }
