internal import AppContainer
internal import ContainerDatabases
internal import Foundation
internal import GRDB

/// The users and messages of the app, in a database that is backed up, because it is the only copy.
struct MessageBook {
    private let database: ContainerDatabase

    init(in container: Container) throws {
        database = try container.database(named: "messages", migrator: Self.migrator)
    }

    /// The versions of the model. A version that has been released is never changed; a new one is added.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("usuario and mensagem") { database in
            try database.create(table: "usuario") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("username", .text).notNull().unique().check { (5...30).contains(length($0)) }
                table.column("password", .text).notNull()
            }
            try database.create(table: "mensagem") { table in
                table.autoIncrementedPrimaryKey("id")
                table.belongsTo("usuario", onDelete: .cascade).notNull()
                table.column("texto", .text).notNull()
                table.column("data", .datetime).notNull().indexed()
            }
        }
        return migrator
    }

    /// Returns the user with a name, who is inserted if missing. Reading before writing is safe, because both
    /// happen in one transaction; the unique index refuses what another process inserts.
    ///
    /// - Throws: `UsuarioError`.
    func usuario(named username: String, password: String) throws -> Usuario {
        try database.write { database in
            if let found = try Usuario.filter(Usuario.Columns.username == username).fetchOne(database) { return found }
            var usuario = try Usuario(username: username, password: password)
            try usuario.insert(database)
            return usuario
        }
    }

    /// Inserts a message of a user.
    func post(_ texto: String, by usuario: Usuario, at data: Date = Date()) throws {
        try database.write { database in
            guard let id = usuario.id else { throw RecordError.recordNotFound(databaseTableName: "usuario", key: [:]) }
            var mensagem = Mensagem(usuarioId: id, texto: texto, data: data)
            try mensagem.insert(database)
        }
    }

    /// Returns the users whose name contains a text, sorted by name: the predicate `username CONTAINS[c] %@`.
    func usuarios(matching text: String) throws -> [Usuario] {
        try database.read { database in
            let pattern = "%" + text.replacing(/[%_\\]/) { "\\\($0.output)" } + "%"
            return try Usuario.filter(Usuario.Columns.username.like(pattern, escape: "\\"))
                .order(Usuario.Columns.username).fetchAll(database)
        }
    }

    /// Returns the messages of a user since a date, the newest first.
    func mensagens(of usuario: Usuario, since date: Date = .distantPast) throws -> [Mensagem] {
        try database.read { database in
            try usuario.mensagens.filter(Mensagem.Columns.data >= date).order(Mensagem.Columns.data.desc)
                .fetchAll(database)
        }
    }

    /// Marks all messages of a user as archived, through the relation, and returns their number.
    func archiveMensagens(of usuario: Usuario) throws -> Int {
        try database.write { database in
            let archived = ["[archived] ".sqlExpression, Mensagem.Columns.texto.sqlExpression]
            return try usuario.mensagens.updateAll(
                database, Mensagem.Columns.texto.set(to: archived.joined(operator: .concat)))
        }
    }

    /// Saves the changes of a user, which are validated.
    ///
    /// - Throws: `UsuarioError`.
    func save(_ usuario: Usuario) throws { try database.write { try usuario.update($0) } }

    /// Deletes a user. The messages are deleted with the user.
    func delete(_ usuario: Usuario) throws { _ = try database.write { try usuario.delete($0) } }

    /// Deletes the messages before a date, and returns their number.
    func deleteMensagens(before date: Date) throws -> Int {
        try database.write { try Mensagem.filter(Mensagem.Columns.data < date).deleteAll($0) }
    }

    func close() throws { try database.close() }
}
