internal import Foundation
package import Testing

/// The needs of a test or suite that some runs of the tests do not meet.
///
/// The environment variable `SANDBOXLINT_TESTS_WITHOUT` lists the unmet needs, separated by commas, such as
/// `external-program,root,long,process`. It disables the tests with these needs, because SwiftPM filters tests only by
/// their names. The reason of a disabled test in the output is `needs `, followed by the unmet needs.
package struct Needs: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Another process, such as one of the built tools or a shell.
    package static let process = Needs(rawValue: 1)
    /// A program that POSIX does not require, such as Python or restic. It runs in another process.
    package static let externalProgram: Needs = [.program, .process]
    /// The rights of root, such as those to mount a volume or to change an owner.
    package static let root = Needs(rawValue: 4)
    /// More than 15 seconds of processor time.
    package static let long = Needs(rawValue: 8)

    private static let program = Needs(rawValue: 2)
    /// The needs by their names in the variable.
    private static let words: [(word: String, need: Needs)] = [
        ("external-program", program), ("root", root), ("long", long), ("process", process),
    ]

    /// The needs that this run does not meet, and the words in the variable that name no need.
    package static let unmet = parse(ProcessInfo.processInfo.environment["SANDBOXLINT_TESTS_WITHOUT"] ?? "")

    /// Parses a list of needs.
    package static func parse(_ list: String) -> (needs: Needs, unknown: [String]) {
        var result: (needs: Needs, unknown: [String]) = ([], [])
        for word in list.split(separator: ",").map(String.init) {
            if let need = words.first(where: { $0.word == word })?.need {
                result.needs.insert(need)
            } else {
                result.unknown.append(word)
            }
        }
        return result
    }

    /// The names of the needs, separated by commas. An external program is not named a second time as a process.
    package var names: String {
        let shown = contains(.externalProgram) ? subtracting(.process) : self
        return Self.words.filter { shown.contains($0.need) }.map(\.word).joined(separator: ",")
    }

    /// Returns the reason why a program must not be started if these needs are unmet, or nil if it may be started.
    ///
    /// A script can start any program. If only external programs are unmet, shells are allowed, and their scripts are not
    /// examined.
    package func refusal(of program: String) -> String? {
        let name = program.split(separator: "/").last.map(String.init) ?? program
        if contains(.process) {
            return "“\(name)” was not started, because these tests run without processes; use `.needs(.process)`"
        }
        if contains(.program), program != Command.built(name), !Self.programsOfPOSIX.contains(name) {
            return "“\(name)” was not started, because these tests run without external programs; "
                + "use `.needs(.externalProgram)`"
        }
        return nil
    }

    /// The programs of POSIX that tests start, and Bash, which the Makefile needs as well.
    private static let programsOfPOSIX: Set = [
        "bash", "chmod", "chown", "cmp", "cp", "df", "diff", "du", "env", "find", "grep", "id", "ls", "mkdir", "mkfifo",
        "mv", "readlink", "rm", "sed", "sh", "sleep", "timeout", "touch", "true", "uname",
    ]
}

extension Trait where Self == ConditionTrait {
    /// States the needs of a test or suite. A run that does not meet them disables it.
    package static func needs(_ needs: Needs) -> Self {
        let missing = needs.intersection(Needs.unmet.needs)
        return .disabled(if: !missing.isEmpty, Comment(rawValue: "needs \(missing.names)"))
    }
}
