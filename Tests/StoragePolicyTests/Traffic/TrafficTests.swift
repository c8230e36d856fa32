import AppContainer
import ContainerTree
import FileSystem
import Foundation
@testable import PolicyTexts
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Recorded traffic") struct TrafficTests {
    private static let text = "a body that is long enough to prove something"

    /// Returns a HAR file with one entry.
    private func har(
        _ method: String = "GET", _ url: String = "https://cdn.example.com/a/secret?token=1", status: Int = 200,
        sent: [String: Any]? = nil, received: [String: Any] = [:], range: String? = nil, size: Int = -1
    ) throws -> [UInt8] {
        var request: [String: Any] = ["method": method, "url": url]
        request["postData"] = sent
        let headers = [["name": "Content-Range", "value": range ?? ""], ["name": "Set-Cookie", "value": "id=secret"]]
        let entry: [String: Any] = [
            "request": request,
            "response": ["status": status, "content": received, "bodySize": size, "headers": headers],
        ]
        return Array(try JSONSerialization.data(withJSONObject: ["log": ["version": "1.2", "entries": [entry]]]))
    }

    private func traffic(
        _ recordings: [UInt8]..., into traffic: RecordedTraffic = RecordedTraffic()
    ) throws -> RecordedTraffic {
        var traffic = traffic
        for recording in recordings {
            var rest = recording[...]
            var stream = JSONStream(bufferSize: 64) { buffer in
                let next = rest.prefix(buffer.count)
                rest = rest.dropFirst(next.count)
                buffer.copyBytes(from: next)
                return next.count
            }
            try traffic.add(har: &stream)
        }
        return traffic
    }

    /// Returns the proof about a file of these bytes.
    private func proof(_ bytes: [UInt8], _ traffic: RecordedTraffic, name: String = "file") throws -> String? {
        try withEvidence { fixture throws in
            try fixture.write("Documents/\(name)", Data(bytes))
            let proofs = try TrafficProofs(DirectoryTree(fixture.container), in: traffic)
            return proofs[Array("Documents/\(name)".utf8)]?.reason
        }
    }

    @Test("A response proves its bytes re-downloadable, and a request its bytes user data; a request comes first")
    func directions() throws {
        let text = Self.text
        let response = try har(received: ["text": text])
        let request = try har("POST", "https://api.example.com/", status: 201, sent: ["text": text])
        let down = "GET cdn.example.com answered 200 with these bytes"
        let up = "POST api.example.com was called with these bytes (answer: 201)"
        #expect(try proof(Array(text.utf8), traffic(response)) == down)
        #expect(try proof(Array(text.utf8), traffic(request)) == up)
        #expect(try proof(Array(text.utf8), traffic(request, response)) == up)
        #expect(try proof(Array(text.utf8), traffic(response, request)) == up)
        #expect(try proof(Array((text + "!").utf8), traffic(response)) == nil)
        #expect(try proof(Array((text.dropLast() + "!").utf8), traffic(response)) == nil)
    }

    @Test(
        "Errors, parts, requests with an effect, and addresses outside the network prove nothing",
        arguments: [
            ("GET", "https://a.example", 404, nil), ("GET", "https://a.example", 304, nil),
            ("GET", "https://a.example", 206, "bytes 0-44/90"), ("GET", "https://a.example", 206, nil),
            ("GET", "https://a.example", 206, "bytes 1-45/46"), ("POST", "https://a.example", 200, nil),
            ("GET", "data:text/plain,x", 200, nil), ("GET", "file:///a", 200, nil),
            ("GET", "https://a.example", 0, nil),
        ] as [(String, String, Int, String?)])
    func nothing(method: String, url: String, status: Int, range: String?) throws {
        let recording = try har(method, url, status: status, received: ["text": Self.text], range: range)
        #expect(try proof(Array(Self.text.utf8), traffic(recording)) == nil)
    }

    @Test("A partial response of the whole content, and an unchanged one of a proxy, are proof")
    func whole() throws {
        let count = Self.text.utf8.count
        let whole = try har(status: 206, received: ["text": Self.text], range: "bytes 0-\(count - 1)/\(count)")
        #expect(try proof(Array(Self.text.utf8), traffic(whole)) != nil)
        #expect(try proof(Array(Self.text.utf8), traffic(har(status: 203, received: ["text": Self.text]))) != nil)
    }

    @Test(
        "Bytes that agree by chance prove nothing",
        arguments: [
            "", "{}", "null", "short text", String(repeating: " ", count: 100), String(repeating: "0", count: 500),
            "[\n\n\n\n\n\n\n\n\n\n[], [],\n [], []\n\n\n\n\n]",
        ])
    func trivial(text: String) throws {
        #expect(try traffic(har(received: ["text": text])).isEmpty)
        #expect(try traffic(har("POST", sent: ["text": text])).isEmpty)
    }

    @Test("Bytes are found as text, as Latin-1, and as Base64 with the encoding before or after it")
    func encodings() throws {
        let noise = Array(try randomData(1_001))
        let base64 = Data(noise).base64EncodedString()
        #expect(try proof(noise, traffic(har(received: ["text": base64, "encoding": "base64"]))) != nil)
        let first = Array(
            "{\"log\":{\"entries\":[{\"request\":{\"method\":\"GET\",\"url\":\"https://a.example\"},".utf8)
        let last = "\"response\":{\"status\":200,\"content\":{\"encoding\":\"base64\",\"text\":\"\(base64)\"}}}]}}"
        #expect(try proof(noise, traffic(first + Array(last.utf8))) != nil)
        // The text itself is the body if nothing says that it is Base64.
        #expect(try proof(noise, traffic(har(received: ["text": base64]))) == nil)
        #expect(try proof(Array(base64.utf8), traffic(har(received: ["text": base64]))) != nil)
        let latin = "Übergröße für Käufer, größer als üblich"
        let bytes = latin.unicodeScalars.map { UInt8($0.value) }
        #expect(try proof(bytes, traffic(har(received: ["text": latin]))) != nil)
        #expect(try proof(Array(latin.utf8), traffic(har(received: ["text": latin]))) != nil)
    }

    @Test(
        "A file that has the bytes compressed is proven by its length on the wire or by its extension",
        .needs(.externalProgram))
    func compressed() throws {
        try withScratch { folder throws in
            let content = String(repeating: "compressible text of a server\n", count: 200)
            try Data(content.utf8).write(to: folder.appending(path: "a"))
            try Command.setUp("gzip", ["-k", "a"], in: folder)
            let bytes = Array(try Data(contentsOf: folder.appending(path: "a.gz")))
            let sent = try traffic(har(received: ["text": content], size: bytes.count))
            let unknown = try traffic(har(received: ["text": content]))
            let reason = "GET cdn.example.com answered 200 with these bytes, which the file has compressed"
            #expect(try proof(bytes, sent) == reason)
            #expect(try proof(bytes, unknown, name: "a.gz") == reason)
            #expect(try proof(bytes, unknown) == nil)
            #expect(try proof(Array(bytes.dropLast(20)), unknown, name: "a.gz") == nil)
        }
    }

    @Test("The parts of a form are bodies of their own")
    func forms() throws {
        let noise = Array(try randomData(70_000)) + Array("\r\n--xy\r\n".utf8) + Array(try randomData(3_000))
        var form = Array("--xyz\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nA title of a picture\r\n".utf8)
        form += Array(
            "--xyz\r\nContent-Disposition: form-data; filename=\"a\"\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
        form += noise + Array("\r\n--xyz--\r\n".utf8)
        let text = String(String.UnicodeScalarView(form.map { UnicodeScalar($0) }))
        let reason = "POST cdn.example.com was called with these bytes (answer: 200)"
        #expect(try proof(noise, traffic(har("POST", sent: ["text": text]))) == reason)
        #expect(try proof(Array("A title of a picture".utf8), traffic(har("POST", sent: ["text": text]))) == reason)
        let base64: [String: Any] = ["text": Data(form).base64EncodedString(), "encoding": "base64"]
        #expect(try proof(noise, traffic(har("POST", sent: base64))) == reason)
        #expect(try proof(Array("form-data; filename=\"a\"".utf8), traffic(har("POST", sent: ["text": text]))) == nil)
    }

    @Test("A database with a log is not proven re-downloadable: no server has what the log has")
    func logs() throws {
        let traffic = try traffic(har(received: ["text": Self.text]))
        try withEvidence { fixture throws in
            for (name, log) in [("a.db", nil), ("b.db", "frames"), ("c.db", "")] as [(String, String?)] {
                try fixture.write("Documents/\(name)", text: Self.text)
                if let log { try fixture.write("Documents/\(name)-wal", text: log) }
            }
            let proofs = try TrafficProofs(DirectoryTree(fixture.container), in: traffic)
            let proven = ["a.db", "b.db", "c.db"].map { proofs[Array("Documents/\($0)".utf8)] != nil }
            #expect(proven == [true, false, true])
        }
    }

    @Test("A recording that ends early counts up to there, and another file is an error")
    func broken() throws {
        let recording = try har(received: ["text": Self.text])
        var traffic = RecordedTraffic()
        var rest = (Array("{\"log\":{\"entries\":[".utf8) + recording.dropFirst(0).prefix(0))[...]
        let entry = String(decoding: recording, as: UTF8.self).firstMatch(of: /"entries":\[(\{.*\})\]/)
        rest += Array(try #require(entry).1.utf8) + Array(",{\"request\":{\"meth".utf8)
        var stream = JSONStream { buffer in
            let next = rest.prefix(buffer.count)
            rest = rest.dropFirst(next.count)
            buffer.copyBytes(from: next)
            return next.count
        }
        #expect(throws: RecordedTraffic.Failure.json(.ended)) { try traffic.add(har: &stream) }
        #expect(traffic.entries == 1 && !traffic.isEmpty)
        for text in ["", "text", "{\"log\": {}}", "[]", "{\"log\": {\"entries\": 3}}"] {
            #expect(throws: RecordedTraffic.Failure.noRecording, "\(text)") { _ = try self.traffic(Array(text.utf8)) }
        }
    }

    /// Returns the text of a HAR file with some bodies, which differ in their lengths by hundreds.
    private func har(bodies count: Int) -> String {
        var text = "{\"log\":{\"entries\":["
        for number in 0..<count {
            text += number == 0 ? "" : ","
            text += "{\"request\":{\"method\":\"GET\",\"url\":\"https://a.example\"},\"response\":"
            text += "{\"status\":200,\"content\":{\"text\":\"\(body(number))\"}}}"
        }
        return text + "]}}"
    }

    private func body(_ number: Int) -> String {
        "the body with the number \(number)" + String(repeating: ".", count: number % 20)
    }

    @Test("Of more bodies than the limit, those whose lengths files have are all compared", .needs(.externalProgram))
    func limit() throws {
        let count = 2_000 + 1_003
        let recording = har(bodies: count)
        try withEvidence { fixture throws in
            let last = (count - 20..<count).map(body)
            for (number, text) in last.enumerated() where number % 7 == 0 {
                try fixture.write("Documents/\(number)", text: text)
            }
            try withScratch { folder throws in
                try Data(recording.utf8).write(to: folder.appending(path: "a.har"))
                try Data(last[1].utf8).write(to: folder.appending(path: "packed"))
                try Command.setUp("gzip", ["packed"], in: folder)
                try fixture.write("Documents/packed.gz", try Data(contentsOf: folder.appending(path: "packed.gz")))
                var traffic = RecordedTraffic(mostBodies: 2_000)
                try traffic.add(har: Folder(opening: FilePath(folder.path)).open("a.har"))
                #expect(traffic.entries == count && traffic.dropped == 1_003)
                let proofs = try TrafficProofs(DirectoryTree(fixture.container), in: traffic)
                let proven = ["0", "7", "14", "packed.gz"].map { proofs[Array("Documents/\($0)".utf8)] != nil }
                #expect(proven == [true, true, true, true] && !proofs.isCut)
            }
        }
    }

    @Test("More bodies of the lengths of files than the limit are counted")
    func cut() throws {
        // Nothing of a stream can be read again.
        let traffic = try traffic(
            Array(har(bodies: 2_003).utf8), into: RecordedTraffic(mostBodies: 2_000))
        #expect(traffic.entries == 2_003 && traffic.dropped == 3)
        try withEvidence { fixture throws in
            try withScratch { folder throws in
                let text = har(bodies: 4_000).replacing(".", with: "")
                try Data(text.utf8).write(to: folder.appending(path: "a.har"))
                var traffic = RecordedTraffic(mostBodies: 2_000)
                try traffic.add(har: Folder(opening: FilePath(folder.path)).open("a.har"))
                try fixture.write("Documents/a", text: "the body with the number 9999")
                #expect(try TrafficProofs(DirectoryTree(fixture.container), in: traffic).isCut)
            }
        }
    }

    @Test("Proof decides the class, the account, the rules and the safety of a fix alike")
    func agreement() throws {
        let upload = "words that somebody wrote, and that the app sent to its server"
        let traffic = try traffic(
            har(received: ["text": Self.text]), har("PUT", "https://api.example.com/x", sent: ["text": upload]))
        try withEvidence { fixture throws in
            try fixture.write("Documents/packs/europe.bin", text: Self.text)
            try fixture.write("Documents/notes/1.bin", text: upload)
            let linter = try Linter().comparing(with: traffic)
            let report = try linter.lint(fixture.container)
            let finding = try #require(report.findings.first { $0.rule.id == "regenerable-in-documents" })
            #expect(finding.displayPath == "Documents/packs/europe.bin" && finding.fixSafety == .safe)
            let reason = "GET cdn.example.com answered 200 with these bytes"
            #expect(finding.evidence.contains { $0.kind == "traffic" && $0.value == reason })
            let others = report.findings.filter {
                $0.displayPath.hasPrefix("Documents/notes") && $0.rule.id != "mtime-in-future"
            }
            #expect(others.isEmpty)
            let classes = try linter.classes(in: fixture.container)
            for (path, itemClass) in [
                ("Documents/packs/europe.bin", ItemClass.regenerable), ("Documents/notes/1.bin", .userData),
            ] {
                let explained = try #require(try linter.explain(path, in: fixture.container)).itemVerdict
                #expect(explained.itemClass == itemClass && explained.isProven)
                #expect(classes[Array(path.utf8)]?.phrase == explained.phrase)
            }
            let before = try Linter().lint(fixture.container)
            #expect(!before.findings.contains { $0.rule.id == "regenerable-in-documents" })
            #expect(report.inputs[0].undecidedBytes < before.inputs[0].undecidedBytes)
        }
    }
}
