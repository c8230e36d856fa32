import AppContainer
import ContainerArchives
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("A path as text") struct ContainerPathTextTests {
    private static func places() throws -> [ContainerPath] {
        [
            .documents / "letters/first.txt", .documents, .applicationSupport / "Maps/8.png", .applicationSupport,
            .caches / "covers/ä b%.jpg", .caches, .library / "x", .library, .preferences / "com.example.app.plist",
            .temporary / "a", .root / "StoreKit/receipt", .root,
            .documents / "{bundle-id}", .documents / "{bundle-id}/{bundle-id}/x", .caches / "{bundle-id}",
            .library / "Caches/{bundle-id}/x", .temporary / "a/{bundle-id}", .root / "{bundle-id}",
            .applicationSupport / "{bundle-id}x", .documents / "x{bundle-id}",
        ]
    }

    @Test("The description of a path results in an equal path")
    func back() throws {
        try withContainer { container throws in
            for place in try Self.places() {
                let again = ContainerPath(place.description)
                #expect(try container.path(again) == container.path(place), "\(place)")
                #expect(again == place || !place.description.hasPrefix("Documents"), "\(place)")
                #expect(again.description == place.description)
            }
            for kind in [ContentKind.userDocument, .userData, .derived, .scratch] {
                let place = try container.store("x", named: "a/b", as: kind)
                let again = ContainerPath(place.description)
                #expect(try again == place && container.loadText(again) == "x")
            }
        }
    }

    @Test(
        "The description of a path of any location, also one with the identifier, results in an equal path",
        arguments: Location.table)
    func locations(location: Location) throws {
        try withContainer { container throws in
            for place in [
                ContainerPath(location.path) / "a/b", ContainerPath(location.path),
                ContainerPath(location.path.isEmpty ? "{bundle-id}" : "\(location.path)/{bundle-id}") / "a",
            ] {
                let again = ContainerPath(place.description)
                #expect(try container.path(again) == container.path(place), "\(place)")
            }
        }
    }

    @Test(
        "A description cannot lead out",
        arguments: ["/etc/passwd", "Documents/../../x", "Library/Caches/{bundle-id}/.."])
    func out(text: String) {
        let error = #expect(throws: ContainerError.self) { try ContainerPath(text).validated() }
        #expect(error?.code == .leavesContainer)
    }

    @Test("A path with a trailing slash is a directory's, and no file is saved there")
    func slash() throws {
        try withContainer { container throws in
            let saves: [(String, () throws -> Void)] = [
                ("text", { try container.save("x", to: .documents / "Folder/") }),
                ("bytes", { try container.save(Data([1]), to: .documents / "Folder/") }),
                ("value", { try container.save([1], to: .documents / "Folder/", encoder: JSONEncoder()) }),
                ("append", { try container.append("x", to: .documents / "Folder/") }),
                (
                    "elements",
                    {
                        try container.append(
                            contentsOf: [1], to: .documents / "Folder/", encoder: JSONEncoder(), decoder: JSONDecoder())
                    }
                ),
                ("store", { try container.store("x", named: "Folder/", as: .userDocument) }),
                ("writer", { try container.writer(to: .documents / "Folder/").cancel() }),
                ("batch", { try container.batch { try $0.save("x", to: .documents / "Folder/") } }),
                ("archive", { try container.archive(NSArray(), to: .documents / "Folder/") }),
                ("inner", { try container.save("x", to: .documents / "a" / "Folder/") }),
            ]
            for (name, save) in saves {
                #expect(throws: (any Error).self, "\(name)") { try save() }
                #expect(try container.list(.documents).isEmpty, "\(name)")
            }
            let error = #expect(throws: ContainerError.self) { try container.save("x", to: .documents / "Folder/") }
            #expect(error?.code == .invalidPath)
            let url = try #require(URL(string: "https://example.com/x"))
            let offline = ContentKind.downloaded(from: url, keepOffline: true)
            #expect(throws: ContainerError.self) { try container.store("x", named: "Folder/", as: offline) }

            try container.createDirectory(.documents / "Folder/")
            #expect(try container.list(.documents / "Folder/").isEmpty)
            try container.save("x", to: .documents / "a")
            #expect(throws: ContainerError.self) { try container.copy(.documents / "a", to: .documents / "b/") }
            #expect(throws: ContainerError.self) { try container.move(.documents / "a", to: .documents / "b/") }
            try container.move(.documents / "Folder", to: .documents / "b/")
            #expect(try container.list(.documents).map(\.description) == ["Documents/a", "Documents/b"])
            #expect(try ContainerPath.documents / "b/" == .documents / "b")
        }
    }

    @Test("A standard directory that does not exist yet lists as empty; another missing directory is an error")
    func list() throws {
        try withContainer { container throws in
            #expect(try container.list(.caches).isEmpty && container.list(.applicationSupport).isEmpty)
            let error = #expect(throws: ContainerError.self) { try container.list(.caches / "covers") }
            #expect(error?.code == .notFound)
            try FileManager.default.createSymbolicLink(
                atPath: try container.path(.caches).string, withDestinationPath: "gone")
            #expect(throws: ContainerError.self) { try container.list(.caches) }
        }
    }
}
