import AppContainer
import CFileSystem
import FileSystem
import Foundation
import PolicyAuthoring
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("A container with evicted files", .timeLimit(.minutes(60))) struct EvictedTests {
    @Test("An evicted file is an incident of its own kind and is not opened; the rest is evaluated")
    func lint() throws {
        try withScratch { scratch throws in
            let path = FilePath(scratch.appending(path: "c").path)
            let made = try Container.create(at: path, bundleIdentifier: "com.example.app")
            for name in ["evicted.jpg", "here.jpg"] {
                try made.save(Data([0xff, 0xd8, 0xff]), to: .documents / name, provenance: Provenance(.downloaded))
            }
            let opened = LockedValue<[String]>([])
            var calls = Syscalls.live
            // A substitute for the status of Darwin, which has a flag for evicted items.
            calls.status = { directory, name, status in
                let result = cfs_status_at(directory, name, status)
                if String(cString: name).hasPrefix("evicted") { status.pointee.dataless = true }
                return result
            }
            calls.open = { directory, name, how, permissions in
                opened.withLock { $0.append(String(cString: name)) }
                return cfs_open_at(directory, name, how, permissions)
            }
            calls.openBeneath = { directory, name, how, permissions in
                opened.withLock { $0.append(String(cString: name)) }
                return cfs_open_beneath(directory, name, how, permissions)
            }
            let container = try Container.open(path, bundleIdentifier: nil, calls: calls)
            var catalogue = try Catalogue.embedded()
            try catalogue.restrict(select: ["regenerable-in-documents"], ignore: [])
            let report = try Linter(catalogue: catalogue, now: ExampleRun.now, threads: 2).lint(container)
            #expect(report.incidents.map(\.displayPath) == ["Documents/evicted.jpg"])
            #expect(report.incidents.map(\.reason) == [.notDownloaded])
            #expect(report.incidents.first?.reason.rawValue == "not-downloaded")
            #expect(report.findings.map(\.displayPath) == ["Documents/here.jpg"])
            #expect(opened.withLock { !$0.contains { $0.contains("evicted") } })
        }
    }
}
