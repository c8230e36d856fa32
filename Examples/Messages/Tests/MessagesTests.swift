import AppContainer
import Foundation
import GRDB
import StoragePolicy
import StoragePolicyTesting
import SystemPackage
import TestSupport
import Testing

@testable import Messages

@Suite("Messages") struct MessagesTests {
    private func withBook(_ body: (MessageBook, Container) throws -> Void) throws {
        try withScratch { folder throws in
            let path = FilePath(folder.appending(path: "c").path)
            let container = try Container.create(at: path, bundleIdentifier: "com.example.Messages")
            try body(try MessageBook(in: container), container)
        }
    }

    private let day = Date(timeIntervalSince1970: 1_700_000_000)

    @Test("A user is inserted once: the second call finds the first one")
    func readBeforeWrite() throws {
        try withBook { book, _ throws in
            let first = try book.usuario(named: "maria", password: "correct horse")
            let second = try book.usuario(named: "maria", password: "another password")
            #expect(first == second && first.id == 1)
            #expect(try book.usuarios(matching: "").count == 1)
        }
    }

    @Test(
        "A name of 5 to 30 characters is valid, with any letters",
        arguments: [
            ("nomes", true), ("joão.", true), (String(repeating: "x", count: 30), true), ("nome", false), ("", false),
            (String(repeating: "x", count: 31), false),
        ])
    func username(name: String, isValid: Bool) throws {
        try withBook { book, _ throws in
            if isValid {
                #expect(try book.usuario(named: name, password: "correct horse").username == name)
            } else {
                #expect(throws: UsuarioError.username(length: name.count)) {
                    try book.usuario(named: name, password: "correct horse")
                }
                #expect(try book.usuarios(matching: "").isEmpty)
            }
        }
    }

    @Test("A password has at least 8 characters and is not in the database")
    func password() throws {
        try withBook { book, container throws in
            #expect(throws: UsuarioError.password(length: 7)) { try book.usuario(named: "maria", password: "1234567") }
            let maria = try book.usuario(named: "maria", password: "correct horse")
            #expect(maria.password.matches("correct horse") && !maria.password.matches("correct Horse"))
            try book.close()
            let bytes = try container.load(.applicationSupport / "Databases/messages/messages.sqlite")
            #expect(bytes.range(of: Data("maria".utf8)) != nil && bytes.range(of: Data("correct horse".utf8)) == nil)
        }
    }

    @Test("The key of a password is that of Python's PBKDF2", .needs(.externalProgram))
    func key() throws {
        let script =
            "import hashlib; print(hashlib.pbkdf2_hmac('sha256', 'pãss word'.encode(), b'salt' * 4, 1000).hex())"
        let python = try Command("python3", ["-c", script])
        let key = Password.key(of: "pãss word", salt: Data("saltsaltsaltsalt".utf8), rounds: 1_000)
        #expect(key.map { String(format: "%02x", $0) }.joined() + "\n" == python.text)
    }

    @Test(
        "A duplicate that another program inserts is refused by the unique index, and a short name by the table",
        .needs(.externalProgram))
    func constraints() throws {
        try withBook { book, container throws in
            _ = try book.usuario(named: "maria", password: "correct horse")
            try book.close()
            let path = try container.path(.applicationSupport / "Databases/messages/messages.sqlite").string
            for (name, message) in [("maria", "UNIQUE constraint failed"), ("ana", "CHECK constraint failed")] {
                let run = try Command(
                    "sqlite3", ["-batch", path, "INSERT INTO usuario(username, password) VALUES('\(name)', '')"])
                #expect(run.code != 0 && run.errors.contains(message), "\(run.errors)")
            }
        }
    }

    @Test("Users are found by a predicate, whose wildcards have no meaning in it")
    func predicate() throws {
        try withBook { book, _ throws in
            for name in ["maria", "mariana", "joao.silva", "100%_real"] {
                _ = try book.usuario(named: name, password: "correct horse")
            }
            #expect(try book.usuarios(matching: "MARIA").map(\.username) == ["maria", "mariana"])
            #expect(try book.usuarios(matching: "%_").map(\.username) == ["100%_real"])
            #expect(try book.usuarios(matching: "_a").isEmpty)
        }
    }

    @Test("Messages belong to their user, and are updated and deleted through the relation")
    func relation() throws {
        try withBook { book, _ throws in
            let maria = try book.usuario(named: "maria", password: "correct horse")
            let joao = try book.usuario(named: "joao.silva", password: "battery staple")
            for (number, usuario) in [maria, joao, maria].enumerated() {
                try book.post("message \(number)", by: usuario, at: day + Double(number))
            }
            #expect(try book.mensagens(of: maria).map(\.texto) == ["message 2", "message 0"])
            #expect(try book.mensagens(of: maria, since: day + 1).map(\.texto) == ["message 2"])
            #expect(try book.archiveMensagens(of: maria) == 2)
            #expect(try book.mensagens(of: maria).map(\.texto) == ["[archived] message 2", "[archived] message 0"])
            #expect(try book.mensagens(of: joao).map(\.texto) == ["message 1"])
            try book.delete(maria)
            #expect(try book.mensagens(of: maria).isEmpty && book.mensagens(of: joao).count == 1)
            #expect(try book.deleteMensagens(before: day + 10) == 1)
        }
    }

    @Test("A changed user is saved after validation")
    func save() throws {
        try withBook { book, _ throws in
            var maria = try book.usuario(named: "maria", password: "correct horse")
            maria.username = "ana"
            #expect(throws: UsuarioError.username(length: 3)) { try book.save(maria) }
            maria.username = "ana maria"
            try maria.setPassword("battery staple")
            try book.save(maria)
            let saved = try #require(try book.usuarios(matching: "ana").first)
            #expect(saved == maria && saved.password.matches("battery staple"))
        }
    }

    @Test("A session leaves a container without findings", .needs(.process))
    func session() throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c").path
            let app = Bundle.main.bundleURL.resolvingSymlinksInPath().appending(path: "Messages").path
            let run = try Command(app, [path])
            #expect(run.code == 0 && run.text == "joao.silva: Tudo bem?\nmaria: Olá!\n", "\(run.errors)")
            expectCompliant(try Container.open(FilePath(path)), failOn: .note)
        }
    }
}
