import AppContainer
import ContainerDatabases
import Foundation
import GRDB
import SystemPackage

/// Runs one operation on a database of a container, so that a test can kill it or run it on a small disk.
///
///     database-probe backup CONTAINER    inserts a row, copies the database “notes” to Documents/copy.sqlite, prints a
///                                        line, and repeats that until it is killed
///     database-probe fill CONTAINER      inserts rows until an error occurs, frees space, and inserts one more
///     database-probe create CONTAINER    creates the database “new”, whose migration needs 3 MB
@main enum DatabaseProbe {
    static func main() throws {
        let arguments = CommandLine.arguments
        let container = try Container.open(FilePath(arguments[2]))
        switch arguments[1] {
        case "backup":
            let database = try container.database(named: "notes")
            for number in 1... {
                try database.write { try $0.execute(sql: "INSERT INTO note(text) VALUES(hex(randomblob(16)))") }
                try database.backup(to: .documents / "copy.sqlite")
                try FileHandle.standardOutput.write(contentsOf: Data("\(number)\n".utf8))
            }
        case "fill":
            let database = try container.database(named: "notes")
            let row = "INSERT INTO note(text) VALUES(hex(randomblob(20000)))"
            do { while true { try database.write { try $0.execute(sql: row) } } } catch {
                print((error as? ContainerDatabaseError)?.code ?? .failed)
                print(error)
            }
            do { try database.backup(to: .documents / "copy.sqlite") } catch { print(error.code) }
            try container.remove(.documents / "space")
            try database.write { try $0.execute(sql: row) }
            print("saved after space was freed")
        default:
            var migrator = DatabaseMigrator()
            migrator.registerMigration("1") { database in
                try database.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES(randomblob(3000000))")
            }
            do { _ = try container.database(named: "new", migrator: migrator) } catch { print(error.code) }
        }
    }
}
