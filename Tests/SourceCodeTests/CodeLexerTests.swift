import Testing

@testable import SourceCode

@Suite("The lexer of source code") struct CodeLexerTests {
    private func file(_ text: some Sequence<UInt8>, _ name: String) throws -> CodeFile {
        let index = try #require(Array(name.utf8).withUnsafeBytes { CodeLanguage.index(ofFile: $0) })
        let lexer = CodeLexer(CodeLanguage.all[index], meanings: CodeMeaning.Table())
        return Array(text).withUnsafeBytes { lexer.read($0) }
    }

    /// The texts of the literals, with `<>` for each unknown value, and their lines.
    private func literals(_ text: String, _ name: String) throws -> [String] {
        let file = try file(text.utf8, name)
        return file.literals.map { literal in
            let text = String(decoding: file.text(of: literal), as: UTF8.self).replacing("\0", with: "<>")
            return "\(literal.line) \(text)"
        }
    }

    @Test(
        "Strings, raw strings, interpolation, escapes and comments of each language are read",
        arguments: [
            (
                "a.swift",
                """
                import Foundation // "comment"
                let a = "one.json", b = "thumb_\\(id("x", [1])).jpg" /* "no" /* "nested" */ "no" */
                let c = #"raw\\(a).txt"#; let d = ##"two"#\\##(x).db"##
                let e = \"\"\"
                three
                \"\"\"
                let f = "say \\"hi\\".txt", g = "\\u{e9}.png", h = String(format: "%02d-%@.plist", 1, a)
                """,
                [
                    "2 one.json", "2 thumb_<>.jpg", "3 raw\\(a).txt", "3 two\"#<>.db", "7 say \"hi\".txt", "7 é.png",
                    "7 <>-<>.plist",
                ]
            ),
            (
                "a.m",
                """
                #import "Header.h"
                NSString * const kName = @"one.plist"; // @"no"
                char c = '"'; const char *d = "two\\x2edb"; /* "no" */
                [NSString stringWithFormat:@"%@-%ld.jpg", a, b];
                """, ["2 one.plist", "3 two.db", "4 <>-<>.jpg"]
            ),
            ("a.cpp", "auto a = R\"x(one.\"txt)x\"; auto b = \"two.cfg\";\n", ["1 one.\"txt", "1 two.cfg"]),
            (
                "a.dart",
                """
                import 'package:a/b.dart';
                final a = '$name.hive'; final b = "one_${id.map((e) => '}')}.db"; final c = r'two$x';
                final d = 'it\\'s.txt'; /* 'no' */ final e = "three.json";
                """, ["2 <>.hive", "2 one_<>.db", "2 two$x", "3 it's.txt", "3 three.json"]
            ),
            (
                "a.tsx",
                """
                import x from './module';
                const a = `${dir}/one-${id ? `a${b}` : "c"}.json`, r = /["'`]/g, b = 'two.db' // 'no'
                const c = "three.txt"
                """, ["2 one-<>.json", "2 two.db", "3 three.txt"]
            ),
            (
                "a.kt", "import a.b\nval a = \"$dir-one.db\"; val c = '\"'; val b = \"${x(\"}\")}.txt\" // \"no\"\n",
                ["2 <>-one.db", "2 <>.txt"]
            ),
            (
                "a.cs",
                "var a = @\"c:\\one\"\"x.txt\"; var b = $\"two{id}.json\"; var c = string.Format(\"{0}-three.db\", d);\n",
                ["1 c:\\one\"x.txt", "1 two<>.json", "1 <>-three.db"]
            ),
            (
                "a.go", "import \"os\"\nvar a = `one.\"db`; b := fmt.Sprintf(\"two-%d.log\", 'x') // \"no\"\n",
                ["2 one.\"db", "2 two-<>.log"]
            ),
            (
                "a.rs",
                "fn f<'a>(x: &'a str) { let a = r#\"one\".db\"#; let b = format!(\"two-{}.txt\", x); let c = '\"'; }\n",
                ["1 one\".db", "1 two-<>.txt"]
            ),
        ] as [(String, String, [String])])
    func languages(name: String, text: String, expected: [String]) throws {
        #expect(try literals(text, name) == expected)
    }

    @Test(
        "Only a string directly after the word of an import is the name of a module",
        arguments: [
            ("a.ts", "export const a = 'one.svg'\nexport * from './two'\nconst b = require('three')", ["1 one.svg"]),
            ("a.ts", "const a = Array.from(c, d => 'one.svg'); import('./two.js')", ["1 one.svg"]),
            ("a.cs", "using System;\nusing (var s = File.Create(Path.Combine(dir, \"one.svg\"))) { }", ["2 one.svg"]),
            ("a.m", "#import \"Two.h\"\nif (!error) [data writeToFile:[dir add:@\"one.svg\"]];", ["2 one.svg"]),
            ("a.dart", "import 'two.dart';\npart of 'three.dart';\nfinal library = a('one.svg');", ["3 one.svg"]),
            ("a.rs", "extern \"C\" fn a() { b(\"one.svg\") }", ["1 one.svg"]),
        ] as [(String, String, [String])])
    func imports(name: String, text: String, expected: [String]) throws {
        #expect(try literals(text, name) == expected)
    }

    @Test("A constant of the same file stands in a literal for its value, unless it has several")
    func interpolatedConstants() throws {
        #expect(
            try literals(
                """
                static let prefix = "upload_"; let twice = "aa"
                let a = "\\(Self.prefix)\\(id).json", b = "dir/\\(prefix)x/\\(id).db", c = "\\(twice)b.txt"
                func other() { let twice = "cc" }
                """, "a.swift")
                == ["1 upload_", "1 aa", "2 upload_<>.json", "2 dir", "2 upload_x", "2 <>.db", "2 <>b.txt", "3 cc"])
        #expect(
            try literals("const _a = 'contacts.'; final b = '$_a${id}.db', c = '${_a}x$d.json';", "a.dart")
                == ["1 contacts.", "1 contacts.<>.db", "1 contacts.x<>.json"])
    }

    @Test(
        "A constant is bound by its name, also after its type",
        arguments: [
            ("a.dart", "static const String name = 'one.json';"), ("a.dart", "const name = 'one.json';"),
            ("a.dart", "final Map<String, String> name = 'one.json';"), ("a.cs", "const string name = \"one.json\";"),
            ("a.cpp", "const char *name = \"one.json\";"), ("a.m", "static NSString * const name = @\"one.json\";"),
            ("a.swift", "let name: String = \"one.json\""), ("a.go", "const name string = \"one.json\""),
        ])
    func typedConstants(name: String, text: String) throws {
        #expect(try file(text.utf8, name).literals.map(\.binding) == [CodeHash.of("name".utf8)])
    }

    @Test("A pattern needs a letter")
    func letters() throws {
        #expect(try literals("let a = \"\\(b)_\\(c)%\", d = \"\\(b)_x\"", "a.swift") == ["1 <>_x"])
    }

    @Test("A literal with slashes is read as its parts, and an address or prose as none")
    func parts() throws {
        let text =
            #"let a = "/Library/Caches/images/"; let b = "https://example.com/a.json"; let c = "a b c d e f g h""#
        #expect(try literals(text, "a.swift") == ["1 Library", "1 Caches", "1 images"])
    }

    @Test("A literal knows its constant, its function and its label")
    func context() throws {
        let text = """
            enum Files {
                static let cache: String = "cache.json"
            }
            let c = NSPersistentContainer(name: "Model")
            """
        let file = try file(text.utf8, "a.swift")
        let (constant, argument) = (file.literals[0], file.literals[1])
        #expect(constant.binding == CodeHash.of("cache".utf8))
        #expect(constant.member == CodeHash.member(CodeHash.of("cache".utf8), of: CodeHash.of("Files".utf8)))
        #expect(argument.call == CodeHash.of("NSPersistentContainer".utf8))
        #expect(argument.label == CodeHash.of("name".utf8))
    }

    @Test(
        "Text without an end takes no more time than other text, and the next line is read",
        arguments: ["a.swift", "a.m", "a.dart", "a.ts", "a.kt", "a.cs", "a.go", "a.rs"])
    func unterminated(name: String) throws {
        let after = try file("x = \"open\ny = \"after.json\"\n".utf8, name)
        // A string of Rust may contain a line break.
        if name != "a.rs" { #expect(after.literals.map(after.text).contains { $0.elementsEqual("after.json".utf8) }) }
        for text in ["\"\"\"", "`", "R\"a(", "#\"", "/*", "(((", "\"\\(\"\\(", "'${'${", "$\"{", "r#\""] {
            let long = try file(Array(repeating: Array(text.utf8), count: 4_000).joined(), name)
            #expect(long.text.count <= text.utf8.count * 4_000)
        }
    }

    @Test(
        "A function whose name states a purpose is known with its lines",
        arguments: [
            ("a.swift", "func saveMap(_ map: Map) {\n  if true {\n  }\n}\n", 1, 4),
            ("a.swift", "var mapFileURL: URL {\n  base\n}\n", 1, 3),
            ("a.m", "- (void)saveMap:(Map *)map\n{\n  [self a];\n}\n", 1, 4),
            ("a.dart", "Future<void> saveMap(Map map) async {\n  if (a) {\n  }\n}\n", 1, 4),
            ("a.ts", "async saveMap(map) {\n  for (const a of b) {\n  }\n}\n", 1, 4),
            ("a.cs", "public void SaveMap(Map map)\n{\n}\n", 1, 3),
            ("a.kt", "fun saveMap(map: Map) {\n}\n", 1, 2),
            ("a.rs", "fn save_map(map: &Map) {\n}\n", 1, 2),
        ] as [(String, String, UInt32, UInt32)])
    func functions(name: String, text: String, first: UInt32, last: UInt32) throws {
        let functions = try file(("let a = \"a.json\";\n" + text).utf8, name).functions
        #expect(functions.map(\.first) == [first + 1])
        #expect(functions.map(\.last) == [last + 1])
        #expect(functions.first?.purpose.isDisjoint(with: [.writes, .locates]) == false)
    }

    @Test("The first word of a name with a purpose decides, and a place is one besides")
    func purposes() {
        func purpose(_ name: String) -> CodePurpose { Array(name.utf8).withUnsafeBytes { CodePurpose(ofName: $0) } }
        #expect(purpose("exportSavedMap") == .upkeep)
        #expect(purpose("clear_cache") == .upkeep)
        #expect(purpose("createMapDirectory") == [.writes, .locates])
        #expect(purpose("mapURL") == .locates)
        #expect(purpose("viewDidLoad") == .reads)
        #expect(purpose("map") == [])
    }

    @Test("A comparison binds no constant")
    func comparisons() throws {
        let literals = try file("if kind == \"map.json\" { }\nlet a = \"b.json\"\n".utf8, "a.swift").literals
        #expect(literals.map { $0.binding != 0 } == [false, true])
        #expect(literals.map { $0.fate.contains(.compares) } == [true, false])
    }

    @Test("Any bytes are read without an error, invalid UTF-8 too")
    func bytes() throws {
        var generator = SystemRandomNumberGenerator()
        for language in ["a.swift", "a.mm", "a.dart", "a.js", "a.kt", "a.cs", "a.go", "a.rs"] {
            let alphabet = Array("\"'`\\(){}$#R@\n/*% ab".utf8) + [0, 0xff, 0xc3, 0x80]
            let noise = (0..<4_000).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            let file = try file(noise, language)
            for literal in file.literals { #expect(file.text(of: literal).count == Int(literal.length)) }
        }
        #expect(try file([0x22, 0xff, 0xfe, 0x61, 0x22], "a.swift").literals.count == 1)
    }
}
