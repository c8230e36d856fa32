@testable import DatabaseInspection
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Databases of Core Data", .timeLimit(.minutes(60))) struct CoreDataSchemaTests {
    private static let name = "0F8FAD5B-D9CB-469F-A165-70867728950E"
    private static let hex = name.utf8.map { String($0, radix: 16) }.joined()
    private static let model = [
        "CREATE TABLE Z_METADATA(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "INSERT INTO Z_METADATA VALUES(1, '6F9619FF-8B86-D011-B42D-00C04FC964FF', x'00')",
        "CREATE TABLE Z_PRIMARYKEY(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE ZMESSAGE(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZPICTURE BLOB)",
    ]

    @Test("Entities have their parent, their table and their last key; files outside of the database are found")
    func entities() throws {
        try withScratch { folder throws in
            let recipe = DatabaseRecipe(
                Self.model + [
                    "INSERT INTO Z_PRIMARYKEY VALUES(1, 'Message', 0, 12), (2, 'Letter', 1, 0), (3, 'Gone', 0, 0)",
                    "INSERT INTO ZMESSAGE VALUES(1, 2, x'02\(Self.hex)00')",
                ])
            let store = try write(recipe.files(), as: "Model.sqlite", in: folder)
            let external = folder.appending(path: ".Model_SUPPORT/_EXTERNAL_DATA")
            try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
            try Data(count: 500).write(to: external.appending(path: Self.name))
            try Data().write(to: folder.appending(path: "Model.sqlite-shm"))

            let found = try #require(try DatabaseCopy(of: store).coreData())
            #expect(found.identifier == "6F9619FF-8B86-D011-B42D-00C04FC964FF")
            #expect(found.entities.map(\.name) == ["Gone", "Letter", "Message"])
            #expect(found.entities.map(\.table) == [nil, "ZMESSAGE", "ZMESSAGE"])
            #expect(found.entities.map(\.parent) == [nil, "Message", nil])
            #expect(found.entities.map(\.lastKey) == [0, 0, 12])
            #expect(found.externalReferences == [Self.name])
            let companions = store.companions()
            #expect(
                companions.map { String(decoding: $0.name, as: UTF8.self) } == [
                    "Model.sqlite-shm", ".Model_SUPPORT",
                ])
            #expect(companions.last?.size == 500 && companions.last?.externalFiles == [Self.name])
        }
    }

    @Test("Entities that inherit from each other, and values of wrong types, do no harm")
    func hostile() throws {
        try withScratch { folder throws in
            let recipe = DatabaseRecipe(
                Self.model + [
                    "INSERT INTO Z_PRIMARYKEY VALUES(1, 'A', 2, x'ff'), (2, 'B', 1, 'text'), (3, x'00', 'a', 2.5)",
                    "UPDATE Z_METADATA SET Z_UUID = x'ff'",
                ])
            let found = try #require(try DatabaseCopy(of: try write(recipe.files(), in: folder)).coreData())
            #expect(found.entities.map(\.name) == ["A", "B"] && found.identifier == nil)
            #expect(found.entities.map(\.lastKey) == [0, 0])
        }
    }

    @Test("A database with only some tables of Core Data is not one of Core Data")
    func others() throws {
        try withScratch { folder throws in
            let recipe = DatabaseRecipe(["CREATE TABLE Z_METADATA(Z_UUID)", "CREATE TABLE Z_PRIMARYKEY(a)"])
            #expect(try DatabaseCopy(of: try write(recipe.files(), in: folder)).coreData() == nil)
        }
    }
}
