import Foundation
import TestSupport
import Testing

@Suite("Twelve daily tasks", .needs(.externalProgram), .timeLimit(.minutes(60))) struct DailyTasksTests {
    @Test("Each task of the guide is done with its keys")
    func tasks() throws {
        let root = DocumentationPage.root
        let run = try Command(
            "python3",
            [
                root.appending(path: "Benchmarks/daily-tasks").path, Command.sandboxfm, Command.sandboxbackup,
                "--rounds", "1",
                "--programs", "sandboxfm",
            ])
        #expect(run.code == 0, "\(run.text)\(run.errors)")
        let guide = try String(contentsOf: root.appending(path: "docs/sandboxfm.md"), encoding: .utf8)
        let rows = run.text.split(separator: "\n").dropFirst(2)
        #expect(rows.count == 12)
        for row in rows {
            // The task and its keys; the seconds vary.
            let shown = row.split(separator: ",").first ?? ""
            #expect(guide.contains(shown + ","), "\(shown)")
        }
    }
}
