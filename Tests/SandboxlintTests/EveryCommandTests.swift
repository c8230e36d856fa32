import Foundation
import TestSupport
import Testing
import ToolSupport

/// Runs every command of the three tools on a container whose names, keys and attributes are secrets and control a terminal.
@Suite("Every command of every tool", .needs(.externalProgram), .timeLimit(.minutes(60))) struct EveryCommandTests {
    /// Secrets that were never valid. The password is one only by its name.
    private static let token = "ghp_q7Zk2Xv9LpR4tW8sYb3Nq7Zk2Xv9LpR4tW8s"
    private static let password = "Zk3mT9qLx7Pw2Rv8Yn4B"
    private static let hook = "https://hooks.slack.com/services/T0ABCDEFG/B0HJKLMNP/q8Zr2Lk9Xw4Vb7NmPz6Tc1Hd"
    /// A title of the window, a clearing of the screen, a reversed order of letters, and a command of GitHub's runner.
    private static let hostile = "h\u{1b}]0;pwned\u{7}\u{1b}[2J\u{202e}\n::error::x"

    /// The arguments of each command, by its words. `c` is the container, `r` a repository with two snapshots, `b` a device
    /// backup, `j.json` and `k.json` are reports, `base` is a baseline, `d.sqlite` the database, `k.archive` a keyed archive.
    private static let runs: [String: [[String]]] = [
        "sandboxlint lint": [
            "text", "json", "sarif", "gitlab", "html", "markdown", "csv", "github", "junit", "checkstyle", "compact",
        ].map { ["c", "--isolated", "-v", "--format", $0] } + [
            ["b", "--isolated"], ["c", "--isolated", "--statistics"],
            ["e", "--isolated", "--compare", "j.json"],
            ["c", "--isolated", "--compare", "k.json", "--format", "markdown"],
        ],
        "sandboxlint baseline write": [["c", "--baseline", "base2"]],
        "sandboxlint baseline update": [["c", "--baseline", "base"]],
        "sandboxlint baseline prune": [["c", "--baseline", "base"]],
        "sandboxlint baseline report": [
            ["--baseline", "base"], ["--baseline", "base", "--format", "json"], ["c", "--baseline", "base"],
            ["c", "--baseline", "base", "--format", "json"],
        ],
        "sandboxlint suppress": [["c", "secret-in-backed-up-file:Documents/named.json", "--reason", token]],
        "sandboxlint baseline diff": [["c", "--baseline", "base"], ["c", "--baseline", "base", "--format", "json"]],
        "sandboxlint diff": [
            ["c", "e"], ["c", "e", "--format", "json"], ["c", "e", "--format", "html"], ["j.json", "k.json"],
            ["j.json", "e", "--format", "markdown"], ["k.json", "c", "--all"],
        ],
        "sandboxlint trend": [
            ["j.json", "k.json"], ["j.json", "k.json", "--format", "json"],
            ["j.json", "k.json", "--format", "html", "--badge", "badge.svg"],
        ],
        "sandboxlint merge": [["j.json", "k.json"], ["j.json", "k.json", "--format", "json"]],
        "sandboxlint fix": [["c", "--diff"], ["c", "--diff", "--format", "json"], ["c", "--diff", "--unsafe"]],
        "sandboxlint undo": [["c"]],
        "sandboxlint explain": [
            ["c", "Documents/named.json"], ["c", "Documents/named.json", "--format", "json"],
            ["c", "Documents/i.jpg", "-v"],
            ["c", "Documents"], ["secret-in-backed-up-file"],
        ],
        "sandboxlint rules list": [[]], "sandboxlint rules test": [["stale-tmp"]],
        "sandboxlint rules new": [
            ["own", "--from", "c", "Documents/named.json"], ["other", "--from", "c", "Documents/\(token)/f"],
        ], "sandboxlint rules docs": [["docs"]],
        "sandboxlint rules schema": [[]], "sandboxlint config show": [["c"], ["c", "Documents/named.json"]],
        "sandboxlint init": [
            ["c"], ["c", "--questions", "--source-root", "app"], ["c", "--questions", "--format", "json"],
            ["c", "--ask"],
        ],
        "sandboxlint layout": [["c", "--anonymize"]],
        "sandboxlint demo": [["demo"]],
        "sandboxlint inputs": [["c", "b"], ["c", "b", "--format", "json"]],
        "sandboxlint written-by": [
            ["c", "Documents/named.json", "Documents/i.jpg", "--source-root", "app"],
            ["c", "Documents/named.json", "--source-root", "app", "--format", "json"],
        ],
        "sandboxbackup plan": [
            ["c"], ["c", "--format", "json"], ["c", "--format", "jsonl"], ["c", "--format", "html"],
            ["c", "--explain", "Documents"],
        ],
        "sandboxbackup create": [["c", "--repository", "r"], ["c", "--repository", "r", "--format", "json"]],
        "sandboxbackup snapshots": [["--repository", "r"], ["--repository", "r", "--format", "json"]],
        "sandboxbackup ls": [["latest", "--repository", "r"], ["latest", "--repository", "r", "--format", "json"]],
        "sandboxbackup find": [["*", "--repository", "r"], ["*", "--repository", "r", "--format", "json"]],
        "sandboxbackup history": [["Documents/named.json", "--repository", "r"]],
        // A dump is the content itself.
        "sandboxbackup dump": [["latest", "Documents/none", "--repository", "r"]],
        "sandboxbackup diff": [["1", "2", "--repository", "r"], ["1", "2", "--repository", "r", "--format", "json"]],
        "sandboxbackup stats": [["--repository", "r"]],
        "sandboxbackup verify": [["--repository", "r"], ["--repository", "r", "--format", "json"]],
        "sandboxbackup repair": [["--repository", "r"], ["--rebuild", "--repository", "r", "--format", "json"]],
        "sandboxbackup restore": [["latest", "--repository", "r", "--to", "restored"]],
        "sandboxbackup copy": [["--from", "r", "--repository", "r2"]],
        "sandboxbackup tag": [["latest", "--add", token, "--repository", "r"]],
        "sandboxbackup rewrite": [["--all", "--exclude", "*", "--repository", "r", "--dry-run"]],
        "sandboxbackup forget": [["--keep-last", "1", "--repository", "r", "--dry-run"]],
        "sandboxbackup prune": [["--repository", "r"]],
        "sandboxbackup export": [
            ["latest", "--repository", "r", "--to", "exported", "--bundle-id", "com.example.app"]
        ],
        "sandboxbackup import": [["b", "--repository", "r3"], ["b", "--list"]],
        "sandboxfm ls": [["c", "**"], ["c", "**", "--json"]], "sandboxfm tree": [["c"], ["c", "--json"]],
        "sandboxfm du": [["c", "**"], ["c", "--json"], ["c", "--ncdu"]], "sandboxfm cat": [["c", "Documents"]],
        "sandboxfm ncdu": [["x.ncdu"], ["x.ncdu", "--json"], ["x.ncdu", token]],
        "sandboxfm find": [["c", "kind:file"], ["c", "finding", "--class", "--json"], ["c", token]],
        // As for `preview`, the items are those of the scene.
        "sandboxfm search": [
            [
                "c", "e", "Documents/named.json", "Documents/k.archive", "Documents/d.sqlite",
                "Library/Preferences/com.example.app.plist",
            ],
            [
                "c", "e", "Documents/named.json", "Documents/k.archive", "Documents/d.sqlite",
                "Library/Preferences/com.example.app.plist",
                "--json",
            ],
            ["c", password], ["c", token, "--json"], ["c", "password", "--keys"], ["c", "::error"],
        ],
        "sandboxfm info": [
            ["c", "Documents/named.json", "--source-root", "app"],
            ["c", "Documents/i.jpg", "--source-root", "app", "--json"], ["c", "Documents/link"],
        ],
        // Texts in which only a person sees a secret are shown, as by `cat`; so the items are those of the scene.
        "sandboxfm preview": [
            ["c", "Documents/named.json", "Documents/\(token).json", "Documents/\(token)", "Documents/log.log"],
            ["c", "Documents/k.archive", "Documents/d.sqlite", "Library/Preferences/com.example.app.plist", "--json"],
            ["c", "Documents/link", "Documents/other", "Documents/i.jpg"],
        ],
        "sandboxfm path": [["c", "Documents/**", "--json"]], "sandboxfm url": [["c", "Documents/i.jpg"]],
        "sandboxfm new": [["n/\(token)", "--bundle-id", "com.example.app"]],
        "sandboxfm mkdir": [["c", "Documents/d-\(token)", "--dry-run"]],
        "sandboxfm put": [["c", "j.json", "Documents/p-\(token)", "--dry-run"]],
        "sandboxfm get": [["c", "Documents/*.json", "got-\(token)", "--dry-run"]],
        "sandboxfm cp": [["c", "Documents/*.json", "tmp", "--dry-run"]],
        "sandboxfm mv": [["c", "Documents/*.json", "tmp", "--dry-run"]],
        "sandboxfm rename": [["c", "Documents/*.json", "*-#", "--dry-run"]],
        "sandboxfm rm": [["c", "Documents/**", "--dry-run"], ["c", "Documents/**", "--dry-run", "--json"]],
        "sandboxfm undo": [["c"], ["c", "--list"], ["c", "--list", "--json"], ["c", "--empty", "--dry-run"]],
        "sandboxfm exclude": [["c", "Documents/*", "--dry-run"]],
        "sandboxfm include": [["c", "Documents/*", "--dry-run"]],
        "sandboxfm prefs list": [
            ["c", "--bundle-id", "com.example.app"], ["c", "--bundle-id", "com.example.app", "--json"],
        ],
        "sandboxfm prefs get": [
            ["c", "password", "--bundle-id", "com.example.app"],
            ["c", "password", "--bundle-id", "com.example.app", "--json"],
            ["c", "nested", "--bundle-id", "com.example.app", "--json"],
        ],
        "sandboxfm prefs set": [["c", "x", "1", "--bundle-id", "com.example.app", "--dry-run"]],
        "sandboxfm prefs delete": [["c", "password", "--bundle-id", "com.example.app", "--dry-run"]],
        // The editor is `true`.
        "sandboxfm prefs edit": [["c", "--bundle-id", "com.example.app"]],
        "sandboxfm archive diff": [
            ["c", "Documents/k.archive", "Library/Preferences/com.example.app.plist"],
            ["c", "Library/Preferences/com.example.app.plist", "Documents/k.archive", "--json"],
        ],
        "sandboxfm db query": [
            ["c", "Documents/d.sqlite", "SELECT password AS p, note FROM account"],
            ["c", "Documents/d.sqlite", "SELECT substr(password, 1) FROM account", "--json"],
            ["c", "Documents/d.sqlite", "SELECT password || '' AS x, note FROM account", "--csv"],
        ],
        "sandboxfm db export": [
            ["c", "Documents/d.sqlite", "account", "--to", "-"],
            ["c", "Documents/d.sqlite", "--to", "-", "--format", "json"],
            ["c", "Documents/d.sqlite", "--to", "tables", "--dry-run"],
        ],
        "sandboxfm archive show": [["c", "Documents/k.archive"], ["c", "Documents/k.archive", "--json"]],
        "sandboxfm db tables": [["c", "Documents/d.sqlite"], ["c", "Documents/d.sqlite", "--json"]],
        "sandboxfm db schema": [["c", "Documents/d.sqlite"], ["c", "Documents/d.sqlite", "--json"]],
        "sandboxfm db rows": [
            ["c", "Documents/d.sqlite", "account"], ["c", "Documents/d.sqlite", "account", "--json"],
            ["c", "Documents/d.sqlite", token],
        ],
        "sandboxfm purge": [["c", "--dry-run"]], "sandboxfm update": [["c", "--dry-run"]],
        "sandboxfm diff": [
            ["c", "e"], ["c", "e", "--json"], ["c", "e", "--class", "--content"], ["c", "r"],
            ["r", "e", "--class", "--json"],
        ],
        "sandboxfm restore": [["c", "n2", "--dry-run"]], "sandboxfm state": [["c"]],
        // Needs a terminal; its pages are tested as a model.
        "sandboxfm browse": [["c"]],
    ]

    /// A program that writes a container with random values of a hundred kinds of credentials. Not part of this repository.
    private static let program = DocumentationPage.root.appending(path: "../shared/tools/tokens.py").standardized.path

    @Test("prints no secret and nothing that controls a terminal", arguments: TestedTool.allCases)
    func silent(tool: TestedTool) throws {
        try withScene { folder throws in
            try checkOutput(of: tool, in: folder, secrets: [Self.token, Self.password, "q8Zr2Lk9Xw4Vb7NmPz6Tc1Hd"])
        }
    }

    @Test(
        "prints none of a thousand credentials that others made",
        .enabled(if: FileManager.default.fileExists(atPath: program)),
        arguments: TestedTool.allCases)
    func others(tool: TestedTool) throws {
        try withScratch { other throws in
            try Command.setUp("python3", [Self.program, "t"], in: other)
            let known = try JSONSerialization.jsonObject(with: Data(contentsOf: other.appending(path: "t.json")))
            let values = try #require(known as? [String: Any]).keys.map { "\($0)" }
            #expect(values.count > 1000)
            try withScene(and: other.appending(path: "t").path) { folder throws in
                try checkOutput(of: tool, in: folder, secrets: values)
            }
        }
    }

    /// Runs every command of a tool in a scene.
    private func checkOutput(of tool: TestedTool, in folder: URL, secrets: [String]) throws {
        for words in tool.commands {
            let name = ([tool.rawValue] + words).joined(separator: " ")
            let runs = try #require(Self.runs[name], "the command is not in the table")
            for arguments in runs {
                let run = try tool.run(
                    words + arguments, in: folder, environment: ["VISUAL": "", "EDITOR": "true"])
                let text = String(decoding: run.output, as: UTF8.self) + run.errors
                #expect(run.code != 4, "\(name) \(arguments): \(run.errors)")
                // A command that is called in a wrong way prints nothing of the container.
                #expect(!run.errors.contains("Usage: "), "\(name) \(arguments): \(run.errors)")
                // Swift's search takes seconds for a thousand secrets.
                let line = text.replacingOccurrences(of: "\0", with: "\n")
                #expect(secrets.filter { strstr(line, $0) != nil } == [], "\(name) \(arguments)")
                for sign in ["\u{1b}", "\u{7}", "\u{202e}", "\n::error::x"] {
                    #expect(!text.contains(sign), "\(name) \(arguments)")
                }
            }
        }
    }

    @Test("shows secrets if asked to")
    func asked() throws {
        try withScene { folder throws in
            for arguments in [
                ["prefs", "list", "c", "--bundle-id", "com.example.app"],
                ["prefs", "get", "c", "password", "--bundle-id", "com.example.app"],
                ["archive", "show", "c", "Documents/k.archive"],
                ["db", "rows", "c", "Documents/d.sqlite", "account"],
                ["db", "query", "c", "Documents/d.sqlite", "SELECT password AS p FROM account"],
                ["preview", "c", "Documents/*", "Library/Preferences/com.example.app.plist"],
            ] {
                for further in [[], ["--json"]] {
                    let run = try sandboxfm(arguments + further + ["--show-secrets"], in: folder)
                    #expect(run.code == 0 && run.text.contains(Self.password), "\(arguments): \(run.text)\(run.errors)")
                    #expect(try !sandboxfm(arguments + further, in: folder).text.contains(Self.password))
                }
            }
        }
    }

    /// Creates the container, with the files of another one, and what the commands read.
    private func withScene(and other: String? = nil, _ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            let script = """
                import json, os, plistlib, sqlite3, sys
                token, password, hook, hostile = sys.argv[1:]
                for folder in ['Documents', 'Library/Preferences', 'Library/Caches', 'tmp', 'Documents/' + token]:
                    os.makedirs('c/' + folder)
                def put(path, content):
                    with open('c/' + path, 'wb') as file: file.write(content if isinstance(content, bytes) else content.encode())
                put('Documents/named.json', json.dumps({token: {'password': password, hostile: token}, 'url': hook}))
                put('Documents/' + token + '.json', json.dumps({'password': password}))
                put('Documents/' + token + '/f', 'x'); put('Documents/' + hostile.replace('/', '-'), 'x')
                put('Documents/log.log', 'Authorization: Bearer ' + token)
                os.symlink(token, 'c/Documents/link'); os.symlink(hostile, 'c/Documents/other')
                put('Documents/i.jpg', os.urandom(3000))
                for name, value in [('appcontainer.provenance', token), ('xdg.origin.url', hook), (token, 'x')]:
                    if sys.platform == "linux": os.setxattr('c/Documents/i.jpg', 'user.' + name, value.encode())
                plist = {'password': password, 'nested': {'token': password, token: 'x'}, hostile: hostile, 'x': token}
                put('Library/Preferences/com.example.app.plist', plistlib.dumps(plist, fmt=plistlib.FMT_BINARY))
                uid = plistlib.UID
                put('Documents/k.archive', plistlib.dumps({'$archiver': 'NSKeyedArchiver', '$version': 100000,
                    '$top': {'root': uid(1)}, '$objects': ['$null', {'$class': uid(3), 'password': uid(2), token: uid(2)},
                    password, {'$classname': hostile, '$classes': [hostile, 'NSObject']}]}, fmt=plistlib.FMT_BINARY))
                with open('x.ncdu', 'w') as file: json.dump([1, 2, {}, [{'name': token}, {'name': hostile, 'asize': 3},
                    [{'name': token, 'read_error': True}, {'name': token, 'excluded': hostile}]]], file)
                store = sqlite3.connect('c/Documents/d.sqlite')
                store.execute('create table account(password text, note text)')
                store.execute('insert into account values(?, ?)', (password, hostile))
                for name in [token, hostile]:
                    store.execute('create table "%s"(password text)' % name)
                    store.execute('insert into "%s" values(?)' % name, (password,))
                store.commit(); store.close()
                """
            try Command.setUp(
                "python3", ["-c", script, Self.token, Self.password, Self.hook, Self.hostile], in: folder)
            // The line that writes a file has a secret.
            try folder.write(
                "let \(Self.hostile.prefix(1)) = data.write(to: url.appendingPathComponent(\"named.json\")) // \(Self.token)\u{1b}]0;x\u{7}\n",
                to: "app/A.swift")
            if let other { try Command.setUp("cp", ["-a", "\(other)/.", "c"], in: folder) }
            try Command.setUp("cp", ["-a", "c", "e"], in: folder)
            try Data("new".utf8).write(to: folder.appending(path: "e/Documents/\(Self.token).txt"))
            for (name, container) in [("j", "c"), ("k", "e")] {
                let run = try sandboxlint(
                    ["lint", container, "--isolated", "--output", "json=\(name).json"], in: folder)
                #expect(run.code < 2, "\(run.errors)")
            }
            #expect(
                try sandboxlint(["baseline", "write", "e", "--baseline", "base", "--isolated"], in: folder).code == 0)
            for container in ["c", "e"] {
                let run = try sandboxbackup(
                    ["create", container, "--repository", "r", "--bundle-id", "com.example.app", "-q"], in: folder)
                #expect(run.code == 0 || run.code == 3, "\(run.errors)")
            }
            let exported = try sandboxbackup(
                ["export", "latest", "--repository", "r", "--to", "b0", "--bundle-id", "com.example.app", "-q"],
                in: folder)
            #expect(exported.code == 0 || exported.code == 3, "\(exported.errors)")
            // The domain of some rows is hostile.
            let rename = """
                import glob, os, sqlite3, sys
                path = glob.glob('b0/**/Manifest.db', recursive=True)[0]
                store = sqlite3.connect(path)
                store.execute("update Files set domain = domain || ? where relativePath like '%.json'", (sys.argv[1],))
                store.commit(); store.close(); os.rename(os.path.dirname(path), 'b')
                """
            try Command.setUp("python3", ["-c", rename, Self.hostile.replacing("/", with: "-")], in: folder)
            try body(folder)
        }
    }
}
