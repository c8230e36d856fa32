import Foundation
import TestSupport
import Testing

@Suite("The tools agree about every item of many containers", .timeLimit(.minutes(60))) struct ContainerAgreementTests {
    /// The number of generated containers; `scripts/stress agreement` sets more, and takes every layout of a real app.
    private static let count = ProcessInfo.processInfo.environment["AGREEMENT"].flatMap(Int.init)

    private func check(_ containers: [SampleContainer]) throws {
        var items = 0
        for container in containers {
            try withScratch { folder throws in
                let path = try container.make(folder.resolvingSymlinksInPath())
                let answers = try BackupAnswers(container: path, explaining: Self.count == nil ? 1 : 3)
                items += answers.states[.list]?.count ?? 0
                let found = answers.disagreements
                #expect(found.isEmpty, "\(container.name): \(found.count): \(found.prefix(5).joined(separator: "; "))")
            }
        }
        print("\(containers.count) containers with \(items) items")
        #expect(!containers.isEmpty && items >= containers.count)
    }

    @Test("Containers of the corpora")
    func labelled() throws {
        try check(
            SampleContainer.labelled().enumerated().filter { Self.count != nil || $0.offset % 8 == 0 }.map(\.element))
    }

    @Test("Containers of the examples", .needs(.process))
    func examples() throws { try check(SampleContainer.examples) }

    @Test("Containers with random items of every location, kind and mark")
    func generated() throws { try check(SampleContainer.generated(Self.count ?? 12)) }

    @Test(
        "Layouts of real apps", .needs(.externalProgram),
        .enabled(if: Platform.isLinux && SampleContainer.hasShared, "needs Linux and the layouts beside the checkout"))
    func real() throws { try check(SampleContainer.real(each: Self.count == nil ? 30 : 1)) }

    @Test(
        "Cases from public reports", .needs([.externalProgram, .long]),
        .enabled(if: Platform.isLinux && SampleContainer.hasShared, "needs Linux and the cases beside the checkout"),
        .enabled(if: count != nil, "`scripts/stress agreement` runs it"))
    func cases() throws {
        try withScratch { folder throws in
            let (containers, unmade) = try SampleContainer.cases(in: folder.resolvingSymlinksInPath())
            for line in unmade { print("not made: \(line)") }
            try check(containers)
        }
    }

    @Test("A tool that answers differently is found", arguments: BackupAnswers.Tool.allCases)
    func planted(tool: BackupAnswers.Tool) throws {
        try withScratch { folder throws in
            try folder.makeDirectories("c/Documents/logs", "c/Library/Caches/a", "c/tmp")
            try folder.write("kept", to: "c/Documents/letter.txt")
            try folder.write("made again", to: "c/Library/Caches/a/b")
            try folder.write(String(repeating: "entry\n", count: 100), to: "c/Documents/logs/app.log")
            var answers = try BackupAnswers(container: folder.appending(path: "c"), explaining: 9)
            #expect(answers.disagreements == [])
            let (included, excluded) = ("Documents/letter.txt", "Library/Caches/a/b")
            switch tool {
            case .list, .plan, .map, .explain: answers.states[tool]?[included] = .unknown
            case .events: answers.states[tool]?[included] = .excluded
            case .findings: answers.states[tool]?[excluded] = .included
            case .sums: answers.changeSum(of: "Documents")
            case .views: answers.views["icloud"]?.plan[excluded] = .included
            case .snapshots: answers.views["icloud"]?.stored.remove(included)
            }
            let found = answers.disagreements
            #expect(!found.isEmpty)
            #expect([.list, .views].contains(tool) || found.allSatisfy { $0.contains(tool.rawValue) }, "\(found)")
        }
    }
}
