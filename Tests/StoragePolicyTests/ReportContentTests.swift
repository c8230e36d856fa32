import AppContainer
import Foundation
import PolicyAuthoring
import PolicyRecords
import StoragePolicy
import SystemPackage
import TestSupport
import Testing
import TextOutput
import ToolSupport

@Suite("The declaration of the JSON report") struct ReportContentTests {
    /// Lints a container with reported and suppressed findings, sources and a line of the configuration.
    private func withReport(_ body: (Data) throws -> Void) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "app").path), bundleIdentifier: "com.example.app")
            let url = try #require(URL(string: "https://example.com/a.jpg"))
            try container.save(
                Data([0xff, 0xd8]), to: .documents / "images/a.jpg", options: .init(provenance: .downloaded(from: url)))
            try container.save("x", to: .documents / "model.bin")
            for file in ["old.part", "known/b.part", "50%\n\"\\.part"] {
                try container.save("x", to: .temporary / file)
            }
            try URL(fileURLWithPath: container.path(.temporary).string).setAllTimes("2025-06-01T00:00:00Z")
            try Data(
                """
                now: 2026-01-01
                must-exclude: ["Documents/model.bin", "Documents/missing.bin"]
                sources: { "tmp/old.part": "Sources/Upload.swift:42" }
                suppressions: { path: "tmp/known/**", rule: stale-tmp, reason: uploaded later, until: 2027-06-30 }

                """.utf8
            ).write(to: folder.appending(path: ".sandboxlint.yml"))
            try body(sandboxlint("lint", "app", "--format", "json", in: folder).output)
        }
    }

    @Test("A report that is read and written again has the same bytes")
    func roundTrip() throws {
        try withReport { data throws in
            let report = try JSONDecoder().decode(ReportContent.Report.self, from: data)
            #expect(report.findings.count > 3 && report.suppressed.count == 1)
            var text = ""
            RecordEncoder.write(report) { text += $0 }
            #expect(text + "\n" == String(decoding: data, as: UTF8.self))
            for part in [#""anchor":{"kind":"source""#, #""notes":["#, #"\"\\.part"#, #""until":"2027-06-30""#] {
                #expect(text.contains(part), "\(part)")
            }
        }
    }

    @Test("A list is written piece by piece, and a record is created when the earlier ones are written")
    func streaming() {
        let numbers = Array(0..<2_000)
        var (created, pieces, most) = (0, 0, 0)
        let records = Records(numbers) { number in
            created += 1
            return ["name": String(repeating: "x", count: 100 + number % 2)]
        }
        var written = 0
        RecordEncoder.write(records) { piece in
            pieces += 1
            written += piece.utf8.count
            most = max(most, created * 100 - written)
        }
        #expect(created == 2_000 && pieces > 5 && most < 32_768)
    }

    @Test("The reader requires each key that the schema requires, and names it")
    func requiredKeys() throws {
        let schema = try JSONSerialization.jsonObject(with: Data(Schemas.report.indented.utf8)) as? [String: Any]
        let properties = try #require(schema?["properties"] as? [String: [String: Any]])
        try withReport { data throws in
            let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            func expectError(_ changed: [String: Any], _ key: String) throws {
                let data = try JSONSerialization.data(withJSONObject: changed)
                let error = #expect(throws: DecodingError.self, "\(key)") {
                    try JSONDecoder().decode(ReportContent.Report.self, from: data)
                }
                guard case .keyNotFound(let missing, _) = error else {
                    Issue.record("\(key): \(String(describing: error))")
                    return
                }
                #expect(missing.stringValue == key)
            }
            for key in try #require(schema?["required"] as? [String]) {
                try expectError(report.filter { $0.key != key }, key)
            }
            for list in ["inputs", "apps", "findings", "suppressed"] {
                let record = try #require((report[list] as? [[String: Any]])?.first)
                let keys = try #require((properties[list]?["items"] as? [String: Any])?["required"] as? [String])
                #expect(keys.count > 5)
                for key in keys {
                    try expectError(report.merging([list: [record.filter { $0.key != key }]]) { $1 }, key)
                }
            }
        }
    }
}
