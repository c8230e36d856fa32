import Foundation
import TestSupport
import Testing

@Suite("The calls that errors of the libraries name") struct ErrorAdviceTests {
    private static let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized
    private static let libraries = ["AppContainer", "ContainerArchives", "ContainerDatabases", "ContainerPreferences"]

    /// The calls in the string literals of the sources, as `importFile(at:to:)`.
    private static func calls() throws -> Set<String> {
        var calls: Set<String> = []
        for library in libraries {
            let folder = root.appending(path: "Sources/\(library)")
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where name.hasSuffix(".swift")
            {
                let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                for line in text.split(separator: "\n") where !line.contains("///") {
                    for literal in line.matches(of: #/"[^"]*"/#) {
                        for call in literal.output.matches(of: #/\b[a-z][A-Za-z]+\((?:[a-z][A-Za-z]*:)+\)/#) {
                            calls.insert(String(call.output))
                        }
                    }
                }
            }
        }
        return calls
    }

    @Test("are in the list of the public interface")
    func exist() throws {
        let interface = try String(contentsOf: Self.root.appending(path: "docs/api.md"), encoding: .utf8)
        let calls = try Self.calls()
        #expect(calls.contains("importFile(at:to:)"))
        for call in calls where call != "init(coder:)" {
            // Further parameters have defaults.
            #expect(interface.contains(".\(call.dropLast())"), "\(call)")
        }
    }
}
