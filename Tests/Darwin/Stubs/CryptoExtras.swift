// The declarations of swift-crypto's CryptoExtras in use.
public import CryptoKit
public import Foundation

public enum KDF {
    public enum Insecure {
        public enum PBKDF2 {
            public struct HashFunction: Equatable, Hashable, Sendable {
                public static var insecureSHA1: HashFunction { stub() }
                public static var sha256: HashFunction { stub() }
            }

            public static func deriveKey(
                from password: some DataProtocol, salt: some DataProtocol, using hashFunction: HashFunction,
                outputByteCount: Int, unsafeUncheckedRounds: Int
            ) throws -> SymmetricKey { stub() }
        }
    }
}

extension AES {
    public enum _CBC {
        public struct IV: Sendable {
            public init(ivBytes: some Collection<UInt8>) throws { stub() }
        }

        public static func decrypt(_ ciphertext: some DataProtocol, using key: SymmetricKey, iv: IV) throws -> Data {
            stub()
        }
        public static func decrypt(
            _ ciphertext: some DataProtocol, using key: SymmetricKey, iv: IV, noPadding: Bool
        ) throws -> Data { stub() }
    }
}

private func stub() -> Never { fatalError() }
