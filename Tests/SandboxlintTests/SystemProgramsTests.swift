import Foundation
import TestSupport
import Testing

@Suite("Programs of one system in tests") struct SystemProgramsTests {
    /// A file of tests, by its path in the repository.
    private struct Source {
        let path: String
        /// The code, without lines that are comments.
        let code: String

        init(_ path: String, _ text: String) {
            self.path = path
            code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
                .joined(separator: "\n")
        }

        /// True if the code runs the programs of Linux for attributes.
        var readsAttributesDirectly: Bool { code.contains(/\b[gs]etfattr\b/) }

        /// True if a test of the file starts a process, and no suite or test of it states a need.
        var lacksNeeds: Bool {
            code.contains("@Test") && code.contains(/\bProcess\(\)|\bCommand\(|\bCommand\.setUp\(/)
                && !code.contains(".needs(")
        }

        /// True if a test uses a program or file that only Linux has, without a condition.
        ///
        /// The condition is in the suite, in the test, or, for functions that tests call, anywhere in the file.
        var needsCondition: Bool {
            let parts = code.components(separatedBy: "@Test")
            if parts[0].contains(/@Suite\(.*\.enabled\(\s*if: Platform\.isLinux/.dotMatchesNewlines()) { return false }
            return parts.enumerated().contains { number, part in
                Self.isLinuxOnly(part) && !Self.isConditional(number == 0 ? code : part)
            }
        }

        private static func isLinuxOnly(_ code: String) -> Bool {
            code.contains(/\b(strace|unshare|setpriv|[gs]etfacl|chattr|lsattr|flock)\b|-printf\b|\/dev\/shm|"\/proc\b/)
                || code.contains(/\bos\.(get|set|list)xattr\b|\b(md5|sha1|sha256)sum\b|\btruncate -s|\bdeclare -A\b/)
                || code.contains(
                    /\bstat -c\b|"setsid"|"stat", \["-c|--block-size|"-B1"|\bsed -i |\breadlink -f|--reflink/)
                // The form with a T is that of macOS, too.
                || code.contains(/\btouch (-a )?-d ['"]?(\d{4}-\d\d-\d\d[^T]|\$)|\bdate -d\b|\bxargs -d/)
        }

        /// True if a test creates an item whose name is not UTF-8, without a condition. APFS refuses such names.
        var needsAnyNames: Bool {
            let parts = code.components(separatedBy: "@Test")
            return parts.enumerated().contains { number, part in
                Self.hasOddName(part)
                    && !Self.isConditional(parts[0]) && !Self.isConditional(number == 0 ? code : part)
            }
        }

        private static func hasOddName(_ code: String) -> Bool {
            code.contains(/\\377['")]|\$'[^'\n]*\\xf[ef]|toBytes: .*(0o377|0xff|0xe9)/)
        }

        /// True if Swift code, or Python code in it, asks for the system.
        private static func isConditional(_ code: String) -> Bool {
            code.contains("Platform.isLinux") || code.contains("Platform.allowsAnyNames") || code.contains("canMount")
                || code.contains(#"uname -s"#) || code.contains(#"sys.platform == "linux""#)
        }
    }

    /// The test files of the package and of the examples. `Tests/Support` contains the programs of both systems,
    /// `Tests/PowerCuts` is a tool for Linux, this file spells their names, and one suite compares with them.
    private static let sources = Result {
        let root = DocumentationPage.root
        let examples = try names(in: root.appending(path: "Examples")).map { "Examples/\($0)/Tests" }
        var sources: [Source] = []
        for folder in ["Tests"] + examples {
            guard let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path) else {
                continue
            }
            for case let path as String in paths where path.hasSuffix(".swift") {
                let path = "\(folder)/\(path)"
                let isExempt = ["Tests/Support/", "Tests/PowerCuts/"].contains { path.hasPrefix($0) }
                let names = ["/SystemProgramsTests.swift", "/AttributeToolTests.swift"]
                if isExempt || names.contains(where: path.hasSuffix) { continue }
                sources.append(Source(path, try String(contentsOf: root.appending(path: path), encoding: .utf8)))
            }
        }
        return sources
    }

    @Test("Tests set and read attributes with AttributeTool, not with the programs of one system")
    func attributes() throws {
        let sources = try Self.sources.get()
        #expect(sources.count > 300 && sources.contains { $0.path.hasPrefix("Examples/") })
        let direct = sources.filter(\.readsAttributesDirectly).map(\.path)
        #expect(direct == [])
    }

    @Test("Tests that start processes state their needs")
    func needs() throws {
        let silent = try Self.sources.get().filter(\.lacksNeeds).map(\.path)
        #expect(silent == [])
    }

    @Test("Tests that need a program or file of Linux have a condition")
    func conditions() throws {
        let missing = try Self.sources.get().filter(\.needsCondition).map(\.path)
        #expect(missing == [])
    }

    @Test("Tests with names that are not UTF-8 have a condition")
    func oddNames() throws {
        let missing = try Self.sources.get().filter(\.needsAnyNames).map(\.path)
        #expect(missing == [])
    }

    @Test(
        "A name that is not UTF-8 without a condition is found",
        arguments: [
            ("@Test func a() { Command(#\"touch $'a\\xff'\"#) }", true),
            ("@Test func a() { folder.write(toBytes: [0xff]) }", true),
            ("@Test(.enabled(if: Platform.allowsAnyNames)) func a() { folder.write(toBytes: [0xff]) }", false),
            ("@Test func a() { folder.write(toBytes: Array(name.utf8)) }", false),
        ])
    func oddName(code: String, isFound: Bool) {
        #expect(Source("a.swift", code).needsAnyNames == isFound)
    }

    @Test(
        "A program without a condition is found",
        arguments: [
            (#"@Suite struct A { @Test func a() throws { try Command("strace", []) } }"#, true),
            (
                #"@Suite(.enabled(if: Platform.isLinux)) struct A { @Test func a() throws { try Command("strace", []) } }"#,
                false
            ),
            (
                #"@Test(.enabled(if: Platform.isLinux)) func a() {}; @Test func b() throws { try Command("flock", []) }"#,
                true
            ),
            (#"@Test(.enabled(if: Platform.isLinux)) func a() { FilePath("/dev/shm/a") }; @Test func b() {}"#, false),
            (#"func a() { Command("find", ["-printf"]) }; @Test func b() { a() }"#, true),
            (
                #"func a() { Command("find", ["-printf"]) }; @Test(.enabled(if: Platform.isLinux)) func b() { a() }"#,
                false
            ),
            ("/// Uses strace.\n@Test func a() {}", false),
            (#"@Test func a() { Command("stat -c %s a") }"#, true),
            (#"@Test func a() { Command("touch -d 2020-01-01 a") }"#, true),
            (
                #"@Test func a() { Command("touch -d 2020-01-01T00:00:00Z a; sed -i.old s/a/b/ a; shasum -a 256 a") }"#,
                false
            ),
        ])
    func detection(code: String, isFound: Bool) {
        #expect(Source("a.swift", code.replacing("; ", with: "\n")).needsCondition == isFound)
    }

    @Test("A direct call of setfattr is found, and one of AttributeTool is not")
    func directCall() {
        #expect(
            Source("a.swift", #"try Command("setfattr", ["-n", "user.a", "-v", "x", path])"#).readsAttributesDirectly)
        #expect(Source("a.swift", "let script = \"getfattr -d a\"").readsAttributesDirectly)
        #expect(
            !Source("a.swift", "// As getfattr does.\ntry AttributeTool.attributes(of: path)").readsAttributesDirectly)
    }
}
