// The declarations of Yams in use.

public struct Mark: Sendable {
    public let line: Int
    public let column: Int
}

public enum YamlError: Error {
    public struct Context: CustomStringConvertible, Sendable {
        public let text: String
        public let mark: Mark
        public var description: String { stub() }
    }
    case no
    case memory
    case reader(problem: String, offset: Int?, value: Int32, yaml: String)
    case scanner(context: Context?, problem: String, Mark, yaml: String)
    case parser(context: Context?, problem: String, Mark, yaml: String)
    case composer(context: Context?, problem: String, Mark, yaml: String)
    case writer(problem: String)
    case emitter(problem: String)
    case representer(problem: String)
    case dataCouldNotBeDecoded(encoding: Int)
    case duplicatedKeysInMapping(duplicates: [Node], context: Context)
}

public final class Resolver: Sendable {
    public static var basic: Resolver { stub() }
    public static var `default`: Resolver { stub() }
}

public enum Node: Hashable {
    case scalar(Scalar)
    case mapping(Mapping)
    case sequence(Sequence)
    case alias(Alias)

    public struct Alias: Hashable {}

    public init(_ string: String) { stub() }
    public init(_ array: [Node]) { stub() }
    public init(_ pairs: [(Node, Node)]) { stub() }
    public var scalar: Scalar? { stub() }
    public var mapping: Mapping? { stub() }
    public var sequence: Sequence? { stub() }
    public var int: Int? { stub() }
    public var bool: Bool? { stub() }
    public var mark: Mark? { stub() }
    public subscript(string: String) -> Node? {
        get { stub() }
        set { stub() }
    }

    public struct Scalar: Hashable {
        public enum Style: UInt32 { case any, plain, singleQuoted, doubleQuoted, literal, folded }
        public var string: String
        public var style: Style
    }

    public struct Mapping: Hashable, BidirectionalCollection, ExpressibleByDictionaryLiteral {
        public typealias Element = (key: Node, value: Node)
        public init(dictionaryLiteral elements: (Node, Node)...) { stub() }
        public static func == (left: Mapping, right: Mapping) -> Bool { stub() }
        public func hash(into hasher: inout Hasher) { stub() }
        public var startIndex: Int { stub() }
        public var endIndex: Int { stub() }
        public func index(after index: Int) -> Int { stub() }
        public func index(before index: Int) -> Int { stub() }
        public subscript(index: Int) -> Element { stub() }
        public subscript(node: Node) -> Node? {
            get { stub() }
            set { stub() }
        }
        public subscript(string: String) -> Node? {
            get { stub() }
            set { stub() }
        }
    }

    public struct Sequence: Hashable, MutableCollection, RangeReplaceableCollection, RandomAccessCollection,
        ExpressibleByArrayLiteral
    {
        public init() { stub() }
        public init(arrayLiteral elements: Node...) { stub() }
        public var startIndex: Int { stub() }
        public var endIndex: Int { stub() }
        public func index(after index: Int) -> Int { stub() }
        public func index(before index: Int) -> Int { stub() }
        public subscript(index: Int) -> Node {
            get { stub() }
            set { stub() }
        }
        public mutating func replaceSubrange(_ range: Range<Int>, with new: some Collection<Node>) { stub() }
    }
}

public final class Constructor: Sendable {
    public static var `default`: Constructor { stub() }
}

public enum Parser {
    public enum Encoding: String, Sendable {
        case utf8, utf16
        public static var `default`: Encoding { stub() }
    }
}

public func compose(
    yaml: String, _ resolver: Resolver = .default, _ constructor: Constructor = .default,
    _ encoding: Parser.Encoding = .default
) throws -> Node? { stub() }
public func serialize(node: Node) throws -> String { stub() }

private func stub() -> Never { fatalError() }
