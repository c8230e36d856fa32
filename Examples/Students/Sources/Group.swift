internal import AutoArchived
internal import ContainerArchives
internal import Foundation

/// A student. `@AutoArchived` writes `encode(with:)` and `init(coder:)` from the properties.
@AutoArchived(name: "Student")
final class Student: NSObject {
    let name: String
    var grades: [Int] = []
    /// The group, which sets this reference itself, also when it is read.
    @NotArchived weak var group: Group?

    init(name: String, grades: [Int] = []) {
        self.name = name
        self.grades = grades
    }
}

/// A group of students. Archiving the group archives its students, each once.
@AutoArchived(name: "Group")
final class Group: NSObject {
    let name: String
    var students: [Student] = [] {
        didSet { for student in students { student.group = self } }
    }
    /// A reference to one of the students, who is archived once and is the same object after a read.
    var speaker: Student?

    init(name: String) { self.name = name }
}

extension Group {
    /// A group of three.
    static var sample: Group {
        let group = Group(name: "Physics 1")
        group.students = [
            Student(name: "Ada", grades: [1, 2]), Student(name: "Blaise", grades: [3]), Student(name: "Carl"),
        ]
        group.speaker = group.students[1]
        return group
    }

    /// The group in one line.
    var summary: String {
        let names = students.map { $0 === speaker ? "\($0.name) (speaker)" : $0.name }
        return "\(name): \(names.joined(separator: ", "))"
    }
}
