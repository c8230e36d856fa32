internal import ContainerArchives
internal import Foundation

// The same classes with the two methods by hand, as the tutorial writes them. Their archives are equal to those of the
// macro. There are three differences: each new property needs a line in both methods, which the compiler does not check;
// `init(coder:)` sets the references back to the group itself; and a cycle of other references could not be read.

/// A student, archived by hand.
final class HandwrittenStudent: NSObject, NSSecureCoding, ArchiveNamed {
    static var supportsSecureCoding: Bool { true }
    static var archiveName: String? { "Student" }
    let name: String
    var grades: [Int]
    weak var group: HandwrittenGroup?

    init(name: String, grades: [Int]) { (self.name, self.grades) = (name, grades) }

    func encode(with coder: NSCoder) {
        coder.encode(name, forKey: "name")
        coder.encode(NSArray(array: grades.map { NSNumber(value: $0) }), forKey: "grades")
    }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name"),
            let grades = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "grades") as? [Int]
        else { return nil }
        (self.name, self.grades) = (String(name), grades)
    }
}

/// A group of students, archived by hand.
final class HandwrittenGroup: NSObject, NSSecureCoding, ArchiveNamed {
    static var supportsSecureCoding: Bool { true }
    static var archiveName: String? { "Group" }
    let name: String
    var students: [HandwrittenStudent]
    var speaker: HandwrittenStudent?

    init(name: String, students: [HandwrittenStudent]) {
        (self.name, self.students) = (name, students)
        super.init()
        for student in students { student.group = self }
    }

    func encode(with coder: NSCoder) {
        coder.encode(name, forKey: "name")
        coder.encode(NSArray(array: students), forKey: "students")
        coder.encode(speaker, forKey: "speaker")
    }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name"),
            let students = coder.decodeObject(of: [NSArray.self, HandwrittenStudent.self], forKey: "students")
                as? [HandwrittenStudent]
        else { return nil }
        (self.name, self.students) = (String(name), students)
        speaker = coder.decodeObject(of: HandwrittenStudent.self, forKey: "speaker")
        super.init()
        for student in students { student.group = self }
    }
}

extension HandwrittenGroup {
    /// Returns a copy of a group of the macro.
    convenience init(_ group: Group) {
        self.init(
            name: group.name,
            students: group.students.map { HandwrittenStudent(name: $0.name, grades: $0.grades) })
        speaker = zip(students, group.students).first { $1 === group.speaker }?.0
    }
}
