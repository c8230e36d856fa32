import Foundation
import TestSupport
import Testing

@Suite("Needs of tests") struct NeedsTests {
    @Test("The variable of this run names only needs that exist")
    func words() {
        #expect(Needs.unmet.unknown == [])
    }

    @Test(
        "A list of needs is parsed, and an unknown word is reported",
        arguments: [
            ("", Needs(), []), ("long", .long, []),
            ("external-program,root,long,process", [.externalProgram, .root, .long, .process], []),
            ("root,longer", .root, ["longer"]),
        ] as [(String, Needs, [String])])
    func list(text: String, needs: Needs, unknown: [String]) {
        let parsed = Needs.parse(text)
        #expect(parsed.needs == needs && parsed.unknown == unknown)
    }

    @Test("A disabled test names the unmet needs, and an external program is not named as a process too")
    func names() {
        #expect(Needs([.externalProgram, .root, .long, .process]).names == "external-program,root,long")
        #expect(Needs.process.names == "process" && Needs([.process, .long]).names == "long,process")
        #expect(Needs.externalProgram.intersection(Needs.parse("process").needs).names == "process")
        #expect(Needs.externalProgram.intersection(Needs.parse("external-program").needs).names == "external-program")
    }

    @Test("Without external programs, a test may start shells and the built tools, and nothing else")
    func refusal() throws {
        let needs = Needs.parse("external-program").needs
        for program in ["sh", "bash", "/bin/sh", "find", Command.sandboxlint, Command.probe] {
            #expect(needs.refusal(of: program) == nil, "\(program)")
        }
        for program in ["sqlite3", "python3", "/usr/bin/restic", "/elsewhere/sandboxlint"] {
            let reason = try #require(needs.refusal(of: program), "\(program)")
            #expect(reason.hasSuffix("use `.needs(.externalProgram)`"), "\(reason)")
        }
        for program in ["sh", "sqlite3", Command.sandboxlint] {
            #expect(Needs.process.refusal(of: program)?.hasSuffix("use `.needs(.process)`") == true, "\(program)")
            #expect(Needs([.root, .long]).refusal(of: program) == nil)
        }
    }

    @Test("A program that this run does without is not started", .needs(.process))
    func start() throws {
        let run = Result { try Command("true", []) }
        switch Needs.unmet.needs.refusal(of: "true") {
        case nil: #expect(try run.get().code == 0)
        case .some(let reason):
            let failure = #expect(throws: (any Error).self) { try run.get() }
            #expect(failure.map { "\($0)" } == reason)
        }
    }
}
