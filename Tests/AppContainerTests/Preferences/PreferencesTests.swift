import AppContainer
import ContainerPreferences
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Preferences", .timeLimit(.minutes(60))) struct PreferencesTests {
    @Test("Every type is read as it was set, also after the container is opened again")
    func roundTrip() throws {
        try withContainer { container throws in
            let day = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
            let mixed: PreferenceValue = ["size": 12, "fonts": ["Menlo", 1.5, true], "none": [:]]
            do {
                let preferences = try container.preferences()
                try preferences.set("Grüße 日本", forKey: "text")
                try preferences.set(true, forKey: "yes")
                try preferences.set(Int.min, forKey: "number")
                try preferences.set(0.1, forKey: "real")
                try preferences.set(Float(0.1), forKey: "float")
                try preferences.set(Data([0, 255]), forKey: "bytes")
                try preferences.set(day, forKey: "day")
                try preferences.set(["a", "b"], forKey: "texts")
                try preferences.set(["a": [1]], forKey: "lists")
                try preferences.set(mixed, forKey: "mixed")
                try preferences.set(PreferenceValue.unsigned(.max), forKey: "large")
            }
            let preferences = try Container.open(container.location).preferences()
            #expect(try preferences.string(forKey: "text") == "Grüße 日本")
            #expect(try preferences.bool(forKey: "yes"))
            #expect(try preferences.integer(forKey: "number") == .min)
            #expect(try preferences.double(forKey: "real") == 0.1)
            #expect(try preferences.float(forKey: "float") == Float(0.1))
            #expect(try preferences.data(forKey: "bytes") == Data([0, 255]))
            #expect(try preferences.date(forKey: "day") == day)
            #expect(try preferences.stringArray(forKey: "texts") == ["a", "b"])
            #expect(try preferences.dictionary(forKey: "lists") == ["a": [1]])
            #expect(try preferences.value(forKey: "mixed") == mixed)
            #expect(try preferences.array(forKey: "texts") == ["a", "b"])
            #expect(try preferences.value(forKey: "large") == .unsigned(.max))
            #expect(try preferences.values().count == 11)
        }
    }

    @Test("A missing key returns false, 0 or nil, and creates no file")
    func missing() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            #expect(try preferences.string(forKey: "a") == nil && preferences.url(forKey: "a") == nil)
            #expect(try !preferences.bool(forKey: "a") && preferences.integer(forKey: "a") == 0)
            #expect(try preferences.double(forKey: "a") == 0 && preferences.float(forKey: "a") == 0)
            #expect(try preferences.data(forKey: "a") == nil && preferences.date(forKey: "a") == nil)
            #expect(try preferences.array(forKey: "a") == nil && preferences.stringArray(forKey: "a") == nil)
            #expect(try preferences.dictionary(forKey: "a") == nil && preferences.values().isEmpty)
            try preferences.removeValue(forKey: "a")
            #expect(try container.list(.preferences).isEmpty)
        }
    }

    @Test("A value of the file takes precedence over a registered one, which is returned again after its removal")
    func registered() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            preferences.register(defaults: ["size": 12, "font": "Menlo"])
            preferences.register(defaults: ["size": 13])
            #expect(try preferences.integer(forKey: "size") == 13)
            try preferences.set(20, forKey: "size")
            #expect(try preferences.integer(forKey: "size") == 20)
            #expect(try container.preferences().string(forKey: "font") == "Menlo")
            #expect(try preferences.values() == ["size": 20, "font": "Menlo"])
            try preferences.removeValue(forKey: "size")
            #expect(try preferences.integer(forKey: "size") == 13)
            #expect(try Container.open(container.location).preferences() === preferences)
        }
    }

    @Test(
        "A new file is readable by its owner only; an excluded one of another mode keeps both",
        arguments: Durability.allCases)
    func attributes(durability: Durability) throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let place = ContainerPath.preferences / "com.example.app.plist"
            let path = try container.path(place).string
            try preferences.set(1, forKey: "a", durability: durability)
            #expect(try mode(of: path) == "600")
            try container.excludeFromBackup(place)
            try setMode("640", of: path)
            try AttributeTool.set("user.other", to: "x", of: path)
            try preferences.set(2, forKey: "a", durability: durability)
            #expect(try mode(of: path) == "640")
            #expect(try container.exclusion(of: place).state == .excluded)
            #expect(try AttributeTool.text("user.other", of: path) == "x")
            #expect(try container.list(.preferences) == [place])
        }
    }

    @Test("A suite has a file of its own, and its name must be a valid file name")
    func suites() throws {
        try withContainer { container throws in
            try container.preferences(suite: "group.com.example").set("g", forKey: "a")
            try container.preferences().set("own", forKey: "a")
            #expect(try container.preferences(suite: "group.com.example").string(forKey: "a") == "g")
            #expect(
                try container.list(.preferences).map(\.description)
                    == ["Library/Preferences/com.example.app.plist", "Library/Preferences/group.com.example.plist"])
            for name in ["../x", "", ".hidden", "a/b", "a\nb", "x\0", String(repeating: "x", count: 250)] {
                let error = #expect(throws: PreferencesError.self) { try container.preferences(suite: name) }
                #expect(error?.code == .invalidName)
            }
        }
    }

    @Test("A container without an identifier only has preferences of suites")
    func anonymous() throws {
        try withScratch { folder throws in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "Documents"), withIntermediateDirectories: true)
            let container = try Container.open(FilePath(folder.path))
            let error = #expect(throws: PreferencesError.self) { try container.preferences() }
            #expect(error?.code == .noIdentifier)
            try container.preferences(suite: "com.example.app").set(1, forKey: "a")
            #expect(try container.preferences(suite: "com.example.app").integer(forKey: "a") == 1)
        }
    }

    @Test("Several changes are one save, and an edit includes its own changes")
    func changeSeveral() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(1, forKey: "old")
            let path = try container.path(.preferences / "com.example.app.plist").string
            let before = try inode(of: path)
            let sum = try preferences.change { edit throws(PreferencesError) in
                edit.set(2, forKey: "a")
                edit.set(3, forKey: "b")
                edit.removeValue(forKey: "old")
                try edit.set(URL(fileURLWithPath: "/etc/hosts"), forKey: "file")
                return (edit.value(forKey: "old"), edit.value(forKey: "a"))
            }
            #expect(sum == (nil, 2))
            #expect(try preferences.values() == ["a": 2, "b": 3, "file": "/etc/hosts"])
            #expect(try inode(of: path) != before)
            // A closure that throws, and one that changes nothing, leave the same file.
            let (number, time) = try (inode(of: path), modified(of: path))
            let noText = try #require(URL(string: "file:///tmp/%FF"))
            let error = #expect(throws: PreferencesError.self) {
                try preferences.change { edit throws(PreferencesError) in
                    edit.set(9, forKey: "a")
                    try edit.set(noText, forKey: "bad")
                }
            }
            #expect(error?.code == .unsupported)
            try preferences.change { $0.removeValue(forKey: "none") }
            #expect(try inode(of: path) == number && modified(of: path) == time)
            #expect(try preferences.integer(forKey: "a") == 2)
        }
    }

    @Test("A change within a change is refused, and the outer one is made")
    func nested() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            var inner: PreferencesError?
            try preferences.change { edit throws(PreferencesError) in
                edit.set(1, forKey: "outer")
                do throws(PreferencesError) { try preferences.set(2, forKey: "inner") } catch { inner = error }
            }
            #expect(inner?.code == .locked)
            #expect(try preferences.values() == ["outer": 1])
        }
    }

    @Test("Preferences that are locked by others are an error, and nothing changes")
    func locked() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(1, forKey: "a")
            let folder = try Folder(opening: container.path(.preferences))
            let lock = try Lock(folder, within: .zero)
            let error = #expect(throws: PreferencesError.self) {
                try preferences.change(waiting: .milliseconds(20)) { $0.set(2, forKey: "a") }
            }
            #expect(error?.code == .locked && error?.path == "Library/Preferences/com.example.app.plist")
            #expect(error?.description.contains("was locked by others") == true)
            #expect(try preferences.integer(forKey: "a") == 1)
            lock.release()
            try preferences.set(3, forKey: "a")
            #expect(try preferences.integer(forKey: "a") == 3)
        }
    }

    @Test("Content of 4,194,304 bytes is refused with both sizes; one byte less is saved")
    func size() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            // bplist00, the dictionary, the key, the header of the data, three offsets and the trailer.
            let overhead = 8 + 3 + 2 + 6 + 3 * 4 + 32
            let fitting = Data(count: 4_194_303 - overhead)
            try preferences.set(fitting, forKey: "a")
            let path = try container.path(.preferences / "com.example.app.plist").string
            #expect(try fileSize(of: path) == 4_194_303)
            let error = #expect(throws: PreferencesError.self) {
                try preferences.set(fitting + [0], forKey: "a")
            }
            #expect(error?.code == .tooLarge)
            #expect(
                error?.description
                    == "The values for “Library/Preferences/com.example.app.plist” have 4194304 bytes, and preferences "
                    + "must have fewer than 4194304. Nothing on disk has changed. Store large values in separate files."
            )
            #expect(try preferences.data(forKey: "a") == fitting)
        }
    }

    @Test(
        "A damaged file is an error with its path, for reads and changes, and is unchanged",
        arguments: [
            "", "bplist00", "no plist", "<plist><array/></plist>",
            "<plist><dict><key>a</key><dict><key>CF$UID</key><integer>1</integer></dict></dict></plist>",
        ])
    func damaged(text: String) throws {
        try withContainer { container throws in
            let place = ContainerPath.preferences / "com.example.app.plist"
            try container.save(text, to: place)
            let preferences = try container.preferences()
            preferences.register(defaults: ["a": 1])
            let error = #expect(throws: PreferencesError.self) { try preferences.integer(forKey: "a") }
            #expect(error?.code == .damaged && error?.path == place.description)
            #expect(error?.description.contains("The file is unchanged") == true)
            let second = #expect(throws: PreferencesError.self) { try preferences.set(1, forKey: "a") }
            #expect(second == error)
            #expect(try container.loadText(place) == text)
            // A valid file is read again by the same object.
            try container.save("<plist><dict><key>a</key><integer>7</integer></dict></plist>", to: place)
            #expect(try preferences.integer(forKey: "a") == 7)
        }
    }

    @Test("A file that expands to billions of values is an error, with bounded cost")
    func bomb() throws {
        try withContainer { container throws in
            // Forty arrays, each with two references to the next one, in a dictionary.
            var objects: [[UInt8]] = [[0xd1, 1, 2], [0x51, 0x61]]
            for index in 2..<42 { objects.append([0xa2, UInt8(index + 1), UInt8(index + 1)]) }
            objects.append([0x09])
            var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
            for object in objects {
                offsets.append(UInt8(bytes.count))
                bytes += object
            }
            let table = UInt8(bytes.count)
            bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
            bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table]
            try container.save(Data(bytes), to: .preferences / "com.example.app.plist")
            let error = #expect(throws: PreferencesError.self) { try container.preferences().values() }
            #expect(error?.code == .damaged && error?.description.contains("it has too many values") == true)
        }
    }

    @Test(
        "A link or a directory with the name of the file is refused",
        arguments: ["link", "directory", "pipe"])
    func notAFile(kind: String) throws {
        try withContainer { container throws in
            let path = try container.path(.preferences / "com.example.app.plist").string
            switch kind {
            case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/hosts")
            case "pipe": try createPipe(path)
            default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }
            let preferences = try container.preferences()
            #expect(throws: PreferencesError.self) { try preferences.string(forKey: "a") }
            let error = #expect(throws: PreferencesError.self) { try preferences.set(1, forKey: "a") }
            #expect(error?.code == .notAFile)
        }
    }
}
