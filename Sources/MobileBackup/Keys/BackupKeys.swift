internal import Crypto
internal import CryptoExtras
internal import Foundation

/// The keys of the protection classes of an encrypted backup, opened with its password.
struct BackupKeys: Sendable {
    /// The reason why a key cannot be opened.
    enum Fault: Error {
        /// The keybag has no key of the class.
        case unknownClass
        /// The password does not open the key of the class.
        case lockedClass
        /// The key is damaged, or it was wrapped with another key.
        case damaged
    }

    private let keys: [UInt32: SymmetricKey]
    private let locked: Set<UInt32>

    /// Opens the class keys with the password. The derivation takes several seconds by intent.
    ///
    /// - Returns: Nil if the password opens no key.
    init?(_ keybag: Keybag, password: String) throws(MobileBackupError) {
        // The library traps for an empty password, and no backup has one.
        guard !password.isEmpty else { return nil }
        let key: SymmetricKey
        do {
            let first = try KDF.Insecure.PBKDF2.deriveKey(
                from: Array(password.utf8), salt: keybag.first.salt, using: .sha256, outputByteCount: 32,
                unsafeUncheckedRounds: keybag.first.iterations)
            key = try KDF.Insecure.PBKDF2.deriveKey(
                from: first.withUnsafeBytes { Array($0) }, salt: keybag.second.salt, using: .insecureSHA1,
                outputByteCount: 32, unsafeUncheckedRounds: keybag.second.iterations)
        } catch {
            throw MobileBackupError(.failed, description: "The key cannot be derived from the password: \(error).")
        }
        var (keys, locked): ([UInt32: SymmetricKey], Set<UInt32>) = ([:], [])
        for one in keybag.classes {
            if one.needsPassword, let wrapped = one.wrapped, let opened = try? AES.KeyWrap.unwrap(wrapped, using: key) {
                keys[one.number] = opened
            } else {
                locked.insert(one.number)
            }
        }
        guard !keys.isEmpty else { return nil }
        (self.keys, self.locked) = (keys, locked)
    }

    /// Opens the key of a file or of the manifest.
    func open(_ wrapped: WrappedKey) throws(Fault) -> SymmetricKey {
        guard let key = keys[wrapped.classNumber] else {
            throw locked.contains(wrapped.classNumber) ? .lockedClass : .unknownClass
        }
        guard let opened = try? AES.KeyWrap.unwrap(wrapped.wrapped, using: key), opened.bitCount == 256 else {
            throw .damaged
        }
        return opened
    }
}

/// The cipher of payloads and of the manifest: AES-256 in CBC mode with a zero initialization vector.
enum PayloadCipher {
    static let blockSize = 16
    private static let zeros = [UInt8](repeating: 0, count: blockSize)

    /// Decrypts whole blocks.
    ///
    /// - Parameters: + blocks: The encrypted blocks, at least one. + key: The key of the payload. + previous: The
    ///   encrypted block before them; nil at the start.
    static func decrypt(_ blocks: [UInt8], key: SymmetricKey, after previous: [UInt8]?) throws -> Data {
        let vector = try AES._CBC.IV(ivBytes: previous ?? zeros)
        return try AES._CBC.decrypt(blocks, using: key, iv: vector, noPadding: true)
    }

    /// Returns the content of a last block without its padding (PKCS#7): 0 to 15 bytes; nil if the padding is invalid.
    static func decryptLast(_ block: [UInt8], key: SymmetricKey, after previous: [UInt8]?) throws -> Data? {
        let vector = try AES._CBC.IV(ivBytes: previous ?? zeros)
        return try? AES._CBC.decrypt(block, using: key, iv: vector)
    }

    /// Returns the size of an encrypted content with its padding.
    static func encryptedSize(of size: UInt64) -> UInt64 {
        let (sum, isOver) = (size & ~UInt64(blockSize - 1)).addingReportingOverflow(UInt64(blockSize))
        return isOver ? .max : sum
    }
}
