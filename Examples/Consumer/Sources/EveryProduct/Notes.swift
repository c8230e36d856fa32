import AppContainer
import AutoArchived
import ContainerArchives
import ContainerDatabases
import ContainerLifecycle
import ContainerLogging
import ContainerPreferences
import Foundation
import GRDB
import Logging
import StoragePolicy

extension Preferences.Keys {
    static let fontSize = Preferences.Key<Double>("fontSize", default: 12)
    static let lastNote = Preferences.Key<String?>("lastNote")
}

/// A note, which is archived.
public final class Note: NSObject, NSSecureCoding {
    /// True: only a class of the app decides what is decoded.
    public static var supportsSecureCoding: Bool { true }
    /// The text.
    public let text: String
    /// The lines that are marked.
    public let marked: IndexSet

    /// Creates a note.
    public init(_ text: String, marked: IndexSet) { (self.text, self.marked) = (text, marked) }

    /// Encodes the note.
    public func encode(with coder: NSCoder) {
        coder.encode(text, forKey: "text")
        coder.encode(marked as NSIndexSet, forKey: "marked")
    }

    /// Decodes a note.
    public init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: "text"),
            let marked = coder.decodeObject(of: NSIndexSet.self, forKey: "marked")
        else { return nil }
        (self.text, self.marked) = (String(text), marked as IndexSet)
    }
}

/// A folder of notes, whose archiving the macro writes.
@AutoArchived(name: "Folder")
public final class Folder: NSObject {
    /// The names of the notes.
    public var names: [String] = []
    /// The folder that contains this one.
    public weak var parent: Folder?
    /// The folders in this one.
    public var folders: [Folder] = []

    /// Creates an empty folder.
    public override init() {}
}

/// The notes of an app: an archive, settings, and a lint of everything that is stored.
public struct Notes: Sendable {
    private let container: Container
    private let preferences: Preferences

    /// Opens the notes in a container, whose events are logged.
    public init(in container: Container) throws {
        self.container = container.logging(to: Logger(label: "Notes"))
        preferences = try container.preferences()
    }

    /// Saves a note and remembers its name.
    public func save(_ note: Note, named name: String) throws {
        try container.archive(note, to: .documents / name)
        try preferences.set(name, for: .lastNote)
    }

    /// Saves the folders.
    public func save(_ folder: Folder) throws { try container.archive(folder, to: .documents / "folders") }

    /// The saved folders.
    public var folders: Folder { get throws { try container.unarchive(Folder.self, from: .documents / "folders") } }

    /// The note that was saved last.
    public var last: Note? {
        get throws {
            guard let name = try preferences.value(for: .lastNote) else { return nil }
            return try container.unarchive(Note.self, from: .documents / name)
        }
    }

    /// The size of the text. An unreadable file of settings is the default.
    public var fontSize: Double { preferences[.fontSize] }

    /// Sets the size of the text, from any thread.
    public func setFontSize(_ size: Double) async throws {
        try await preferences.background { try $0.set(size, for: .fontSize) }
    }

    /// The sizes of the text from now on.
    public func fontSizes() -> AsyncMapSequence<PreferenceChanges<Double>, Double> {
        preferences.changes(of: .fontSize).map(\.new)
    }

    /// Plays a session on a simulated device: the draft is saved when the app enters the background. Returns the names of
    /// the values that are lost.
    public func play(writing draft: String) throws -> [String] {
        let device = try SimulatedDevice(container)
        try device.launch()
        let value = try device.register("draft", "") { draft, container in
            try container.save(draft, to: .documents / "draft.txt")
        }
        value.value = draft
        try device.enterBackground()
        return try device.terminate().lost
    }

    /// Saves the titles of the notes in a database, closes it, and returns their number.
    public func index(_ titles: [String]) async throws -> Int {
        try await container.background { container in
            let database = try container.database(named: "index", excluded: true)
            try database.write { connection in
                try connection.execute(sql: "CREATE TABLE IF NOT EXISTS title(text TEXT)")
                for title in titles { try connection.execute(sql: "INSERT INTO title VALUES(?)", arguments: [title]) }
            }
            let count = try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM title") ?? 0 }
            try database.close()
            return count
        }
    }

    /// The ids of the rules that what is stored does not keep.
    public func brokenRules() throws -> Set<String> { Set(try Linter().lint(container).findings.map { $0.rule.id }) }
}
