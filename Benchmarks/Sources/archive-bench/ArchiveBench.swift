import AppContainer
import ContainerArchives
import Foundation
import SystemPackage

/// `archive-bench COUNT CONTAINER`: archives and reads a group of COUNT students whose methods the macro writes, and one whose
/// methods are written by hand.
///
/// Prints the milliseconds of each call and of saving the bytes alone. Fails if the two archives differ in a byte.
@main
struct ArchiveBench {
    static func main() {
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            FileHandle.standardError.write(Data("archive-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard arguments.count == 2, let count = Int(arguments[0]) else { throw Errno.invalidArgument }
        let container = try Container.open(FilePath(arguments[1]))
        let (macro, hand) = groups(count)
        let (macroFile, handFile) = (ContainerPath.documents / "macro", ContainerPath.documents / "hand")
        // The order alternates, so that neither way always finds a warmer cache.
        for way in Bool.random() ? ["macro", "hand"] : ["hand", "macro"] {
            if way == "macro" {
                try measure("macro-write") {
                    try container.archive(macro, to: macroFile, options: .init(durability: .none))
                }
                let read = try measure("macro-read") { try container.unarchive(MacroGroup.self, from: macroFile) }
                guard read.students.count == count, read.students.last?.mentor === read.students.first else {
                    throw Errno.ioError
                }
            } else {
                try measure("hand-write") {
                    try container.archive(hand, to: handFile, options: .init(durability: .none))
                }
                let read = try measure("hand-read") { try container.unarchive(HandGroup.self, from: handFile) }
                guard read.students.count == count, read.students.last?.mentor === read.students.first else {
                    throw Errno.ioError
                }
            }
        }
        let bytes = try container.load(macroFile)
        guard try bytes == container.load(handFile) else { throw Errno.ioError }
        try measure("save") { try container.save(bytes, to: .documents / "bytes", options: .init(durability: .none)) }
    }

    private static func groups(_ count: Int) -> (MacroGroup, HandGroup) {
        let (macro, hand) = (MacroGroup(name: "Physics"), HandGroup(name: "Physics"))
        for number in 0..<count {
            let (one, other) = (MacroStudent(name: "student \(number)"), HandStudent(name: "student \(number)"))
            let joined = Date(timeIntervalSinceReferenceDate: Double(number))
            (one.number, other.number) = (number, number)
            (one.average, other.average) = (Double(number) / 3, Double(number) / 3)
            (one.isActive, other.isActive) = (number.isMultiple(of: 2), number.isMultiple(of: 2))
            (one.joined, other.joined) = (joined, joined)
            (one.grades, other.grades) = ([1, 2, number % 7], [1, 2, number % 7])
            (one.mentor, other.mentor) = (macro.students.first, hand.students.first)
            macro.students.append(one)
            hand.students.append(other)
        }
        return (macro, hand)
    }

    private static func measure<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        let result = try body()
        print(name, Double((clock.now - start).components.attoseconds) / 1e15)
        return result
    }
}
