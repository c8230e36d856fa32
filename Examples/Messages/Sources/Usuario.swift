internal import Crypto
internal import Foundation
internal import GRDB

/// A user with messages.
///
/// The attributes and their limits are those that the model editor of Core Data would declare. A `struct` is enough: GRDB
/// compares rows by value, and a record that is changed is saved explicitly.
struct Usuario: Codable, Sendable, Identifiable, Equatable {
    private(set) var id: Int64?
    /// 5 to 30 characters, different for each user.
    var username: String
    private(set) var password: Password

    /// - Throws: `UsuarioError` for a password of less than 8 characters.
    init(username: String, password: String) throws(UsuarioError) {
        self.username = username
        self.password = try Password(password)
    }

    /// Sets a new password of at least 8 characters.
    mutating func setPassword(_ new: String) throws(UsuarioError) { password = try Password(new) }
}

/// A value that a user cannot have.
enum UsuarioError: Error, Equatable, CustomStringConvertible {
    case username(length: Int)
    case password(length: Int)

    var description: String {
        switch self {
        case .username(let length): "The user name has \(length) characters. Use 5 to 30."
        case .password(let length): "The password has \(length) characters. Use at least 8."
        }
    }
}

extension Usuario: FetchableRecord, MutablePersistableRecord {
    static let mensagens = hasMany(Mensagem.self)
    var mensagens: QueryInterfaceRequest<Mensagem> { request(for: Usuario.mensagens) }

    enum Columns {
        static let username = Column(CodingKeys.username)
    }

    /// Runs before each insert and update, as the validation of a managed object before a save. The table has the same
    /// condition, for programs that do not run this one.
    func willSave(_ database: Database) throws {
        guard 5...30 ~= username.count else { throw UsuarioError.username(length: username.count) }
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// A password as a database may keep it: a salt and a key that is derived from both, from which the password cannot be
/// computed. A database is a file that a backup copies; the tutorial stores the password itself there.
///
/// An app that only sends its password to a server keeps it in the keychain instead, and stores nothing here.
struct Password: Codable, Sendable, Equatable {
    private let salt: Data
    private let rounds: Int
    private let key: Data

    init(_ text: String) throws(UsuarioError) {
        guard text.count >= 8 else { throw .password(length: text.count) }
        var random = SystemRandomNumberGenerator()
        salt = Data((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
        // OWASP recommends 600,000 rounds of this function for a server. A release build needs a second for that.
        rounds = 50_000
        key = Self.key(of: text, salt: salt, rounds: rounds)
    }

    /// Returns true for the password itself.
    func matches(_ text: String) -> Bool {
        let other = Self.key(of: text, salt: salt, rounds: rounds)
        // Compares all bytes, so that the time does not tell how many are equal.
        return other.count == key.count && zip(other, key).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// The first 32 bytes of PBKDF2 with HMAC-SHA256. Source: RFC 8018, section 5.2.
    static func key(of text: String, salt: Data, rounds: Int) -> Data {
        let password = SymmetricKey(data: Data(text.utf8))
        var block = Array(HMAC<SHA256>.authenticationCode(for: salt + [0, 0, 0, 1], using: password))
        var key = block
        for _ in 1..<rounds {
            block = Array(HMAC<SHA256>.authenticationCode(for: block, using: password))
            for index in key.indices { key[index] ^= block[index] }
        }
        return Data(key)
    }
}
