// The property wrappers of swift-argument-parser in use.

@propertyWrapper
public struct Flag<Value>: Decodable {
    public init(from decoder: any Decoder) throws { stub() }
    public var wrappedValue: Value {
        get { stub() }
        set { stub() }
    }
}

extension Flag: Sendable where Value: Sendable {}

extension Flag where Value == Bool {
    public init(wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp? = nil) { stub() }
    public init(
        name: NameSpecification = .long, inversion: FlagInversion, exclusivity: FlagExclusivity = .chooseLast,
        help: ArgumentHelp? = nil
    ) { stub() }
    public init(
        wrappedValue: Bool, name: NameSpecification = .long, inversion: FlagInversion,
        exclusivity: FlagExclusivity = .chooseLast, help: ArgumentHelp? = nil
    ) { stub() }
}

extension Flag where Value == Int {
    public init(wrappedValue: Int, name: NameSpecification = .long, help: ArgumentHelp? = nil) { stub() }
}

extension Flag where Value: EnumerableFlag {
    public init(wrappedValue: Value, exclusivity: FlagExclusivity = .exclusive, help: ArgumentHelp? = nil) { stub() }
    public init(exclusivity: FlagExclusivity = .exclusive, help: ArgumentHelp? = nil) { stub() }
}

extension Flag {
    public init<Element: EnumerableFlag>(
        exclusivity: FlagExclusivity = .exclusive, help: ArgumentHelp? = nil
    ) where Value == Element? { stub() }
}

@propertyWrapper
public struct Option<Value>: Decodable {
    public init(from decoder: any Decoder) throws { stub() }
    public var wrappedValue: Value {
        get { stub() }
        set { stub() }
    }
}

extension Option: Sendable where Value: Sendable {}

public struct DefaultAsFlagParsingStrategy: Hashable, Sendable {
    public static var next: DefaultAsFlagParsingStrategy { stub() }
    public static var scanningForValue: DefaultAsFlagParsingStrategy { stub() }
}

extension Option where Value: ExpressibleByArgument {
    public init(
        wrappedValue: Value, name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) { stub() }
    public init(
        name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) { stub() }
}

extension Option {
    @preconcurrency public init(
        wrappedValue: Value, name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> Value
    ) { stub() }
    @preconcurrency public init(
        name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil, transform: @Sendable @escaping (String) throws -> Value
    ) { stub() }
    public init<T: ExpressibleByArgument>(
        wrappedValue: _OptionalNilComparisonType, name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) where Value == T? { stub() }
    public init<T: ExpressibleByArgument>(
        name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == T? { stub() }
    public init<T: ExpressibleByArgument>(
        name: NameSpecification = .long, defaultAsFlag: T,
        parsing: DefaultAsFlagParsingStrategy = .scanningForValue, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == T? { stub() }
    @preconcurrency public init<T>(
        name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil, transform: @Sendable @escaping (String) throws -> T
    ) where Value == T? { stub() }
    public init<T: ExpressibleByArgument>(
        wrappedValue: [T], name: NameSpecification = .long, parsing: ArrayParsingStrategy = .singleValue,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) where Value == [T] { stub() }
    public init<T: ExpressibleByArgument>(
        name: NameSpecification = .long, parsing: ArrayParsingStrategy = .singleValue, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == [T] { stub() }
    @preconcurrency public init<T>(
        wrappedValue: [T], name: NameSpecification = .long, parsing: ArrayParsingStrategy = .singleValue,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == [T] { stub() }
}

@propertyWrapper
public struct Argument<Value>: Decodable {
    public init(from decoder: any Decoder) throws { stub() }
    public var wrappedValue: Value {
        get { stub() }
        set { stub() }
    }
}

extension Argument: Sendable where Value: Sendable {}

extension Argument where Value: ExpressibleByArgument {
    public init(wrappedValue: Value, help: ArgumentHelp? = nil, completion: CompletionKind? = nil) { stub() }
    public init(help: ArgumentHelp? = nil, completion: CompletionKind? = nil) { stub() }
}

extension Argument {
    @preconcurrency public init(
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> Value
    ) { stub() }
    public init<T: ExpressibleByArgument>(
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) where Value == T? { stub() }
    public init<T: ExpressibleByArgument>(
        wrappedValue: [T], parsing: ArgumentArrayParsingStrategy = .remaining, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == [T] { stub() }
    public init<T: ExpressibleByArgument>(
        parsing: ArgumentArrayParsingStrategy = .remaining, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == [T] { stub() }
}

@propertyWrapper
public struct OptionGroup<Value: ParsableArguments>: Decodable {
    public init(title: String = "", visibility: ArgumentVisibility = .default) { stub() }
    public init(from decoder: any Decoder) throws { stub() }
    public var wrappedValue: Value {
        get { stub() }
        set { stub() }
    }
}

extension OptionGroup: Sendable where Value: Sendable {}

private func stub() -> Never { fatalError() }
