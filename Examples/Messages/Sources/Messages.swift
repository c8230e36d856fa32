internal import AppContainer
internal import Foundation
internal import SystemPackage

/// Creates a container and plays a session: two users, their messages, a change and a deletion.
///
///     Messages path/to/new/directory
@main struct Messages {
    static func main() throws {
        guard let path = CommandLine.arguments.dropFirst().first else {
            FileHandle.standardError.write(Data("usage: Messages path/to/new/directory\n".utf8))
            exit(2)
        }
        let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.Messages")
        let book = try MessageBook(in: container)
        let maria = try book.usuario(named: "maria", password: "correct horse")
        let joao = try book.usuario(named: "joao.silva", password: "battery staple")
        try book.post("Olá!", by: maria)
        try book.post("Tudo bem?", by: joao)
        for usuario in try book.usuarios(matching: "a") {
            print("\(usuario.username): \(try book.mensagens(of: usuario).map(\.texto).joined(separator: ", "))")
        }
        try book.delete(joao)
        try book.close()
    }
}
