import AppContainer
import ContainerLogging
import FileSystem
import Foundation
import InMemoryLogging
import Logging
import SystemPackage
import TestSupport
import Testing

private func withContainer(_ body: (Container) throws -> Void) throws {
    try withScratch { folder throws in
        try body(
            try Container.create(at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app"))
    }
}

@Suite("Events in a logger", .timeLimit(.minutes(60))) struct ContainerLoggingTests {
    /// Runs work in a container with a logger, and returns what it logs.
    private func entries(
        _ level: Logger.Level, _ body: (Container) throws -> Void
    ) throws -> [InMemoryLogHandler.Entry] {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "storage") { _ in handler }
        logger.logLevel = level
        try withContainer { try body($0.logging(to: logger)) }
        return handler.entries
    }

    /// A cache that is trimmed, a saved value, a conflict and a file that cannot be decoded, with secret names.
    private func work(_ container: Container) throws {
        let cache = try container.cache(named: "secret", limits: .init(entries: 1))
        for key in ["secret 1", "secret 2"] { try cache.store(Data("x".utf8), forKey: key) }
        let item = ContainerPath.documents / "secret.json"
        let values = try (0..<2).map { _ in try FileValue(item, in: container, default: 0, autosave: nil) }
        for (number, value) in values.enumerated() { value.value = number + 1 }
        for value in values { try value.flush() }
        let file = URL(filePath: container.location.removingLastComponent().appending("secret.tmp").string)
        try Data("film".utf8).write(to: file)
        let url = try #require(URL(string: "https://example.com/secret"))
        try container.store(downloadAt: file, named: "secret\n.mp4", from: url, expires: .distantPast)
        try container.purgeExpired()
        try URL(filePath: container.path(.documents).string).write("x\n", to: ".appcontainer-staging-0123abcd00000001")
        try container.sweepLeftovers(olderThan: .zero)
        try container.save("{", to: item)
        let end = ContinuousClock.now + .seconds(60)
        while values.contains(where: { $0.lastError == nil }), ContinuousClock.now < end { usleep(5_000) }
        // Waits for what the values do in the background.
        for value in values { try? value.refresh() }
    }

    @Test("Levels above debug have numbers and no names, and debug messages have both")
    func names() throws {
        let quiet = try entries(.info, work)
        #expect(quiet.allSatisfy { $0.level > .debug })
        #expect(quiet.allSatisfy { !"\($0.message) \($0.metadata)".contains("secret") }, "\(quiet)")
        let kinds = Set(quiet.compactMap { $0.metadata["event"].map { "\($0)" } })
        #expect(kinds == ["evicted", "conflicted", "downloaded", "expired", "swept", "failed"])
        let levels = Dictionary(quiet.map { ("\($0.metadata["event"] ?? "")", $0.level) }) { first, _ in first }
        #expect(levels["failed"] == .warning && levels["conflicted"] == .notice && levels["evicted"] == .info)
        let failure = try #require(quiet.first { $0.level == .warning })
        #expect(failure.metadata["code"] == "damaged")
        #expect(quiet.first { $0.metadata["event"] == "downloaded" }?.metadata["bytes"] == "4")

        let verbose = try entries(.debug, work)
        #expect(verbose.filter { $0.level > .debug }.allSatisfy { !"\($0)".contains("secret") })
        let debug = verbose.filter { $0.level == .debug }
        #expect(debug.allSatisfy { $0.metadata["path"] != nil })
        #expect(debug.contains { $0.metadata["event"] == "saved" && $0.metadata["path"] == "Documents/secret.json" })
        // A name cannot begin a line of the log.
        let download = try #require(debug.first { $0.metadata["event"] == "downloaded" }?.metadata["path"])
        #expect("\(download)".hasSuffix("secret\u{fffd}.mp4"))
        #expect(debug.contains { "\($0.metadata["error"] ?? "")".contains("secret.json") })
    }

    @Test("Nothing is logged below the level of the logger, and a handler of the app remains")
    func levels() throws {
        #expect(try entries(.critical, work).isEmpty)
        let handler = InMemoryLogHandler()
        let count = LockedValue(0)
        try withContainer { container throws in
            var container = container
            container.eventHandler = { _ in count.withLock { $0 += 1 } }
            let logged = container.logging(to: Logger(label: "storage") { _ in handler })
            let cache = try logged.cache(named: "c", limits: .init(entries: 1))
            for key in ["1", "2"] { try cache.store(Data("x".utf8), forKey: key) }
        }
        #expect(count.withLock(\.self) == 1 && handler.entries.count == 1)
        #expect(handler.entries.first?.message == "removed entries of a cache")
    }
}
