import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// Checks that a container cannot configure its own lint.
@Suite("A container with its own configuration") struct ContainerTrustTests {
    /// The sample as `sample`, with a configuration of its own that ignores everything.
    private func withHostile(_ body: (URL) throws -> Void) throws {
        try withSample { path throws in
            let container = URL(fileURLWithPath: path)
            try Data("ignore: ['**']\n".utf8).write(to: container.appending(path: ".sandboxlint.yml"))
            try body(container)
        }
    }

    @Test(
        "provides no configuration, whatever the working directory and the path to it",
        arguments: [
            ("sample", ["lint", "."]), ("sample/Documents", ["lint", ".."]), ("sample/Documents", ["lint", "$PATH"]),
            ("sample", ["lint", "../link"]), ("sample", ["lint", "../other", "."]), (".", ["lint", "sample"]),
            ("sample", ["baseline", "diff", ".", "--baseline", "../empty.txt"]), ("sample", ["fix", ".", "--diff"]),
        ])
    func discovery(directory: String, arguments: [String]) throws {
        try withHostile { container throws in
            let folder = container.deletingLastPathComponent()
            try folder.makeLink("link", to: "sample")
            try folder.makeDirectories("other/tmp")
            try folder.write("sandboxlint-baseline/3\n", to: "empty.txt")
            let words = arguments.map { $0 == "$PATH" ? container.path : $0 }
            let run = try sandboxlint(words, in: folder.appending(path: directory))
            #expect(
                run.text.contains("Documents/images") && run.text.contains("regenerable-in-documents"), "\(run.text)")
            #expect(run.code == 1, "\(run.errors)")
        }
    }

    @Test("is configured by the file above it, also from inside, and by the file of --config")
    func allowed() throws {
        try withHostile { container throws in
            #expect(try sandboxlint("lint", ".", "--config", ".sandboxlint.yml", in: container).code == 0)
            let above = container.appending(path: "../.sandboxlint.yml")
            try Data("rules: { regenerable-in-documents: off }\n".utf8).write(to: above)
            #expect(try sandboxlint("lint", ".", in: container).code == 0)
            #expect(try sandboxlint("lint", ".", "--isolated", in: container).code == 1)
        }
    }

    @Test("gets no configuration written into it")
    func initialized() throws {
        try withSample { path throws in
            let run = try sandboxlint("init", "..", in: URL(fileURLWithPath: path).appending(path: "tmp"))
            #expect(run.code == 2 && run.errors.contains("configuration files are ignored"), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: path + "/tmp/.sandboxlint.yml"))
        }
    }

    @Test(
        "No line of a file that a configuration names is shown, and no word of one that it extends",
        arguments: [
            ("extends: secret.txt", "TOKEN=abcdef-secret\n"), ("extends: secret.txt", "abcdef-secret: 1\n"),
            ("extends: secret.txt", "rules: { stale-tmp: abcdef-secret }\n"),
            ("extends: secret.txt", "now: [abcdef-secret"), ("extends: secret.txt", "- abcdef-secret\n"),
            ("baseline: secret.txt", "abcdef-secret\n"),
            ("baseline: secret.txt", "sandboxlint-baseline/3\nabcdef-secret\n"),
            ("baseline: secret.txt", "sandboxlint-baseline/abcdef-secret\n"),
            ("rules-folder: rules", "abcdef-secret\n"),
        ])
    func quoting(configuration: String, content: String) throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try Data((configuration + "\n").utf8).write(to: folder.appending(path: ".sandboxlint.yml"))
            let name = configuration.hasPrefix("rules") ? "rules/secret.yml" : "secret.txt"
            try FileManager.default.createDirectory(
                at: folder.appending(path: "rules"), withIntermediateDirectories: true)
            try Data(content.utf8).write(to: folder.appending(path: name))
            for format in ["text", "json"] {
                let run = try sandboxlint("lint", path, "--format", format)
                #expect(run.code == 2 && run.errors.contains(name), "\(run.errors)")
                #expect(!run.errors.contains("abcdef") && !run.text.contains("abcdef"), "\(run.errors)")
            }
            guard configuration.hasPrefix("extends") else { return }
            let shown = try sandboxlint("config", "show", "--config", folder.appending(path: name).path)
            #expect(shown.code == 2 && shown.errors.contains(" | "), "\(shown.errors)")
        }
    }

    @Test("Nothing of a file outside the working directory is shown if a link leads to it")
    func links() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try folder.makeDirectories("project/rules", "outside")
            let project = folder.appending(path: "project")
            for content in [
                "abcdef-secret: 1\n", "rules: { abcdef-secret: off }\n", "abcdef-secret", "- abcdef-secret",
            ] {
                try Data(content.utf8).write(to: folder.appending(path: "outside/secret.yml"))
                func refuses(_ words: [String], in directory: URL? = nil) throws {
                    let run = try sandboxlint(["lint", "../sample"] + words, in: directory ?? project)
                    #expect(run.code == 2 && !run.errors.contains("abcdef"), "\(words): \(run.errors)")
                    #expect(!run.text.contains("abcdef"), "\(words): \(run.text)")
                }
                try project.makeLink("file.yml", to: "../outside/secret.yml")
                try project.makeLink("folder", to: "../outside")
                try project.makeLink("rules/secret.yml", to: "../../outside/secret.yml")
                for name in ["file.yml", "folder/secret.yml", project.path + "/folder/secret.yml"] {
                    try refuses(["--config", name])
                    try refuses(["--isolated", "--baseline", name])
                }
                try refuses(["--config", "../file.yml"], in: project.appending(path: "rules"))
                try refuses(["--isolated", "--rules", "rules"])
                for line in [
                    "extends: file.yml", "baseline: file.yml", "rules-folder: rules", "extends: folder/secret.yml",
                ] {
                    try Data((line + "\n").utf8).write(to: project.appending(path: "own.yml"))
                    try refuses(["--config", "own.yml"])
                }
                try folder.makeLink(".sandboxlint.yml", to: "outside/secret.yml")
                try refuses([])
                for link in [".sandboxlint.yml", "project/file.yml", "project/folder", "project/rules/secret.yml"] {
                    try FileManager.default.removeItem(at: folder.appending(path: link))
                }
                let run = try sandboxlint("lint", "../sample", "--config", "../outside/secret.yml", in: project)
                #expect(run.code == 2 && run.errors.contains("abcdef"), "without a link: \(run.errors)")
            }
        }
    }

    @Test("hides findings by attributes only where these are honored, and never a whole group of its own")
    func suppressions() throws {
        try withSample { path throws in
            func suppress(_ text: String) throws {
                try AttributeTool.set("user.appcontainer.suppress", to: text, of: path)
            }
            try suppress("backup: ok\nstale: ok\nlayout: ok\nexceptions: ok\n")
            let groups = try sandboxlint("lint", path, "--format", "compact")
            #expect(groups.code == 1 && groups.text.contains("[regenerable-in-documents]"), "\(groups.text)")
            let malformed = groups.text.split(separator: "\n").filter { $0.contains("malformed-suppression") }
            #expect(malformed.count == 4 && malformed[0].contains("is a group"), "\(groups.text)")

            try suppress("regenerable-in-documents: sent with the next launch\n")
            #expect(try sandboxlint("lint", path).code == 0)
            for option in ["--no-item-suppressions", "--isolated"] {
                #expect(try sandboxlint("lint", path, option).code == 1, "\(option)")
                #expect(try sandboxlint("fix", path, "--diff", option).code == 1, "\(option)")
                let explained = try sandboxlint("explain", path, "Documents/images/a.jpg", option).text
                #expect(explained.contains("regenerable-in-documents  error:"), "\(explained)")
            }
        }
    }
}
