import AppContainer
import ContainerArchives
import ContainerDatabases
import ContainerPreferences
import Foundation
import GRDB
import StoragePolicyTesting
import FileSystem
import SystemPackage
import TestSupport
import Testing

// shown in from-the-tutorial.md
final class Student: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let name: String

    init(name: String) { self.name = name }

    func encode(with coder: NSCoder) { coder.encode(name, forKey: "name") }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = String(name)
    }
}

final class Group: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let students: [Student]

    init(students: [Student]) { self.students = students }

    func encode(with coder: NSCoder) { coder.encode(students as NSArray, forKey: "students") }

    init?(coder: NSCoder) {
        let classes = [NSArray.self, Student.self]
        guard let students = coder.decodeObject(of: classes, forKey: "students") as? [Student] else { return nil }
        self.students = students
    }
}
// end

// shown in from-the-tutorial.md
extension Preferences.Keys {
    static let loudness = Preferences.Key<Int>("volume", default: 5)
    static let nightMode = Preferences.Key<Bool>("nightMode", default: false)
    static let userName = Preferences.Key<String?>("userName")
}
// end

// shown in from-the-tutorial.md
struct PasscodeSettings: Codable, Equatable {
    var isEnabled = false
    var attempts = 3
    var nextCheck: Date?
}

extension Preferences.Keys {
    static let passcode = Preferences.Key<PasscodeSettings>("passcode", default: PasscodeSettings())
    static let appVersion = Preferences.Key<String?>("appVersion")
}
// end

// shown in from-the-tutorial.md
struct Usuario: Codable, FetchableRecord, MutablePersistableRecord {
    static let mensagens = hasMany(Mensagem.self)
    var id: Int64?
    var username: String
    var mensagens: QueryInterfaceRequest<Mensagem> { request(for: Usuario.mensagens) }
    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct Mensagem: Codable, FetchableRecord, PersistableRecord {
    var usuarioId: Int64
    var texto: String
}
// end

@Suite("Guide: from the tutorial to the app", .timeLimit(.minutes(60))) struct FromTheTutorialTests {
    private let server = URL(string: "https://books.example.com/sicp.jpg")
    private let picture = Data([0xff, 0xd8, 0xff, 0xe0]) + Data(count: 100)

    /// Passes a container and the path of another directory, for Foundation, to the body.
    private func withBoth(_ body: (Container, _ documents: String) throws -> Void) throws {
        try withScratch { folder throws in
            try withContainer { container throws in try body(container, folder.path) }
        }
    }

    @Test("Directories are found without strings")
    func directories() throws {
        do {
            // shown in from-the-tutorial.md
            let documents = NSSearchPathForDirectoriesInDomains(.documentDirectory, .userDomainMask, true)[0]
            let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
            let temporary = NSTemporaryDirectory()
            // end
            #expect(documents.hasPrefix("/") && caches.isFileURL && temporary.hasPrefix("/"))
        }
        try withContainer { container throws in
            // shown in from-the-tutorial.md
            let documents = try container.path(.documents)
            let caches = try container.url(for: .caches)
            let temporary = try container.path(.temporary)
            // end
            #expect(documents.string == container.location.string + "/Documents")
            #expect(caches.path.hasSuffix("/Library/Caches/com.example.app") && temporary.string.hasSuffix("/tmp"))
        }
    }

    @Test("A text is written only if the file is not there, and read")
    func texts() throws {
        try withBoth { container, documents throws in
            do {
                for _ in 0..<2 {
                    // shown in from-the-tutorial.md
                    let file = URL(fileURLWithPath: documents).appendingPathComponent("welcome.txt")
                    if !FileManager.default.fileExists(atPath: file.path) {
                        try "Dear reader".write(to: file, atomically: true, encoding: .utf8)
                    }
                    // end
                    // shown in from-the-tutorial.md
                    let text = try String(contentsOf: file, encoding: .utf8)
                    // end
                    #expect(text == "Dear reader")
                }
            }
            try container.save("mine", to: .documents / "welcome.txt")
            // shown in from-the-tutorial.md
            do throws(ContainerError) {
                try container.save("Dear reader", to: .documents / "welcome.txt", options: .init(overwrite: .never))
            } catch {
                guard error.code == .alreadyExists else { throw error }
            }
            // end
            // shown in from-the-tutorial.md
            let text = try container.loadText(.documents / "welcome.txt")
            // end
            #expect(text == "mine")
        }
    }

    @Test("Files and directories are created, read and removed")
    func files() throws {
        try withBoth { container, documents throws in
            do {
                // shown in from-the-tutorial.md
                let manager = FileManager.default
                try manager.createDirectory(atPath: documents + "/letters", withIntermediateDirectories: true)
                let isCreated = manager.createFile(atPath: documents + "/letters/1.txt", contents: Data("Hello".utf8))
                let content = manager.contents(atPath: documents + "/letters/1.txt")
                try manager.removeItem(atPath: documents + "/letters/1.txt")
                // end
                #expect(isCreated && content == Data("Hello".utf8))
            }
            // shown in from-the-tutorial.md
            try container.save(Data("Hello".utf8), to: .documents / "letters/1.txt")
            let content = try container.load(.documents / "letters/1.txt")
            try container.remove(.documents / "letters/1.txt")
            // end
            #expect(content == Data("Hello".utf8))
            #expect(try container.exists(.documents / "letters/1.txt") == false)
        }
    }

    @Test("A group archives its students, and Foundation reads what the library writes")
    func archives() throws {
        try withBoth { container, documents throws in
            let group = Group(students: [Student(name: "Ana"), Student(name: "João")])
            do {
                // shown in from-the-tutorial.md
                let data = try NSKeyedArchiver.archivedData(withRootObject: group, requiringSecureCoding: true)
                try data.write(to: URL(fileURLWithPath: documents + "/group.archive"))
                let stored = try Data(contentsOf: URL(fileURLWithPath: documents + "/group.archive"))
                let read = try NSKeyedUnarchiver.unarchivedObject(
                    ofClasses: [Group.self, Student.self, NSArray.self], from: stored)
                // end
                #expect((read as? Group)?.students.map(\.name) == ["Ana", "João"])
            }
            // shown in from-the-tutorial.md
            try container.archive(group, to: .documents / "group.archive")
            let read = try container.unarchive(Group.self, from: .documents / "group.archive", allowing: [Student.self])
            // end
            #expect(read.students.map(\.name) == ["Ana", "João"])
        }
    }

    @Test("A downloaded cover is not backed up, and neither is one of the books app")
    func backups() throws {
        try withBoth { container, documents throws in
            let server = try #require(server)
            do {
                // shown in from-the-tutorial.md
                var values = URLResourceValues()
                values.isExcludedFromBackup = true
                var cover = URL(fileURLWithPath: documents + "/cover.jpg")
                try picture.write(to: cover)
                try cover.setResourceValues(values)
                // end
                #expect(try Data(contentsOf: cover) == picture)
            }
            // shown in from-the-tutorial.md
            let cover = try container.store(
                picture, named: "cover.jpg", as: .downloaded(from: server, keepOffline: true))
            // end
            #expect(try container.isBackedUp(cover) == false)

            do {
                UserDefaults.standard.removeObject(forKey: "wasLaunchedBefore")
                // shown in from-the-tutorial.md
                if !UserDefaults.standard.bool(forKey: "wasLaunchedBefore") {
                    try FileManager.default.createDirectory(
                        atPath: documents + "/images", withIntermediateDirectories: true)
                    try picture.write(to: URL(fileURLWithPath: documents + "/images/sicp.jpg"))
                    UserDefaults.standard.set(true, forKey: "wasLaunchedBefore")
                }
                // end
                #expect(UserDefaults.standard.bool(forKey: "wasLaunchedBefore"))
                UserDefaults.standard.removeObject(forKey: "wasLaunchedBefore")
            }
            // shown in from-the-tutorial.md
            if try !container.exists(.caches / "images/sicp.jpg") {
                try container.store(
                    picture, named: "images/sicp.jpg", as: .downloaded(from: server, keepOffline: false))
            }
            // end
            #expect(try container.load(.caches / "images/sicp.jpg") == picture)
            expectCompliant(container)
        }
    }

    @Test("Settings have types and defaults, and changes are observed")
    func settings() throws {
        try withContainer { container throws in
            var shown: [String] = []
            let texts = Texts()
            let show: @Sendable (String) -> Void = { texts.append($0) }
            do {
                // shown in from-the-tutorial.md
                let defaults = UserDefaults.standard
                defaults.register(defaults: ["volume": 5])
                defaults.set(true, forKey: "nightMode")
                defaults.set("Ana", forKey: "userName")
                let volume = defaults.integer(forKey: "volume")
                let name = defaults.string(forKey: "userName")
                let observer = NotificationCenter.default.addObserver(
                    forName: UserDefaults.didChangeNotification, object: nil, queue: nil
                ) { _ in show("a setting has changed") }
                // end
                #expect(volume == 5 && name == "Ana")
                for key in ["nightMode", "userName"] { defaults.removeObject(forKey: key) }
                NotificationCenter.default.removeObserver(observer)
            }
            // shown in from-the-tutorial.md
            let preferences = try container.preferences()
            try preferences.set(true, for: .nightMode)
            try preferences.set("Ana", for: .userName)
            let volume = try preferences.value(for: .loudness)
            let name = try preferences.value(for: .userName)
            let observer = preferences.observe(.loudness) { change in show("the volume was \(change.old)") }
            // end
            try preferences.set(6, for: .loudness)
            observer.cancel()
            shown = texts.all
            #expect(volume == 5 && name == "Ana" && shown.last == "the volume was 5")

            // shown in from-the-tutorial.md
            try container.preferences().change { edit in
                try edit.set(PasscodeSettings(isEnabled: true), for: .passcode)
                try edit.set("1.2", for: .appVersion)
            }
            // end
            #expect(try container.preferences().value(for: .passcode) == PasscodeSettings(isEnabled: true))
            do {
                // shown in from-the-tutorial.md
                let group = try NSKeyedArchiver.archivedData(
                    withRootObject: ["enabled": true, "attempts": 3] as NSDictionary, requiringSecureCoding: true)
                UserDefaults.standard.set(group, forKey: "passcode")
                UserDefaults.standard.set("1.2", forKey: "appVersion")
                // end
                #expect(UserDefaults.standard.data(forKey: "passcode") == group)
                for key in ["passcode", "appVersion"] { UserDefaults.standard.removeObject(forKey: key) }
            }
        }
    }

    @Test("The defaults and the localised titles of a settings bundle are registered")
    func settingsBundle() throws {
        try withBoth { container, folder throws in
            let bundle = URL(fileURLWithPath: folder).appending(path: "Settings.bundle")
            let specifier: [String: Any] = [
                "Type": "PSToggleSwitchSpecifier", "Key": "metric", "Title": "Metric", "DefaultValue": true,
            ]
            let root: [String: Any] = ["StringsTable": "Root", "PreferenceSpecifiers": [specifier]]
            try FileManager.default.createDirectory(
                at: bundle.appending(path: "pt.lproj"), withIntermediateDirectories: true)
            try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0)
                .write(to: bundle.appending(path: "Root.plist"))
            try Data(#""Metric" = "Métrico";"#.utf8).write(to: bundle.appending(path: "pt.lproj/Root.strings"))
            do {
                // shown in from-the-tutorial.md
                let root = bundle.appendingPathComponent("Root.plist")
                let plist = try PropertyListSerialization.propertyList(from: Data(contentsOf: root), format: nil)
                let specifiers = (plist as? [String: Any])?["PreferenceSpecifiers"] as? [[String: Any]] ?? []
                for specifier in specifiers {
                    guard let key = specifier["Key"] as? String, let value = specifier["DefaultValue"] else { continue }
                    UserDefaults.standard.register(defaults: [key: value])
                }
                // end
                #expect(UserDefaults.standard.bool(forKey: "metric"))
            }
            // shown in from-the-tutorial.md
            let settings = try container.preferences().register(settingsBundle: bundle, localization: "pt")
            let titles = settings.map(\.title)
            // end
            #expect(titles == ["Métrico"] && settings.first?.defaultValue == true)
        }
    }

    @Test("Entities are records, a relation is an association, and constraints are the table's")
    func coreData() throws {
        try withContainer { container throws in
            // shown in from-the-tutorial.md
            var migrator = DatabaseMigrator()
            migrator.registerMigration("usuario and mensagem") { database in
                try database.create(table: "usuario") { table in
                    table.autoIncrementedPrimaryKey("id")
                    table.column("username", .text).notNull().unique().check { (5...30).contains(length($0)) }
                }
                try database.create(table: "mensagem") { table in
                    table.belongsTo("usuario", onDelete: .cascade).notNull()
                    table.column("texto", .text).notNull()
                }
            }
            let database = try container.database(named: "messages", migrator: migrator)
            try database.write { database in
                guard try Usuario.filter(Column("username") == "maria").fetchOne(database) == nil else { return }
                var usuario = Usuario(username: "maria")
                try usuario.insert(database)
                try Mensagem(usuarioId: database.lastInsertedRowID, texto: "Olá!").insert(database)
                try usuario.mensagens.updateAll(database, Column("texto").set(to: "read"))
            }
            let texts = try database.read { try String.fetchAll($0, Mensagem.select(Column("texto"))) }
            try database.write { _ = try Usuario.deleteAll($0) }
            // end
            #expect(texts == ["read"])
            #expect(try database.read { try Mensagem.fetchCount($0) } == 0)
            try database.close()
            expectCompliant(container)
        }
    }
}

/// Texts that callbacks on any thread collect.
private final class Texts: Sendable {
    private let texts = LockedValue<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func append(_ text: String) { texts.withLock { $0.append(text) } }
}
