internal import Foundation
internal import GRDB

/// A message of a user.
struct Mensagem: Codable, Sendable, Identifiable, Equatable {
    private(set) var id: Int64?
    let usuarioId: Int64
    var texto: String
    var data: Date

    init(usuarioId: Int64, texto: String, data: Date) {
        (self.usuarioId, self.texto, self.data) = (usuarioId, texto, data)
    }
}

extension Mensagem: FetchableRecord, MutablePersistableRecord {
    static let usuario = belongsTo(Usuario.self)
    var usuario: QueryInterfaceRequest<Usuario> { request(for: Mensagem.usuario) }

    enum Columns {
        static let texto = Column(CodingKeys.texto)
        static let data = Column(CodingKeys.data)
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
