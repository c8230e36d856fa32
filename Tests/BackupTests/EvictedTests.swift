import AppContainer
import BackupPlan
import CFileSystem
import ContainerTree
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("A backup with evicted files") struct EvictedTests {
    @Test("A file that the system marks as evicted is planned, and its content is an incident")
    func plan() throws {
        try withContainer { made, folder throws in
            try folder.write("a\n", to: "Documents/evicted", "Documents/here")
            var calls = Syscalls.live
            // A substitute for the status of Darwin, which has a flag for evicted items.
            calls.status = { directory, name, status in
                let result = cfs_status_at(directory, name, status)
                if String(cString: name) == "evicted" { status.pointee.dataless = true }
                return result
            }
            let plan = try Plan(of: try Container.open(made.location, bundleIdentifier: nil, calls: calls))
            #expect(plan.incidents.map { String(decoding: $0.path, as: UTF8.self) } == ["Documents/evicted"])
            #expect(plan.incidents.map(\.reason) == ["not-downloaded"] && !plan.isComplete)
            let paths = plan.map { String(decoding: $0.path, as: UTF8.self) }
            #expect(paths.contains("Documents/here"))
            let evicted = try #require(plan.entry(at: Array("Documents/evicted".utf8)))
            #expect(evicted.isStored && evicted.availability == .evicted && plan.evicted.items == 1)
        }
    }
}
