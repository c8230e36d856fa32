import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite(
    "A container on a volume that ignores case", .needs([.externalProgram, .root]), .enabled(if: Volume.canMount),
    .timeLimit(.minutes(60)))
struct CaseTests {
    private func withContainer(_ body: (Container) throws -> Void) throws {
        try Volume.ignoringCase.mounted { disk throws in
            try body(
                try Container.create(at: FilePath(disk.appending(path: "c").path), bundleIdentifier: "com.example.App"))
        }
    }

    @Test("Two spellings of a path are one path for concurrent changes")
    func locks() throws {
        try withContainer { container throws in
            #expect(container.ignoresCase)
            try container.createDirectory(.documents / "Logs")
            let count = 50
            DispatchQueue.concurrentPerform(iterations: 3) { number in
                for _ in 0..<count {
                    let path = number == 0 ? "Logs/App.log" : "logs/app.LOG"
                    try? container.append("x", to: .documents / path, options: .init(durability: .none))
                    if number == 2 { try? container.excludeFromBackup(.documents / "LOGS/APP.LOG") }
                }
            }
            #expect(try container.load(.documents / "Logs/App.log").count == 3 * count)
            #expect(try container.ownMarks(of: .documents / "logs/app.log") == [.modern])
        }
    }

    @Test("Every spelling of a standard directory has its policy")
    func locations() throws {
        try withContainer { container throws in
            try container.save("x", to: "library/CACHES/file")
            try container.save("x", to: "documents/letter")
            #expect(try container.isBackedUp("LIBRARY/caches/file") == false)
            #expect(try container.isBackedUp("DOCUMENTS/letter") == true)
            let error = #expect(throws: ContainerError.self) { try container.excludeFromBackup("documents") }
            #expect(error?.code == .systemDirectory)
            let usage = try container.usage()
            #expect(usage.byLocation[.documents]?.items == 1 && usage.byLocation[.caches]?.items == 1)
        }
    }

    @Test("A move to another spelling succeeds, and a copy to it is refused; nothing is lost")
    func caseOnlyRename() throws {
        try withContainer { container throws in
            try container.save("text", to: .documents / "letter")
            try container.move(.documents / "letter", to: .documents / "Letter")
            #expect(try container.loadText(.documents / "letter") == "text")
            #expect(throws: ContainerError.self) {
                try container.copy(.documents / "letter", to: .documents / "LETTER")
            }
            try container.save("new", to: .documents / "LETTER")
            #expect(try container.loadText(.documents / "letter") == "new")
            #expect(try container.list(.documents).count == 1)
        }
    }

    @Test("Where case is distinguished, another spelling is another directory without a policy")
    func sensitive() throws {
        try AppContainerTests.withContainer { container throws in
            #expect(!container.ignoresCase)
            try container.createDirectory("documents")
            try container.excludeFromBackup("documents")
            #expect(try container.ownMarks(of: "documents") == [.modern])
            #expect(try container.isBackedUp("documents") == false)
        }
    }
}
