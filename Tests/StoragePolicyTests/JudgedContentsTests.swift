import Foundation
import TestSupport
import Testing

/// Lints the containers of Tests/Judgement/contents, whose files have real contents.
@Suite("Containers with real contents", .needs([.long, .externalProgram])) struct JudgedContentsTests {
    private struct Totals: Decodable {
        let containers, find, found, aloud, keep, alarms, notes, loss, lossFound, place, placeAlarms: Int
    }

    private static let totals = Result {
        let score = DocumentationPage.root.appending(path: "Tests/Judgement/contents/score-contents").path
        let run = try Command("python3", [score, Command.sandboxlint, "--json", "--verbose"])
        let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
        print(lines.joined(separator: "\n"))
        return try JSONDecoder().decode(Totals.self, from: Data((lines.last ?? "").utf8))
    }

    @Test("All are read, and each kind of label is there")
    func complete() throws {
        let totals = try Self.totals.get()
        #expect(totals.containers == 48)
        #expect(totals.find >= 140 && totals.keep >= 140 && totals.loss >= 10 && totals.place >= 10)
    }

    /// The numbers may only become better.
    @Test("User data is accused, and data that can be had again is missed, no more than before")
    func numbers() throws {
        let totals = try Self.totals.get()
        #expect(totals.alarms == 0 && totals.notes <= 7)
        #expect(totals.found >= 126 && totals.aloud >= 100)
        #expect(totals.lossFound >= 8 && totals.placeAlarms == 0)
    }
}
