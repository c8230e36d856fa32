import AppContainer
import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup dump of a directory", .timeLimit(.minutes(60))) struct DumpTarTests {
    /// Commands that extract the archive `archive` into `out`.
    private static let readers = [
        "tar --extract --xattrs --file archive --directory out",
        "bsdtar --extract --xattrs --file archive --directory out",
        #"python3 -c "import tarfile; tarfile.open('archive').extractall('out', filter='fully_trusted')""#,
    ]

    @Test("It is read by other programs, equal to the directory", .needs(.externalProgram), arguments: readers)
    func read(reader: String) throws {
        try withRepositorySample { folder, container, store throws in
            let long = "Documents/" + String(repeating: "d", count: 150) + "/" + String(repeating: "f", count: 200)
            try folder.makeDirectories("container/Documents/" + String(repeating: "d", count: 150))
            try folder.write("long", to: "container/" + long)
            try folder.makeLink("container/Documents/far", to: String(repeating: "t/", count: 120))
            if reader.hasPrefix("bsdtar") {
                // libarchive adds the fraction of a time before 1970 with the wrong sign.
                try folder.setTimes("1969-12-31T23:59:58Z", of: "container/Documents/nothing")
            }
            try backed("create", container, "--repository", store)
            let run = try sandboxbackup("dump", "latest", "Documents", "--repository", store).succeeded()
            try run.output.write(to: folder.appending(path: "archive"))
            try FileManager.default.createDirectory(
                at: folder.appending(path: "out"), withIntermediateDirectories: true)
            try Command.setUp("bash", ["-c", reader], in: folder)
            let (expected, found) = (
                try listing(URL(fileURLWithPath: container)), try listing(folder.appending(path: "out"))
            )
            // Python restores neither attributes nor fractions of seconds.
            if reader.hasPrefix("python3") {
                let same = try Command(
                    "diff", ["-r", "--no-dereference", "container/Documents", "out/Documents"], in: folder)
                #expect(same.code == 0, "\(same.text)\(same.errors)")
            } else {
                #expect(expected.differences(from: found) == [])
            }
        }
    }

    @Test(
        "The whole container, a large owner and a time before 1970 are kept", .needs([.externalProgram, .root]),
        .enabled(if: Platform.isLinux, "compares with GNU stat"))
    func extremes() throws {
        try withRepositorySample { folder, container, store throws in
            try Command.setUp(
                "bash",
                [
                    "-c",
                    "chown 3000000:2999999 letter.txt; touch -d '1931-02-03 04:05:06.7' again.bin; chmod 6755 photo.bin",
                ],
                in: URL(fileURLWithPath: container + "/Documents"))
            try backed("create", container, "--repository", store)
            let run = try sandboxbackup("dump", "latest", ".", "--repository", store).succeeded()
            try run.output.write(to: folder.appending(path: "archive"))
            let script = """
                mkdir out; tar -x --numeric-owner -f archive -C out; cd out/Documents
                stat -c '%u:%g' letter.txt; stat -c %a photo.bin; TZ=UTC stat -c %y again.bin
                """
            let text = try Command("bash", ["-c", script], in: folder).succeeded().text
            #expect(text == "3000000:2999999\n755\n1931-02-03 04:05:06.700000000 +0000\n", "\(text)")
        }
    }

    @Test("Damaged content ends the archive, and a damaged directory is reported")
    func damaged() throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--repository", store)
            try damageFilm(of: store)
            let run = try sandboxbackup("dump", "latest", "Documents", "--repository", store)
            #expect(run.code == 12 && run.errors.contains("the archive ends in “Documents/film.bin”"), "\(run.errors)")
            #expect(run.output.count > 3 * 131_072 && run.output.count < 9_000_000)
            let notes = try sandboxbackup("dump", "latest", "Documents/notes", "--repository", store)
            #expect(notes.code == 0 && notes.output.count % 512 == 0, "\(notes.errors)")
        }
    }
}
