import AppContainer
import ContainerArchives
import Foundation
import StoragePolicy
import StoragePolicyTesting
import SystemPackage
import TestSupport
import Testing

@testable import Students

@Suite("Students") struct StudentsTests {
    private func withContainer(_ body: (Container) throws -> Void) throws {
        try withScratch { folder throws in
            try body(
                Container.create(
                    at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.Students"))
        }
    }

    @Test("A group is archived with its students and read back, with the speaker as one of the students")
    func roundTrip() throws {
        try withContainer { container throws in
            let app = Students(container: container)
            try app.save(.sample)
            let group = try app.load()
            #expect(group.summary == "Physics 1: Ada, Blaise (speaker), Carl")
            #expect(group.students.map(\.grades) == [[1, 2], [3], []])
            #expect(group.speaker === group.students[1])
            #expect(group.students.allSatisfy { $0.group === group })
            expectCompliant(container, failOn: .note)
        }
    }

    @Test("The methods by hand and those of the macro write equal archives, and read those of each other")
    func equal() throws {
        try withContainer { container throws in
            let (macro, hand) = (ContainerPath.documents / "macro", ContainerPath.documents / "hand")
            try container.archive(Group.sample, to: macro)
            try container.archive(HandwrittenGroup(.sample), to: hand)
            #expect(try container.load(macro) == container.load(hand))
            let read = try container.unarchive(
                HandwrittenGroup.self, from: macro, allowing: [HandwrittenStudent.self])
            #expect(read.students.map(\.name) == ["Ada", "Blaise", "Carl"])
            #expect(read.speaker === read.students[1] && read.students[0].group === read)
            let group = try container.unarchive(Group.self, from: hand, allowing: [Student.self])
            #expect(group.summary == "Physics 1: Ada, Blaise (speaker), Carl")
        }
    }

    @Test("A group goes to data and back")
    func data() throws {
        try withContainer { container throws in
            let app = Students(container: container)
            try app.save(.sample)
            let data = try container.load(Students.archive)
            try container.save(data, to: .temporary / "copy")
            let group = try container.unarchive(Group.self, from: .temporary / "copy")
            #expect(group.name == "Physics 1")
        }
    }

    @Test(
        "An archive of a class that the app no longer has is an error that says what to do, and the file is unchanged")
    func lostClass() throws {
        try withContainer { container throws in
            let app = Students(container: container)
            try container.archive(
                HandwrittenGroup(.sample), to: Students.archive, named: ["Course": HandwrittenGroup.self])
            let bytes = try container.load(Students.archive)
            let error = #expect(throws: ArchiveError.self) { _ = try app.load() }
            #expect(error?.code == .unknownClass)
            #expect(error?.description.contains("unknown class Course") == true)
            #expect(error?.description.contains("Add the class to allowing:, or to named:") == true)
            #expect(try container.load(Students.archive) == bytes)
            let group = try container.unarchive(
                Group.self, from: Students.archive, allowing: [Student.self], named: ["Course": Group.self])
            #expect(group.summary == Group.sample.summary)
        }
    }
}
