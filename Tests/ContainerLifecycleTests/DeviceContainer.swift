import AppContainer
import Foundation
import SystemPackage
import TestSupport

/// The name of a container's directory on a device.
let oldIdentifier = "0E51B748-1CAE-4B41-9D42-6AA70BBCFAD9"
/// A directory named by a UUID beside it.
let newIdentifier = UUID(uuidString: "1F62C859-2DBF-4C52-8E53-7BB81CCDFBEA") ?? UUID()

/// Creates a container in a directory that is named by a UUID, and removes both afterwards.
func withContainer<Result>(_ body: (Container) throws -> Result) throws -> Result {
    try withScratch { folder in
        let path = FilePath(folder.resolvingSymlinksInPath().path).appending(oldIdentifier)
        return try body(try Container.create(at: path, bundleIdentifier: "com.example.app"))
    }
}

extension Container {
    /// Saves a text at a path relative to the container, modified this number of days before 2026-01-01.
    func put(_ path: String, _ text: String = "text", age days: Int = 1) throws {
        try save(text, to: ContainerPath(path), options: .init(durability: .none))
        let date = Date(timeIntervalSince1970: 1_767_225_600 - Double(days) * 86_400)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: location.string + "/" + path)
    }

    /// Saves a property list in XML.
    func put(_ path: String, list: String) throws {
        try put(path, "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(list)</dict></plist>")
    }

    /// The paths of all items, sorted by bytes, without the metadata file.
    func paths() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: location.string).filter { !$0.hasPrefix(".com.apple") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
