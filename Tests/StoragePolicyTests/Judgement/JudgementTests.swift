import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("Containers with misleading names", .needs(.long)) struct JudgementTests {
    private static let scores = Result {
        try JudgementContainer.Folder.allCases.flatMap { folder in
            try JudgementContainer.all(in: folder).map { container in
                try withScratch { try JudgementScore(container, in: $0) }
            }
        }
    }

    /// The number of containers of re-downloadable data that are found. It may only be raised.
    private static let fewestFound = 23

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

    @Test("User data is reported as re-downloadable at most by a note")
    func alarms() throws {
        for score in try Self.scores.get() {
            #expect(score.alarms.isEmpty, "\(score.name): \(score.alarms.sorted { $0.key < $1.key })")
        }
    }

    @Test("No safe fix touches user data")
    func fixes() throws {
        for score in try Self.scores.get() {
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
