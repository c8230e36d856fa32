// The declarations of CryptoKit in use.
public import Foundation

public protocol Digest: Hashable, Sequence, Sendable, ContiguousBytes, CustomStringConvertible where Element == UInt8 {
    static var byteCount: Int { get }
}

extension Digest {
    public func makeIterator() -> Array<UInt8>.Iterator { stub() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { stub() }
    public var description: String { stub() }
    public static var byteCount: Int { stub() }
}

public struct SHA256Digest: Digest {}

public protocol HashFunction: Sendable {
    associatedtype Digest: CryptoKit.Digest
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}

extension HashFunction {
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { stub() }
    public mutating func update(data: some DataProtocol) { stub() }
    public static func hash(data: some DataProtocol) -> Digest { stub() }
    public static func hash(bufferPointer: UnsafeRawBufferPointer) -> Digest { stub() }
}

public struct SHA256: HashFunction {
    public typealias Digest = SHA256Digest
    public init() { stub() }
    public func finalize() -> SHA256Digest { stub() }
}

public struct SHA512Digest: Digest {}

public struct SHA512: HashFunction {
    public typealias Digest = SHA512Digest
    public init() { stub() }
    public func finalize() -> SHA512Digest { stub() }
}

public enum Insecure {
    public struct SHA1Digest: CryptoKit.Digest {}
    public struct MD5Digest: CryptoKit.Digest {}
    public struct SHA1: HashFunction {
        public typealias Digest = SHA1Digest
        public init() { stub() }
        public func finalize() -> SHA1Digest { stub() }
    }
    public struct MD5: HashFunction {
        public typealias Digest = MD5Digest
        public init() { stub() }
        public func finalize() -> MD5Digest { stub() }
    }
}

public struct SymmetricKeySize: Sendable {
    public static var bits256: SymmetricKeySize { stub() }
}

public struct SymmetricKey: ContiguousBytes, Equatable, Sendable {
    public init(size: SymmetricKeySize) { stub() }
    public var bitCount: Int { stub() }
    public init(data: some ContiguousBytes) { stub() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { stub() }
}

public struct HashedAuthenticationCode<H: HashFunction>: Sequence, ContiguousBytes, Hashable, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { stub() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { stub() }
    public static func == (left: Self, right: Self) -> Bool { stub() }
    public func hash(into hasher: inout Hasher) { stub() }
}

public struct HMAC<H: HashFunction>: Sendable {
    public typealias MAC = HashedAuthenticationCode<H>
    public static func authenticationCode(for data: some DataProtocol, using key: SymmetricKey) -> MAC { stub() }
}

public enum AES {
    public enum KeyWrap {
        public static func unwrap(_ wrapped: some DataProtocol, using key: SymmetricKey) throws -> SymmetricKey {
            stub()
        }
    }
}

private func stub() -> Never { fatalError() }
