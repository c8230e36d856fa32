import AppContainer
import Foundation
import SystemPackage
import TestSupport

/// Calls `body` with a container that has an item for every default reason of a plan.
func withBackupSample<Result>(_ body: (Container, String) throws -> Result) throws -> Result {
    try withScratch { folder throws in
        let path = folder.appending(path: "sample").path
        let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
        try container.save("Dear reader", to: .documents / "letter.txt")
        try container.save("12345", to: .documents / "tiles/1.png")
        try container.excludeFromBackup(.documents / "tiles")
        try container.save("cached", to: .caches / "a.json")
        try container.save("x", to: .temporary / "old.part")
        try container.save("x", to: "Other/thing")
        return try body(container, path)
    }
}
