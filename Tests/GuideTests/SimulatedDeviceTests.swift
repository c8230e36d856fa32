import AppContainer
import ContainerLifecycle
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Simulated device of the library's page", .timeLimit(.minutes(60))) struct SimulatedDeviceTests {
    private struct Settings: Codable, Sendable { var volume = 1 }

    @Test("The example saves the settings, purges an old file and finds the path that an update breaks")
    func example() throws {
        try withScratch { folder throws in
            let path = FilePath(folder.path).appending("0E51B748-1CAE-4B41-9D42-6AA70BBCFAD9")
            let container = try Container.create(at: path, bundleIdentifier: "com.example.app")
            try container.save("12345", to: .temporary / "old.txt")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: path.string + "/tmp/old.txt")
            try container.save(["last": "\(path)/Documents/settings.json"], to: .documents / "recent.plist")
            // shown in library.md
            let device = try SimulatedDevice(container)
            try device.launch()
            let settings = try device.register("settings", Settings()) { settings, container in
                try container.save(settings, to: .documents / "settings.json")
            }
            settings.value.volume = 3
            try device.enterBackground()  // saves the settings
            try device.terminate()  // returns the names of values that no handler saved

            let purged = try device.purge(olderThan: .seconds(86_400))
            let freed = purged.total(.removed).bytes
            let updated = try device.update()  // the container has another path
            let broken = updated.danglingReferences.map { "\($0.file): \($0.key ?? "link")" }
            // end
            #expect(
                try Settings(volume: 3).volume
                    == updated.container.load(Settings.self, from: .documents / "settings.json").volume)
            #expect(freed == 5 && broken == ["Documents/recent.plist: /last"])
        }
    }
}
