internal import AppContainer
internal import ContainerArchives
internal import Foundation
internal import SystemPackage

/// `Students DIRECTORY` creates the container of the app, archives a group of students, and reads it back.
@main
struct Students {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: Students DIRECTORY\n".utf8))
            exit(2)
        }
        let container = try Container.create(
            at: FilePath(CommandLine.arguments[1]), bundleIdentifier: "com.example.Students")
        let app = Students(container: container)
        try app.save(.sample)
        print(try app.load().summary)
    }

    /// The tutorial writes into Documents. The user does not open this file, so it is in Application Support.
    static let archive = ContentKind.userData.path(named: "group.archive")
    let container: Container

    /// Archives the group, its students and the references between them straight to a file.
    func save(_ group: Group) throws {
        try container.archive(group, to: Self.archive, options: .init(provenance: Provenance(.user)))
    }

    /// Reads the group. The file may be damaged: only objects of the listed classes are created.
    func load() throws -> Group { try container.unarchive(Group.self, from: Self.archive, allowing: [Student.self]) }
}
