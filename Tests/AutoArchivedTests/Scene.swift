import AppContainer
import AutoArchived
import ContainerArchives
import Foundation
import SystemPackage
import TestSupport

/// Runs the body with a new container of com.example.app.
func withContainer<Result>(_ body: (Container) throws -> Result) throws -> Result {
    try withScratch { folder throws in
        try body(
            Container.create(at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app"))
    }
}

extension Container {
    /// Archives an object and reads it back.
    func roundTrip<Object: NSObject & NSSecureCoding>(
        _ object: Object, allowing classes: [ArchivableClass] = []
    ) throws -> Object {
        try archive(object, to: .documents / "a", options: .init(durability: .none))
        return try unarchive(Object.self, from: .documents / "a", allowing: classes)
    }
}

enum Genre: String, ArchivableValue { case novel, essay }
enum Level: Int, ArchivableValue { case low = 1, high = 3 }

/// A class with a property of each kind.
@AutoArchived final class Everything: NSObject {
    let text: String
    var count = 0
    var small: Int8 = 0
    var large: UInt64 = 0
    var ratio = 0.0
    var weight: Float = 0
    var isOpen = false
    var price: Decimal = 0
    var cover: Data?
    let date: Date
    var address: URL?
    var id = UUID()
    var marked: IndexSet = []
    var genre: Genre = .novel
    var level: Level?
    var names = [String]()
    var grades: [String: [Int]] = [:]
    var tags = Set<String>()
    var gaps: [Int?] = []
    var number: Int?
    @NotArchived var draws = 7
    static let shared = 1
    var description2: String { "\(text) \(count)" }
    var observed = 0 {
        didSet { draws += 1 }
    }

    init(text: String, date: Date) { (self.text, self.date) = (text, date) }
}

/// A node of a graph, which may be cyclic.
@AutoArchived(name: "Node") final class Node: NSObject {
    let number: Int
    var next: Node?
    weak var parent: Node?
    var neighbours: [Node] = []
    init(_ number: Int) { self.number = number }
}

@AutoArchived class Animal: NSObject {
    let name: String
    init(name: String) { self.name = name }
}

@AutoArchived final class Dog: Animal {
    var tricks: [String] = []
    weak var friend: Animal?
    override init(name: String) { super.init(name: name) }
}
