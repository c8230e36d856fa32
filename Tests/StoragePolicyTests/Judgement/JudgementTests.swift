import Foundation
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("Containers in which names mislead") struct JudgementTests {
    private static let scores = Result {
        try JudgementContainer.Folder.allCases.flatMap { folder in
            try JudgementContainer.all(in: folder).map { container in
                if let keep = ProcessInfo.processInfo.environment["JUDGEMENT_KEEP"] {
                    return try JudgementScore(container, in: URL(filePath: keep))
                }
                return try withScratch { try JudgementScore(container, in: $0) }
            }
        }
    }

    /// Containers of re-downloadable data that are found at present; only ever raised.
    private static let fewestFound = 12
    /// Containers whose user data is accused at present. Names are only ever removed; the goal is none.
    private static let accused: Set<String> = []
    /// Containers whose user data a safe fix touches at present. Names are only ever removed; the goal is none.
    private static let touched: Set<String> = []

    @Test("Each is examined completely and has something to keep or to find")
    func complete() throws {
        let scores = try Self.scores.get()
        #expect(scores.count { $0.folder == .userData } >= 15)
        #expect(scores.count { $0.folder == .redownloadable } >= 15)
        for score in scores {
            #expect(score.incidents.isEmpty, "\(score.name): \(score.incidents)")
            #expect(score.folder == .userData ? score.keep > 0 : score.find > 0, "\(score.name)")
        }
    }

    @Test("No user data is accused of being re-downloadable above a note, except where it is known")
    func alarms() throws {
        for score in try Self.scores.get() where !Self.accused.contains(score.name) {
            #expect(score.alarms.isEmpty, "\(score.name): \(score.alarms.sorted { $0.key < $1.key })")
        }
    }

    @Test("No safe fix touches user data, except where it is known")
    func fixes() throws {
        for score in try Self.scores.get() where !Self.touched.contains(score.name) {
            #expect(score.fixes.isEmpty, "\(score.name): \(score.fixes.sorted { $0.key < $1.key })")
        }
    }

    @Test("At least half of the re-downloadable items are found in no fewer containers than before")
    func found() throws {
        let scores = try Self.scores.get()
        print(scores.map(\.line).joined(separator: "\n"))
        let redownloadable = scores.filter { $0.folder == .redownloadable }
        let found = redownloadable.filter(\.isFound)
        print("found: \(found.count) of \(redownloadable.count) containers")
        #expect(found.count >= Self.fewestFound)
    }
}
