import Foundation
@testable import PolicyTexts
import TestSupport
import Testing

@Suite("Inflate") struct InflateTests {
    private func decoded(_ bytes: [UInt8], limit: UInt64 = .max) -> [UInt8]? {
        var (rest, result) = (bytes[...], [UInt8]())
        let isWhole = Inflate.decode(limit: limit) { count in
            let next = Array(rest.prefix(min(count, 1_000)))
            rest = rest.dropFirst(next.count)
            return next
        } writing: {
            result += $0
        }
        return isWhole ? result : nil
    }

    /// Content with long repetitions, short ones at a distance, and noise.
    private func content() throws -> [UInt8] {
        let noise = Array(try randomData(50_000))
        return [UInt8](repeating: 7, count: 100_000) + noise
            + Array(String(repeating: "line of text\n", count: 5_000).utf8)
            + noise[..<20_000]
    }

    @Test("A short text, which zlib writes with the fixed codes, is decoded", .needs(.externalProgram))
    func fixedCodes() throws {
        let code = """
            import sys, zlib
            bytes = zlib.compress(b"tick tock tick tock", 9)
            assert bytes[2] >> 1 & 3 == 1
            sys.stdout.buffer.write(bytes)
            """
        let run = try Command("python3", ["-c", code])
        #expect(run.code == 0 && decoded(Array(run.output)) == Array("tick tock tick tock".utf8), "\(run.errors)")
    }

    @Test(
        "Content of zlib is decoded, at each level, as gzip and as zlib", .needs(.externalProgram),
        arguments: [0, 1, 6, 9])
    func zlib(level: Int) throws {
        try withScratch { folder throws in
            let content = try content()
            try Data(content).write(to: folder.appending(path: "content"))
            let code = """
                import gzip, io, zlib
                content = open("content", "rb").read()
                open("zlib", "wb").write(zlib.compress(content, \(level)))
                with gzip.GzipFile("a name", "wb", \(level), open("gzip", "wb")) as file: file.write(content)
                """
            try Command.setUp("python3", ["-c", code], in: folder)
            for name in ["zlib", "gzip"] {
                let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
                #expect(Inflate.isCompressed(bytes))
                #expect(decoded(bytes) == content, "\(name)")
                #expect(decoded(bytes, limit: UInt64(content.count) - 1) == nil)
                #expect(decoded(Array(bytes.prefix(bytes.count / 2))) == nil)
            }
        }
    }

    @Test("Random bytes after a header end in an error or in content, in bounded time", .timeLimit(.minutes(60)))
    func noise() throws {
        for _ in 0..<500 {
            let bytes = [0x78, 0x9c] + Array(try randomData(200))
            if let result = decoded(bytes, limit: 1 << 16) { #expect(result.count <= 1 << 16) }
        }
        #expect(!Inflate.isCompressed([0x78, 0x9d, 0]) && !Inflate.isCompressed([0x1f, 0x8b]))
    }
}
