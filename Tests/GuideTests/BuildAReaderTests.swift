import StoragePolicyTesting
import SystemPackage
import TestSupport
import Testing

// shown in BuildAReader.md
import AppContainer
import ContainerPreferences
import Foundation

struct Title: Codable, Equatable {
    var name: String
    var page = 1
    var cover: URL
}

final class ReaderModel {
    static let list = ContainerPath.applicationSupport / "titles.json"

    let container: Container
    private(set) var titles: [Title] = []

    init(in container: Container) throws {
        self.container = container
        if try container.exists(Self.list) { titles = try container.load(from: Self.list) }
    }
}
// end

// shown in BuildAReader.md
extension ReaderModel {
    func add(_ title: Title) throws { try save(titles + [title]) }

    func turn(to page: Int, of name: String) throws {
        var changed = titles
        for index in changed.indices where changed[index].name == name { changed[index].page = page }
        try save(changed)
    }

    private func save(_ changed: [Title]) throws {
        try container.save(changed, to: Self.list)
        titles = changed
    }
}
// end

// shown in BuildAReader.md
extension ReaderModel {
    func keepCover(_ bytes: Data, of title: Title) throws {
        try container.store(bytes, named: coverName(of: title), as: coverKind(of: title))
    }

    func cover(of title: Title) throws -> Data? {
        let path = coverKind(of: title).path(named: coverName(of: title))
        return try container.exists(path) ? container.load(path) : nil
    }

    private func coverKind(of title: Title) -> ContentKind { .downloaded(from: title.cover, keepOffline: true) }
    private func coverName(of title: Title) -> String { "covers/" + title.cover.lastPathComponent }
}
// end

// shown in BuildAReader.md
extension Preferences.Keys {
    static let textSize = Preferences.Key<Double>("textSize", default: 14)
    static let isDark = Preferences.Key<Bool>("isDark", default: false)
}
// end

@available(macOS 14.0, iOS 17.0, *)
// shown in BuildAReader.md
struct ReaderSettings {
    let textSize: ObservablePreference<Double>
    let isDark: ObservablePreference<Bool>

    init(in container: Container) throws {
        let preferences = try container.preferences()
        textSize = ObservablePreference(.textSize, in: preferences)
        isDark = ObservablePreference(.isDark, in: preferences)
    }
}
// end

// shown in BuildAReader.md
extension ReaderModel {
    static let log = ContainerPath.caches / "reader.log"

    func record(_ events: String...) throws {
        let log = try container.appender(to: Self.log)
        for event in events { try log.append(event) }
        try log.flush()
    }
}
// end

@available(macOS 14.0, iOS 17.0, *)
// shown in BuildAReader.md
@Test func theReaderFollowsTheRulesForStorage() throws {
    let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.reader")
    let reader = try ReaderModel(in: container)
    let cover = try #require(URL(string: "https://example.com/covers/sicp.jpg"))
    try reader.add(Title(name: "SICP", cover: cover))
    try reader.keepCover(Data(count: 100_000), of: reader.titles[0])
    try ReaderSettings(in: container).textSize.value = 18
    try reader.record("test")

    #expect(try ReaderModel(in: container).titles == reader.titles)
    expectCompliant(container)
}
// end

@Suite("Tutorial: build a reader from nothing") struct BuildAReaderTests {
    @available(macOS 14.0, iOS 17.0, *)
    @Test("The reader opens its container, keeps titles, covers, settings and a log, and finds them again")
    func steps() throws {
        try withContainer { made throws in
            // As on iOS.
            enum Container {
                nonisolated(unsafe) static var location: FilePath = ""
                static func home() throws -> AppContainer.Container { try .open(location) }
            }
            Container.location = made.location
            let (cover, bytes) = (try #require(URL(string: "https://example.com/covers/sicp.jpg")), Data("JPEG".utf8))
            // shown in BuildAReader.md
            let container = try Container.home()
            let reader = try ReaderModel(in: container)
            // end
            #expect(reader.titles.isEmpty)
            // shown in BuildAReader.md
            try reader.add(Title(name: "SICP", cover: cover))
            try reader.turn(to: 17, of: "SICP")
            // end
            #expect(try ReaderModel(in: container).titles == [Title(name: "SICP", page: 17, cover: cover)])
            let title = reader.titles[0]
            #expect(try reader.cover(of: title) == nil)
            // shown in BuildAReader.md
            try reader.keepCover(bytes, of: title)
            let picture = try reader.cover(of: title)
            // end
            #expect(picture == bytes)
            let file = ContainerPath.applicationSupport / "Downloads/covers/sicp.jpg"
            #expect(try container.exclusion(of: file).state == .excluded)
            #expect(try container.exclusion(of: ReaderModel.list).state == .included)
            // shown in BuildAReader.md
            let settings = try ReaderSettings(in: container)
            settings.textSize.value = 18
            // end
            #expect(try container.preferences().value(for: .textSize) == 18 && !settings.isDark.value)
            // shown in BuildAReader.md
            try reader.record("opened SICP", "page 17")
            // end
            try reader.record("closed")
            #expect(try container.loadText(ReaderModel.log) == "opened SICP\npage 17\nclosed\n")
        }
    }

    @Test("A damaged list is an error that leaves the file, and a failed save leaves the titles")
    func failures() throws {
        try withContainer { container throws in
            let cover = try #require(URL(string: "https://example.com/a.jpg"))
            let reader = try ReaderModel(in: container)
            try container.save("{", to: ReaderModel.list)
            let error = #expect(throws: ContainerError.self) { try ReaderModel(in: container) }
            #expect(error?.code == .damaged)
            #expect(try container.loadText(ReaderModel.list) == "{")
            try container.remove(ReaderModel.list)
            try container.createDirectory(ReaderModel.list)
            #expect(throws: ContainerError.self) { try reader.add(Title(name: "A", cover: cover)) }
            #expect(reader.titles.isEmpty)
        }
    }
}
