import Foundation
import TestSupport
import Testing

@Suite("Packaging", .needs(.externalProgram), .timeLimit(.minutes(60))) struct PackagingTests {
    private static let folder = Workflow.root.appending(path: "packaging")

    @Test("The formula has the address, the version and the checksum of a release, and is valid Ruby")
    func formula() throws {
        try withScratch { folder throws in
            try folder.write("sources", to: "0.2.0.tar.gz")
            let tool = Self.folder.appending(path: "homebrew/write-formula").path
            let run = try Command(
                "bash", [tool, "https://github.com/someone/sandboxlint", "0.2.0", "0.2.0.tar.gz"], in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(
                run.text.contains("url \"https://github.com/someone/sandboxlint/archive/refs/tags/0.2.0.tar.gz\"\n"))
            let sum = try Command("shasum", ["-a", "256", "0.2.0.tar.gz"], in: folder).text.prefix(64)
            #expect(run.text.contains("sha256 \"\(sum)\"\n") && !run.text.contains("owner"))
            for (arguments, code) in [
                (["http://example.com", "0.2.0", "0.2.0.tar.gz"], 2), (["https://example.com", "0.2.0", "gone"], 3),
                (["https://example.com/$(id)", "0.2.0", "0.2.0.tar.gz"], 2),
            ] { #expect(try Int(Command("bash", [tool] + arguments, in: folder).code) == code, "\(arguments)") }
            try run.output.write(to: folder.appending(path: "sandboxlint.rb"))
            guard let ruby = try? Command("ruby", ["--version"]), ruby.code == 0 else { return }
            let checked = try Command("ruby", ["-c", "sandboxlint.rb"], in: folder)
            #expect(checked.text == "Syntax OK\n", "\(checked.errors)")
        }
    }

    @Test(
        "The build phase of Xcode shows findings, and a note if there is nothing to lint",
        arguments: [
            (["PLATFORM_NAME": "iphoneos"], 0, "note: sandboxlint: only builds for a simulator are linted\n"),
            (["SANDBOXLINT": "missing"], 0, "warning: sandboxlint is not installed"),
            (["SANDBOXLINT_CONTAINER": "gone"], 0, "note: sandboxlint: 'gone' does not exist yet\n"),
            (["SANDBOXLINT_CONTAINER": "c"], 0, "c/Documents/a.jpg:1: error: "),
            (["SANDBOXLINT_CONTAINER": "c", "SANDBOXLINT_FAIL": "YES"], 1, "c/Documents/a.jpg:1: error: "),
            (["SANDBOXLINT_CONTAINER": "c", "FURTHER": "--no-such-option"], 2, ""),
        ])
    func buildPhase(environment: [String: String], code: Int, text: String) throws {
        try withScratch { folder throws in
            try folder.makeDirectories("c/Documents", "c/tmp")
            try folder.write("x", to: "c/Documents/a.jpg")
            try AttributeTool.set(
                "user.appcontainer.provenance", to: "downloaded", of: "c/Documents/a.jpg", in: folder)
            let further = environment["FURTHER"].map { [$0] } ?? []
            let run = try Command(
                "sh", [Self.folder.appending(path: "xcode/lint-container").path, "--isolated"] + further, in: folder,
                environment: ["SANDBOXLINT": Command.sandboxlint].merging(environment) { $1 })
            #expect(Int(run.code) == code, "\(run.text)\(run.errors)")
            #expect(text.isEmpty || run.text.contains(text), "\(run.text)\(run.errors)")
        }
    }

    @Test(
        "The image has the tools and the libraries that they need, and equal files give equal images",
        .enabled(if: Platform.isLinux))
    func image() throws {
        try withScratch { folder throws in
            try folder.makeDirectories("tree/bin")
            for (index, name) in ["sandboxlint", "sandboxbackup", "sandboxfm"].enumerated() {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appending(path: "tree/bin/\(name)").path,
                    withDestinationPath: index == 0 ? Command.sandboxlint : "sandboxlint")
            }
            let tool = Self.folder.appending(path: "oci/write-image").path
            for name in ["one.tar", "two.tar"] {
                let run = try Command(Command.python(), [tool, "tree", name], in: folder)
                #expect(run.code == 0 && run.text.contains("sandboxlint 0.1.0 for linux/"), "\(run.errors)")
            }
            #expect(
                FileManager.default.contentsEqual(
                    atPath: folder.appending(path: "one.tar").path, andPath: folder.appending(path: "two.tar").path))
            // Every blob has the name of its checksum, and the layer has the loader, the C library and the tools.
            let script = """
                import gzip, hashlib, io, json, sys, tarfile
                image = tarfile.open(sys.argv[1])
                read = lambda path: image.extractfile(path).read()
                blob = lambda entry: read("blobs/sha256/" + entry["digest"][7:])
                for member in image.getmembers():
                    if member.name.startswith("blobs/"):
                        assert hashlib.sha256(read(member.name)).hexdigest() == member.name[13:], member.name
                manifest = json.loads(blob(json.loads(read("index.json"))["manifests"][0]))
                config = json.loads(blob(manifest["config"]))
                plain = gzip.decompress(blob(manifest["layers"][0]))
                assert "sha256:" + hashlib.sha256(plain).hexdigest() == config["rootfs"]["diff_ids"][0]
                names = {member.name: member for member in tarfile.open(fileobj=io.BytesIO(plain))}
                assert names["usr/bin/sandboxfm"].linkname == "sandboxlint" and "usr/lib/libc.so.6" in names
                assert any(name.split("/")[-1].startswith("ld-linux") for name in names), sorted(names)
                print(config["config"]["Entrypoint"][0])
                """
            let checked = try Command(Command.python(), ["-c", script, "one.tar"], in: folder)
            #expect(checked.text == "/usr/bin/sandboxlint\n", "\(checked.errors)")
            let wrong = try Command(Command.python(), [tool, "gone", "x.tar"], in: folder)
            #expect(wrong.code == 1 && wrong.errors.contains("make dist DIST=archive"), "\(wrong.errors)")
        }
    }
}
