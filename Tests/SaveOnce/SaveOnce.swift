import AppContainer
import Foundation
import SystemPackage

/// `save-once CONTAINER`: makes a container, flags a file in it and saves that once more, for a tracer to watch.
@main
struct SaveOnce {
    static func main() throws {
        let container = try Container.create(
            at: FilePath(CommandLine.arguments[1]), bundleIdentifier: "com.example.app")
        let place = try ContainerPath.documents("note.txt")
        try container.save("first", to: place)
        try container.excludeFromBackup(place)
        try container.save("second", to: place, durability: .full)
    }
}
