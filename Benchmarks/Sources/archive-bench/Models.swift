import AutoArchived
import ContainerArchives
import Foundation

/// A student, archived by the macro.
@AutoArchived(name: "Student") final class MacroStudent: NSObject {
    let name: String
    var number = 0
    var average = 0.0
    var isActive = false
    var joined: Date?
    var grades: [Int] = []
    var mentor: MacroStudent?
    init(name: String) { self.name = name }
}

/// A group, archived by the macro.
@AutoArchived(name: "Group") final class MacroGroup: NSObject {
    let name: String
    var students: [MacroStudent] = []
    init(name: String) { self.name = name }
}

/// The same student, archived by hand.
final class HandStudent: NSObject, NSSecureCoding, ArchiveNamed {
    static var supportsSecureCoding: Bool { true }
    static var archiveName: String? { "Student" }
    let name: String
    var number = 0
    var average = 0.0
    var isActive = false
    var joined: Date?
    var grades: [Int] = []
    var mentor: HandStudent?
    init(name: String) { self.name = name }

    func encode(with coder: NSCoder) {
        coder.encode(name, forKey: "name")
        coder.encode(number, forKey: "number")
        coder.encode(average, forKey: "average")
        coder.encode(isActive, forKey: "isActive")
        coder.encode(joined.map { $0 as NSDate }, forKey: "joined")
        coder.encode(NSArray(array: grades.map { NSNumber(value: $0) }), forKey: "grades")
        coder.encode(mentor, forKey: "mentor")
    }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = String(name)
        number = coder.decodeInteger(forKey: "number")
        average = coder.decodeDouble(forKey: "average")
        isActive = coder.decodeBool(forKey: "isActive")
        joined = coder.decodeObject(of: NSDate.self, forKey: "joined").map { $0 as Date }
        // A program with a static Foundation cannot cast an NSArray to an array.
        let grades = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "grades") as? NSArray
        self.grades = grades?.compactMap { ($0 as AnyObject as? NSNumber)?.intValue } ?? []
        mentor = coder.decodeObject(of: HandStudent.self, forKey: "mentor")
    }
}

/// The same group, archived by hand.
final class HandGroup: NSObject, NSSecureCoding, ArchiveNamed {
    static var supportsSecureCoding: Bool { true }
    static var archiveName: String? { "Group" }
    let name: String
    var students: [HandStudent] = []
    init(name: String) { self.name = name }

    func encode(with coder: NSCoder) {
        coder.encode(name, forKey: "name")
        coder.encode(NSArray(array: students), forKey: "students")
    }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = String(name)
        let students = coder.decodeObject(of: [NSArray.self, HandStudent.self], forKey: "students") as? NSArray
        self.students = students?.compactMap { $0 as? HandStudent } ?? []
    }
}
