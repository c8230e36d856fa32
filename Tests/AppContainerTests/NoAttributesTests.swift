import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("A disk without attributes") struct NoAttributesTests {
    /// A container on a file system without attributes, as Linux reports it (ramfs, vfat): an empty list, and errors
    /// otherwise.
    private func withBareDisk(_ body: (Container) throws -> Void) throws {
        var calls = Syscalls.live
        let refusal = -Errno.notSupported.rawValue
        calls.listAttributes = { _, _, _, _ in 0 }
        calls.readAttribute = { _, _, _, _, _ in Int(refusal) }
        calls.writeAttribute = { _, _, _, _, _ in refusal }
        calls.removeAttribute = { _, _, _ in refusal }
        try withContainer { container throws in
            try body(try Container.open(container.location, bundleIdentifier: nil, calls: calls))
        }
    }

    @Test("The exclusion of an item is unknown there, and setting it is refused")
    func unknown() throws {
        try withBareDisk { container throws in
            try container.save("old", to: .documents / "a")
            try container.save("new", to: .documents / "a")
            #expect(try container.loadText(.documents / "a") == "new")
            for place in [ContainerPath.documents / "a", .documents] {
                #expect(try container.exclusion(of: place).state == .unknown)
                for ask in [
                    { _ = try container.ownMarks(of: place) }, { try container.includeInBackup(place) },
                    { try container.excludeFromBackup(place, force: true) }, { _ = try container.excludedItems() },
                    { _ = try container.toggleBackupExclusion(of: place) },
                ] as [() throws -> Void] {
                    let error = #expect(throws: ContainerError.self) { try ask() }
                    #expect(error?.code == .noAttributes)
                }
            }
            let usage = try container.usage()
            #expect(usage.byBackup[.included] == nil && usage.byBackup[.unknown] != nil)
        }
    }
}
