import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// The same inputs in the three tools: the containers that they find, the items in them, and their messages.
@Suite("One opening of inputs in three tools", .timeLimit(.minutes(60)), .needs(.externalProgram))
struct OneOpeningTests {
    /// A form in which the container `app` of a scene is an input.
    enum Form: String, CaseIterable {
        case directory, package, macOSContainer, simulatedDevice, zip, tar, backup

        /// True if the tools read a copy.
        var isCopy: Bool { [.zip, .tar, .backup].contains(self) }
        /// True if the input has every item of the container.
        var isComplete: Bool { ![.zip, .backup].contains(self) }

        /// Creates the input, and returns its path.
        func make(in scene: InputScene) throws -> String {
            switch self {
            case .directory: return "app"
            case .package:
                try scene.shell("mkdir App.xcappdata; cp -a app App.xcappdata/AppData")
                return "App.xcappdata"
            case .macOSContainer:
                try scene.shell("mkdir com.example.reader; cp -a app com.example.reader/Data")
                return "com.example.reader"
            case .simulatedDevice:
                try scene.shell(
                    "mkdir -p SIM/data/Containers/Data/Application; cp -a app SIM/data/Containers/Data/Application/U1")
                return "SIM"
            case .zip:
                try scene.shell("python3 $MAKE ditto-folder app.zip app")
                return "app.zip"
            case .tar:
                try scene.shell("tar --xattrs -czf app.tar.gz app")
                return "app.tar.gz"
            case .backup: return try scene.backUp()
            }
        }
    }

    /// Returns the paths of the items that `sandboxbackup plan` lists.
    private static func planned(_ input: String, in scene: InputScene) throws -> Set<String> {
        let run = try sandboxbackup(
            ["plan", input, "--format", "jsonl"], in: scene.folder, environment: scene.environment)
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
        return try Set(
            run.text.split(separator: "\n").compactMap { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return object?["path"] as? String
            }
        ).subtracting(["", "."])
    }

    /// Returns the paths of the items that a command of `sandboxfm` lists.
    private static func listed(_ words: [String], in scene: InputScene) throws -> Set<String> {
        let run = try sandboxfm(words + ["--json"], in: scene.folder, environment: scene.environment)
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
        let object = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
        let items = try #require(object?["items"] as? [[String: Any]])
        return Set(items.compactMap { $0["path"] as? String }).subtracting(["", "."])
    }

    @Test("The three tools find the same container in every form, and list the same items", arguments: Form.allCases)
    func items(form: Form) throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            let (plan, tree) = (try Self.planned("app", in: scene), try Self.listed(["tree", "app"], in: scene))
            let input = try form.make(in: scene)
            let found = try scene.containers(input)
            #expect(found.map { $0[2] } == ["data"] && found.map { $0[0] } == ["com.example.reader"], "\(found)")
            let ownPlan = try Self.planned(input, in: scene)
            let ownTree = try Self.listed(["tree", input], in: scene)
            #expect(ownPlan.isSubset(of: ownTree) && ownTree.isSuperset(of: ["Documents/images/a.jpg"]))
            if form.isComplete {
                #expect(ownPlan == plan && ownTree == tree)
            } else {
                #expect(ownPlan.isSubset(of: plan) && ownTree.isSubset(of: tree))
            }
            let documents = try Self.listed(["ls", input, "Documents"], in: scene)
            #expect(documents == ["Documents/broken.json", "Documents/images"], "\(documents)")
            let content = try sandboxfm(
                "cat", input, "Documents/broken.json", in: scene.folder, environment: scene.environment)
            #expect(content.text == "{", "\(content.errors)")
            let copied = try sandboxfm(
                "get", input, "Documents/broken.json", "copy", in: scene.folder, environment: scene.environment)
            #expect(copied.code == 0, "\(copied.errors)")
            #expect(try String(contentsOf: scene.folder.appending(path: "copy"), encoding: .utf8) == "{")
            let stored = try sandboxbackup(
                "create", input, "--repository", "r", in: scene.folder, environment: scene.environment)
            #expect(stored.code == 0, "\(stored.errors)")
            #expect(try scene.leftovers == [])
        }
    }

    @Test("What needs a directory refuses a copy as an error of usage, before it extracts it", arguments: Form.allCases)
    func places(form: Form) throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            let input = try form.make(in: scene)
            func sandboxfm(_ words: String...) throws -> Command {
                try ToolSupport.sandboxfm(words, in: scene.folder, environment: scene.environment)
            }
            let path = try sandboxfm("path", input, "Documents/broken.json")
            let made = try sandboxfm("mkdir", input, "Documents/new")
            let list = try sandboxbackup("plan", input, "--for", "tar", in: scene.folder)
            guard form.isCopy else {
                #expect(path.code == 0 && made.code == 0 && list.code == 0, "\(path.errors)\(made.errors)")
                let file = path.text.trimmingCharacters(in: .newlines)
                #expect(FileManager.default.fileExists(atPath: file), "\(file)")
                #expect(try sandboxfm("path", input, "Documents/*", "--null").text.contains("/Documents/new"))
                return
            }
            let engine = try sandboxbackup(
                "create", input, "--engine", "restic", "--repository", "r", in: scene.folder)
            for (run, reason) in [
                (path, "only items of a directory have a path"), (made, "only a directory can be changed"),
                (list, "--for lists paths of a directory"), (engine, "--engine stores the files of a directory"),
            ] {
                let form = form == .backup ? "a device backup" : "not a directory"
                let message = "\(reason), and “\(input)” is \(form). Extract the container, and specify its directory."
                #expect(run.code == 2 && run.errors.contains(message) && run.text.isEmpty, "\(run.errors)")
            }
            #expect(try scene.leftovers == [])
        }
    }

    /// Returns the sentence that the tools print for an input, and checks that it is the same one.
    private func message(_ words: [String], lint: Int32? = 3, in scene: InputScene) throws -> String {
        let repository = ["--repository", "r"]
        var runs = [
            try sandboxbackup(["plan"] + words, in: scene.folder),
            try sandboxfm(["tree"] + words, in: scene.folder), try sandboxfm(words, in: scene.folder),
        ]
        if lint != nil {
            runs.append(try sandboxbackup(["create"] + words + repository, in: scene.folder))
            let inputs = try sandboxlint(["inputs"] + words, in: scene.folder)
            #expect(inputs.code == lint, "\(inputs.errors)")
            runs.append(inputs)
            runs.append(try sandboxlint(["lint"] + words, in: scene.folder))
        }
        let messages = Set(
            runs.map { run in String(run.errors.drop { $0 != ":" }.dropFirst(2)) })
        #expect(runs.allSatisfy { $0.code == lint || $0.code == 1 } && messages.count == 1, "\(messages)")
        #expect(runs.allSatisfy { $0.errors.hasPrefix("sandbox") && $0.errors.filter { $0 == "\n" }.count == 1 })
        return messages.first ?? ""
    }

    @Test("An input without the container is the same sentence in each tool")
    func failures() throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            let backup = try scene.backUp()
            try scene.shell(
                "tar --xattrs -cf app.tar app; mkdir other; : > other/README.md; echo text > text; mkdir empty")
            for (words, beginning) in [
                (["./missing"], "cannot open the directory “./missing”: No such file or directory. Check the path."),
                (["./text"], "“./text” is neither a directory nor an archive. Specify the directory"),
                (["empty"], "“empty” is not an app container: it is empty. Use the directory"),
                (["other"], "“other” is not an app container: it holds none of Documents, Library"),
                (["app/Documents"], "“app/Documents” is not an app container, but is in one. Specify “"),
                (
                    ["app", "--bundle-id", "net.none"],
                    "“app” has no container of “net.none”. It has containers of com.example.reader."
                ),
                (
                    ["app.tar", "--bundle-id", "net.none"],
                    "“app.tar” has no container of “net.none”. It has containers of com.example.reader."
                ),
                (
                    [backup, "--bundle-id", "net.none"],
                    "“\(backup)” has no container of “net.none”. It has containers of com.example.reader."
                ),
            ] {
                let message = try message(words, in: scene)
                #expect(message.hasPrefix(beginning), "\(message)")
            }
        }
    }

    @Test("Several containers are listed by commands that take one, and --bundle-id selects one of them")
    func several() throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            try scene.make("notes", "org.example.notes")
            _ = try scene.backUp()
            _ = try scene.backUp("notes", as: "UDID2")
            try scene.shell(
                """
                mkdir all; cp -a app notes all; tar --xattrs -cf all.tar all
                for device in A B; do
                    mkdir -p $device/data/Containers/Data/Application
                    cp -a app notes $device/data/Containers/Data/Application
                done
                mkdir devices; cp -a A B devices
                """)
            for input in ["all", "all.tar", "backups", "A"] {
                let message = try message([input], lint: nil, in: scene)
                #expect(
                    message
                        == "“\(input)” has 2 containers: com.example.reader, org.example.notes. "
                        + "Select one with --bundle-id.\n")
                for (identifier, file) in [("com.example.reader", "broken.json"), ("org.example.notes", "images")] {
                    let options = ["--bundle-id", identifier]
                    let found = try Self.listed(["ls", input, "Documents"] + options, in: scene)
                    #expect(found.contains("Documents/\(file)"), "\(found)")
                    let plan = try sandboxbackup(["plan", input, "--format", "jsonl"] + options, in: scene.folder)
                    #expect(plan.code == 0 && plan.text.contains(file), "\(plan.errors)")
                }
                let words = ["--repository", "repository of \(input)"]
                let all = try sandboxbackup(["create", input] + words, in: scene.folder)
                #expect(all.code == 0, "\(all.errors)")
                let one = try sandboxbackup(
                    ["create", input, "--bundle-id", "org.example.notes"] + words, in: scene.folder)
                #expect(one.code == 0, "\(one.errors)")
                let snapshots = try sandboxbackup(["snapshots"] + words, in: scene.folder).text
                for (identifier, count) in [("com.example.reader", 1), ("org.example.notes", 2)] {
                    #expect(snapshots.components(separatedBy: identifier).count == count + 1, "\(snapshots)")
                }
            }
            let twice = try message(["devices", "--bundle-id", "org.example.notes"], lint: nil, in: scene)
            #expect(twice.hasSuffix("org.example.notes, org.example.notes. Specify the directory of one of them.\n"))
        }
    }

    @Test("The only container of an input gets the identifier of --bundle-id if it records none")
    func identifier() throws {
        try withInputScene { scene throws in
            try scene.shell(
                "mkdir -p bare/Documents bare/Library; echo x > bare/Documents/x; tar --xattrs -cf bare.tar bare")
            let options = ["--bundle-id", "com.example.given"]
            for input in ["bare", "bare.tar"] {
                #expect(try scene.containers(input).map { $0[0] } == ["-"])
                let named = try scene.containers(input, "--bundle-id", "com.example.given")
                #expect(named.map { $0[0] } == ["com.example.given"], "\(named)")
                let words = ["--repository", "repository of \(input)"]
                #expect(try sandboxbackup(["create", input] + options + words, in: scene.folder).code == 0)
                #expect(try sandboxbackup(["snapshots"] + words, in: scene.folder).text.contains("com.example.given"))
            }
            let path = try sandboxfm(["path", "bare", "Library/Caches/{bundle-id}"] + options, in: scene.folder)
            #expect(path.text.hasSuffix("/bare/Library/Caches/com.example.given\n"), "\(path.errors)")
        }
    }

    @Test("A part that is not read is a note, and the exit code is 3 after the work")
    func gaps() throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            try scene.shell("tar --xattrs -cf a.tar app; touch out; tar -rPf a.tar --transform 's,^,app/../../,' out")
            let note = "leads out of the archive"
            let tree = try sandboxfm("tree", "a.tar", in: scene.folder)
            #expect(tree.code == 3 && tree.errors.contains(note) && tree.text.contains("a.jpg"), "\(tree.errors)")
            let plan = try sandboxbackup("plan", "a.tar", "--format", "jsonl", in: scene.folder)
            #expect(plan.code == 3 && plan.errors.contains(note) && plan.text.contains("a.jpg"), "\(plan.errors)")
            let create = try sandboxbackup("create", "a.tar", "--repository", "r", in: scene.folder)
            #expect(create.code == 3 && create.text.contains("snapshot 1: "), "\(create.text)\(create.errors)")
        }
    }

    @Test("The password of an encrypted backup has one option in all tools, and a second name beside an engine")
    func passwords() throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            let backup = try scene.backUp(password: "secret")
            try "secret".write(to: scene.folder.appending(path: "password"), atomically: false, encoding: .utf8)
            for option in ["--password-file", "--backup-password-file"] {
                let content = try sandboxfm(
                    "cat", backup, "Documents/broken.json", option, "password", in: scene.folder)
                #expect(content.text == "{", "\(content.errors)")
                #expect(try sandboxbackup("plan", backup, option, "password", in: scene.folder).code == 0)
                #expect(try sandboxbackup("import", backup, "--list", option, "password", in: scene.folder).code == 0)
                #expect(try sandboxlint("inputs", backup, option, "password", in: scene.folder).code == 0)
            }
            let message = try message([backup], in: scene)
            #expect(
                message.hasPrefix("“\(backup)”: The backup is encrypted.")
                    && message.hasSuffix("Use --password-file or DEVICE_BACKUP_PASSWORD.\n"), "\(message)")
            let imported = try sandboxbackup("import", backup, "--list", in: scene.folder)
            #expect(imported.errors == "sandboxbackup: \(message)")
        }
    }

    @Test("import of a container, also in an archive, names the command that stores it")
    func imports() throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            try scene.shell("tar -cf app.tar app")
            for input in ["app", "app.tar"] {
                let run = try sandboxbackup("import", input, "--list", in: scene.folder)
                let problem = "“\(input)” contains no device backup, but an app container"
                let message = "sandboxbackup: \(problem). `sandboxbackup create` stores it.\n"
                #expect(run.code == 1 && run.errors == message, "\(run.errors)")
            }
        }
    }

    @Test("An app in the booted simulator replaces the argument for the container, and can be changed")
    func booted() throws {
        try withXcrunSample { sample throws in
            try sample.install(
                """
                case "$*" in
                "simctl get_app_container booted com.example.app data") echo $PWD/container ;;
                "simctl get_app_container booted com.example.app groups") : ;;
                *) echo "unexpected arguments: $*" >&2; exit 64 ;;
                esac
                """)
            let app = ["--booted", "com.example.app"]
            func sandboxfm(_ words: [String]) throws -> Command {
                try ToolSupport.sandboxfm(words, in: sample.folder, environment: sample.environment)
            }
            func sandboxbackup(_ words: [String]) throws -> Command {
                try ToolSupport.sandboxbackup(words, in: sample.folder, environment: sample.environment)
            }
            #expect(try sandboxfm(["ls"] + app + ["Documents/images"]).text.contains("a.jpg"))
            #expect(try sandboxfm(["mkdir"] + app + ["Documents/new", "Documents/other"]).code == 0)
            #expect(try names(in: sample.folder.appending(path: "container/Documents")) == ["images", "new", "other"])
            #expect(try sandboxfm(["prefs", "set"] + app + ["size", "4", "--type", "integer"]).code == 0)
            #expect(try sandboxfm(["prefs", "get"] + app + ["size"]).text == "4\n")
            #expect(try sandboxfm(["state"] + app + ["background"]).text == "not running -> background\n")
            #expect(try sandboxfm(["state"] + app).text.contains("background"))
            let plan = try sandboxbackup(["plan", "--format", "jsonl"] + app)
            #expect(plan.code == 0 && plan.text.contains("a.jpg"), "\(plan.errors)")
            #expect(try sandboxbackup(["create"] + app + ["--repository", "r"]).code == 0)
            for (words, message) in [
                (["cat"] + app, "Missing expected argument '<paths> ...'"),
                (["prefs", "set"] + app + ["size"], "Missing expected argument '<value>'"),
                (["archive", "show"] + app + ["a", "b"], "Unexpected argument 'b'"),
                (["state"] + app + ["tired"], "Unexpected argument 'tired'"),
                (["ls"], "Missing expected argument '<container>'"),
                (["ls", "--device", "iPhone", "c"], "--device needs --bundle-id"),
                (["ls"] + app + app, "This command reads one container"),
            ] {
                let run = try sandboxfm(words)
                #expect(run.code == 2 && run.errors.contains(message), "\(run.errors)")
            }
        }
    }

    @Test("An app on a device is copied to be read, and cannot be changed")
    func device() throws {
        try withXcrunSample { sample throws in
            try sample.install(
                #"""
                words="$*"
                touch reached
                cp -a container/. "${words##* --destination }"
                """#)
            let app = ["--device", "iPhone", "--bundle-id", "com.example.app"]
            func sandboxfm(_ words: [String]) throws -> Command {
                try ToolSupport.sandboxfm(words, in: sample.folder, environment: sample.environment)
            }
            let refused = try sandboxfm(["mkdir"] + app + ["Documents/new"])
            #expect(
                refused.code == 2
                    && refused.errors.contains("only a directory can be changed, and “com.example.app” is on a device."),
                "\(refused.errors)")
            #expect(try !names(in: sample.folder).contains("reached"))
            let list = try sandboxfm(["ls"] + app + ["Documents/images"])
            #expect(list.code == 0 && list.text.contains("a.jpg"), "\(list.errors)")
            let plan = try sandboxbackup(
                ["plan", "--format", "jsonl"] + app, in: sample.folder, environment: sample.environment)
            #expect(plan.code == 0 && plan.text.contains("a.jpg"), "\(plan.errors)")
            let stored = try sandboxbackup(
                ["create"] + app + ["--repository", "r"], in: sample.folder, environment: sample.environment)
            #expect(stored.code == 0, "\(stored.errors)")
            #expect(try sample.leftovers == [])
        }
    }
}
