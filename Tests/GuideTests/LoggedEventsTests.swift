import AppContainer
import ContainerLogging
import FileSystem
import Foundation
import InMemoryLogging
import Logging
import SystemPackage
import TestSupport
import Testing

@Suite("Guide: events in a log") struct LoggedEventsTests {
    @Test("The cache that the page shows logs the message that it states")
    func logger() throws {
        try withContainer { container throws in
            let handler = InMemoryLogHandler()
            let logger = Logger(label: "storage") { _ in handler }
            let tile = Data("tile".utf8)
            // shown in library.md
            let logged = container.logging(to: logger)
            let thumbnails = try logged.cache(named: "thumbnails", limits: .init(entries: 2))
            for name in ["1", "2", "3"] { try thumbnails.store(tile, forKey: name) }
            // end
            #expect(handler.entries.map { "\($0.message)" } == ["removed entries of a cache"])
            #expect(handler.entries.first?.metadata == ["event": "evicted", "files": "1", "bytes": "4"])
        }
    }

    @Test("A handler gets the events")
    func handler() throws {
        try withContainer { made throws in
            var container = made
            let shown = LockedValue([String]())
            @Sendable func show(_ text: String) { shown.withLock { $0.append(text) } }
            // shown in library.md
            container.eventHandler = { event in show("\(event.kind.rawValue): \(event.files)") }
            // end
            // shown in ContainerEvent.swift
            container.eventHandler = { event in show("\(event.kind.rawValue): \(event.files)") }
            // end
            let file = URL(filePath: container.location.removingLastComponent().appending("film.tmp").string)
            try Data("film".utf8).write(to: file)
            let address = try #require(URL(string: "https://example.com/film.mp4"))
            try container.store(downloadAt: file, named: "film.mp4", from: address)
            #expect(shown.withLock(\.self) == ["downloaded: 1"])
        }
    }
}
