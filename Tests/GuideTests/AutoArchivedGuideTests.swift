// shown in AutoArchived.md
import AutoArchived
import ContainerArchives
import Foundation

@AutoArchived(name: "Recipe", version: 1)
final class Recipe: NSObject {
    @Archived(key: "title", formerly: "name") var heading: String
    var id = UUID()
    var minutes = 30
    var steps: [String] = []
    var related: [Recipe] = []
    weak var variantOf: Recipe?
    @NotArchived var isSelected = false

    init(heading: String) { self.heading = heading }
}
// end
import AppContainer
import TestSupport
import Testing

// shown in AutoArchived.swift
@AutoArchived(name: "Trainee")
final class Trainee: NSObject {
    let name: String
    var grades: [Int] = []
    weak var course: Course?
    init(name: String) { self.name = name }
}
// end

@AutoArchived final class Course: NSObject {
    // shown in AutoArchived.swift
    @Archived(key: "title", formerly: "name") var heading: String
    // end
    var genre: Genre = .essay
    init(heading: String) { self.heading = heading }
}

// shown in ArchivableValue.swift
enum Genre: String, ArchivableValue { case novel, essay }
// end

@Suite("Examples of @AutoArchived") struct AutoArchivedGuideTests {
    @Test("Two recipes that refer to each other are read as they were archived")
    func recipes() throws {
        try withContainer { container throws in
            // shown in AutoArchived.md
            let (bread, rolls) = (Recipe(heading: "Bread"), Recipe(heading: "Rolls"))
            bread.related = [rolls]
            rolls.variantOf = bread
            try container.archive(bread, to: .documents / "bread.recipe")
            let read = try container.unarchive(Recipe.self, from: .documents / "bread.recipe")
            // end
            #expect(read.heading == "Bread" && read.minutes == 30)
            #expect(read.related.map(\.heading) == ["Rolls"] && read.related[0].variantOf === read)
        }
    }

    @Test("A trainee and a course are read with their grades and their genre")
    func trainees() throws {
        try withContainer { container throws in
            let trainee = Trainee(name: "Ada")
            trainee.grades = [1]
            try container.archive(trainee, to: .documents / "s")
            #expect(try container.unarchive(Trainee.self, from: .documents / "s").grades == [1])
            let course = Course(heading: "Physics")
            course.genre = .novel
            try container.archive(course, to: .documents / "g")
            #expect(try container.unarchive(Course.self, from: .documents / "g").genre == .novel)
        }
    }
}
