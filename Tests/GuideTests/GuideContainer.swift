import AppContainer
import Foundation
import SystemPackage
import TestSupport

/// Runs the body with a new container of com.example.app.
func withContainer<Result>(_ body: (Container) throws -> Result) throws -> Result {
    try withScratch { folder throws in
        try body(
            try Container.create(at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app"))
    }
}

/// Runs an async body with a new container of com.example.app.
func withContainer<Result>(_ body: (Container) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
    let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(container)
}
