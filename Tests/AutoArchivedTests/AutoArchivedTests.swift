import AppContainer
import AutoArchived
import ContainerArchives
import Foundation
import TestSupport
import Testing

@Suite("Classes with @AutoArchived", .timeLimit(.minutes(60))) struct AutoArchivedTests {
    private var everything: Everything {
        let object = Everything(text: "Grüße 日本", date: Date(timeIntervalSinceReferenceDate: 60.5))
        object.count = .min
        object.small = -128
        object.large = .max
        object.ratio = 0.1
        object.weight = 1.5
        object.isOpen = true
        object.price = Decimal(string: "12345678901234567890.12") ?? 0
        object.cover = Data([0, 255])
        object.address = URL(string: "https://example.com/a?b#c")
        object.marked = [1, 2, 9]
        object.genre = .essay
        object.level = .high
        object.names = ["a", "", "a"]
        object.grades = ["x": [1, 2], "": []]
        object.tags = ["one", "two"]
        object.gaps = [1, nil, 3]
        object.number = 5
        object.draws = 99
        object.observed = 4
        return object
    }

    @Test("A property of each kind is read as it was archived, and one marked @NotArchived is not")
    func kinds() throws {
        try withContainer { container throws in
            let object = everything
            let read = try container.roundTrip(object)
            #expect(read !== object)
            #expect(read.text == object.text && read.date == object.date && read.count == .min)
            #expect(read.small == -128 && read.large == .max && read.ratio == 0.1 && read.weight == 1.5)
            #expect(read.isOpen && read.price == object.price && read.cover == object.cover)
            #expect(read.address == object.address && read.id == object.id && read.marked == object.marked)
            #expect(read.genre == .essay && read.level == .high && read.names == object.names)
            #expect(read.grades == object.grades && read.tags == object.tags && read.gaps == object.gaps)
            #expect(read.number == 5 && read.observed == 4)
            #expect(read.draws == 7)
        }
    }

    @Test("An optional without a value stays nil, also if the property has another initial value")
    func optionals() throws {
        try withContainer { container throws in
            let object = Everything(text: "", date: Date(timeIntervalSinceReferenceDate: 0))
            let read = try container.roundTrip(object)
            #expect(read.cover == nil && read.address == nil && read.level == nil && read.number == nil)
            let hint = Hint()
            hint.text = nil
            #expect(try container.roundTrip(hint).text == nil)
        }
    }

    @AutoArchived(name: "Hint") final class Hint: NSObject {
        var text: String? = "initial"
        override init() {}
    }

    @Test("A subclass archives its properties after those of its superclass")
    func inheritance() throws {
        try withContainer { container throws in
            let (dog, cat) = (Dog(name: "Rex"), Animal(name: "Tom"))
            dog.tricks = ["roll"]
            dog.friend = cat
            try container.archive(NSArray(array: [dog, cat]), to: .documents / "a")
            let read = try container.unarchive(
                NSArray.self, from: .documents / "a", allowing: [Animal.self, Dog.self])
            let first = try #require(read[0] as? Dog)
            #expect(first.name == "Rex" && first.tricks == ["roll"])
            #expect(first.friend === read[1] as? Animal && first.friend?.name == "Tom")
        }
    }

    @Test("The name of a class is its archive name; without one it is Module.Class")
    func names() throws {
        try withContainer { container throws in
            try container.archive(Node(1), to: .documents / "node")
            try container.archive(Dog(name: "Rex"), to: .documents / "dog")
            let (node, dog) = (try container.load(.documents / "node"), try container.load(.documents / "dog"))
            #expect(node.range(of: Data("AutoArchivedTests".utf8)) == nil)
            #expect(dog.range(of: Data("AutoArchivedTests.Dog".utf8)) != nil)
            #expect(Node.archiveName == "Node" && Dog.archiveName == nil)
        }
    }

    // MARK: - Older and newer archives

    @AutoArchived(name: "Account") final class OldAccount: NSObject {
        var name: String
        var balance = 12
        init(name: String) { self.name = name }
    }
    @AutoArchived(name: "Account", version: 2) final class Account: NSObject {
        @Archived(key: "owner", formerly: "holder", "name") var user: String
        var currency = "EUR"
        @NotArchived var cents = 0
        @NotArchived var migratedFrom: Int?
        init(user: String) { self.user = user }
        func encodeExtra(with coder: NSCoder) { coder.encode(cents, forKey: "cents") }
        func decodeExtra(with coder: NSCoder) { cents = coder.decodeInteger(forKey: "cents") }
        func migrate(from version: Int, with coder: NSCoder) {
            migratedFrom = version
            cents = coder.decodeInteger(forKey: "balance") * 100
        }
    }
    @AutoArchived(name: "Account", version: 3) final class NewAccount: NSObject {
        @Archived(key: "owner") var user: String
        init(user: String) { self.user = user }
    }

    @Test("A former key is read, a missing key leaves the initial value, and the older version is migrated")
    func migration() throws {
        try withContainer { container throws in
            try container.archive(OldAccount(name: "Ann"), to: .documents / "a")
            let account = try container.unarchive(Account.self, from: .documents / "a")
            #expect(account.user == "Ann" && account.currency == "EUR")
            #expect(account.migratedFrom == 0 && account.cents == 1200)
        }
    }

    @Test("Extra keys are archived, and an archive of the current version is not migrated")
    func extraKeys() throws {
        try withContainer { container throws in
            let account = Account(user: "Bob")
            account.cents = 7
            let read = try container.roundTrip(account)
            #expect(read.user == "Bob" && read.cents == 7 && read.migratedFrom == nil)
        }
    }

    @Test("An archive of a newer version is an error that says what to do, and the file is unchanged")
    func newerVersion() throws {
        try withContainer { container throws in
            try container.archive(NewAccount(user: "Cid"), to: .documents / "a")
            let bytes = try container.load(.documents / "a")
            let error = #expect(throws: ArchiveError.self) {
                _ = try container.unarchive(Newest.self, from: .documents / "a")
            }
            #expect(error?.code == .wrongType)
            #expect(error?.description.contains("version 3 of Account is newer than version 2") == true)
            #expect(error?.description.contains("Open the file with the version of the app that wrote it.") == true)
            #expect(try container.load(.documents / "a") == bytes)
        }
    }
    @AutoArchived(name: "Account", version: 2) final class Newest: NSObject {
        @Archived(key: "owner") var user: String
        init(user: String) { self.user = user }
    }

    // MARK: - Bad input

    @AutoArchived(name: "Everything") final class Strange: NSObject {
        var text: Int = 1
        var genre: String = "film"
        override init() {}
    }
    @AutoArchived(name: "Everything") final class Short: NSObject {
        let text: String
        let date: Date
        let missing: Int
        init(missing: Int) { (text, date, self.missing) = ("", Date(timeIntervalSinceReferenceDate: 0), missing) }
    }
    @AutoArchived(name: "Everything") final class Film: NSObject {
        var genre: Genre = .novel
        override init() {}
    }

    @Test("A missing field, a field of another type and an unknown case are errors with the position")
    func badFields() throws {
        try withContainer { container throws in
            func error<Object: NSObject & NSSecureCoding>(_ type: Object.Type) -> ArchiveError? {
                #expect(throws: ArchiveError.self) {
                    _ = try container.unarchive(type, from: .documents / "a", named: ["Everything": type])
                }
            }
            try container.archive(Strange(), to: .documents / "a")
            let missing = error(Short.self)
            #expect(missing?.code == .badReference && missing?.keyPath == "root.text")
            let film = error(Film.self)
            #expect(film?.code == .wrongType && film?.keyPath == "root.genre")
            #expect(film?.description.contains("“film” is not a value of Genre") == true)
            try container.archive(Film(), to: .documents / "a")
            #expect(error(Short.self)?.description.contains("the field is missing") == true)
        }
    }

    @Test("An archive of a class that is no longer there is an error that says what to do, and nothing is lost")
    func lostClass() throws {
        try withContainer { container throws in
            let dog = Dog(name: "Rex")
            try container.archive(NSArray(array: [dog]), to: .documents / "a")
            let bytes = try container.load(.documents / "a")
            let error = #expect(throws: ArchiveError.self) {
                _ = try container.unarchive(NSArray.self, from: .documents / "a", allowing: [Node.self])
            }
            #expect(error?.code == .unknownClass && error?.keyPath == "root.NS.objects[0]")
            #expect(error?.description.contains("AutoArchivedTests.Dog") == true)
            #expect(error?.description.contains("or to named: if it has another name in the archive") == true)
            #expect(try container.load(.documents / "a") == bytes)
        }
    }

    // MARK: - Foundation's coders

    @Test("Foundation's archiver and unarchiver call the same methods")
    func foundation() throws {
        try withContainer { container throws in
            let dog = Dog(name: "Rex")
            dog.tricks = ["roll"]
            let data = try NSKeyedArchiver.archivedData(withRootObject: dog, requiringSecureCoding: true)
            try container.save(data, to: .documents / "a")
            let read = try container.unarchive(Dog.self, from: .documents / "a")
            #expect(read.name == "Rex" && read.tricks == ["roll"])
            try container.archive(dog, to: .documents / "b")
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: try container.load(.documents / "b"))
            unarchiver.requiresSecureCoding = true
            let other = unarchiver.decodeObject(of: Dog.self, forKey: NSKeyedArchiveRootObjectKey)
            #expect(other?.name == "Rex" && other?.tricks == ["roll"])
        }
    }
}
