import Foundation
import TestSupport
import Testing

@Suite("sandboxbackup create --engine restic with a server", .needs(.externalProgram), .timeLimit(.minutes(60)))
struct EngineServerTests {
    /// Stores the container on a server, and requires an exact restore and no secret in process lists.
    private func requireRoundTrip(_ sample: EngineSample) throws {
        try sample.stand(in: #"printf '%s\n' "$*" >> "$(dirname "$0")/words"; exec "$REAL" "$@""#)
        try Data("secret\n".utf8).write(to: sample.folder.appending(path: "password"))
        let run = try sample.create(
            "--format", "json", "--password-file", "password", environment: ["RESTIC_PASSWORD": ""])
        #expect(run.code == 0, "\(run.text) \(run.errors)")
        let words = try String(contentsOf: sample.folder.appending(path: "programs/words"), encoding: .utf8)
        let target = sample.folder.appending(path: "restored")
        let restored = try sample.restore(EngineReport(run).snapshot, to: target)
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try listing(sample.container).differences(from: listing(target)) == [])
        #expect(words.contains("backup") && !words.contains("hush") && !words.contains("secret"), "\(words)")
        let wrong = try sample.create(environment: ["RESTIC_PASSWORD": "wrong"])
        #expect(wrong.code == 1 && !wrong.errors.contains("hush"), "\(wrong.errors)")
    }

    @Test("A snapshot on a REST server is restored exactly; its password appears in no message and no process list")
    func rest() throws {
        try withRepositorySample { folder, container, _ throws in
            let served = folder.appending(path: "served")
            try FileManager.default.createDirectory(at: served, withIntermediateDirectories: true)
            let server = try LoopbackServer(
                "rclone",
                [
                    "serve", "restic", "--addr", "127.0.0.1:0", "--user", "reader", "--pass", "hush", served.path,
                ], saying: /http:\/\/(127\.0\.0\.1:[0-9]+)\//)
            defer { server.end() }
            var sample = EngineSample(
                tool: "restic", folder: folder, container: URL(fileURLWithPath: container),
                repository: "rest:http://reader:hush@\(server.address)/nobody/")
            let none = try sample.create()
            #expect(none.code == 10 && !none.errors.contains("hush"), "\(none.errors)")
            sample.repository = "rest:http://reader:hush@\(server.address)/"
            try sample.makeRepository()
            try requireRoundTrip(sample)
        }
    }

    @Test("A snapshot in a bucket is restored exactly; the key appears in no message and no process list")
    func bucket() throws {
        try withRepositorySample { folder, container, _ throws in
            let program = URL(fileURLWithPath: try Command.python()).deletingLastPathComponent()
                .appending(path: "moto_server")
            let server = try LoopbackServer(
                program.path, ["-H", "127.0.0.1", "-p", "0"], saying: /Running on http:\/\/(127\.0\.0\.1:[0-9]+)\n/)
            defer { server.end() }
            let sample = EngineSample(
                tool: "restic", folder: folder, container: URL(fileURLWithPath: container),
                repository: "s3:http://\(server.address)/bucket/kept",
                access: ["AWS_ACCESS_KEY_ID": "reader", "AWS_SECRET_ACCESS_KEY": "hush"])
            let none = try sample.create()
            #expect(none.code == 10 && !none.errors.contains("hush"), "\(none.errors)")
            try sample.makeRepository()
            try requireRoundTrip(sample)
        }
    }

    @Test("A snapshot on an SFTP server is restored exactly, with a connection given by an option")
    func sftp() throws {
        try withRepositorySample { folder, container, _ throws in
            // rclone's server ends a session in a way that `restic init` reports as an error.
            let prepare = """
                set -eu
                ssh-keygen -q -t ed25519 -N '' -f key; ssh-keygen -q -t ed25519 -N '' -f host
                mkdir served; RESTIC_PASSWORD=secret restic -q -r served/kept init
                """
            let prepared = try Command("bash", ["-c", prepare], in: folder)
            #expect(prepared.code == 0, "\(prepared.errors)")
            let path = { (name: String) in folder.appending(path: name).path }
            let server = try LoopbackServer(
                "rclone",
                [
                    "serve", "sftp", "--addr", "127.0.0.1:0", "--key", path("host"), "--authorized-keys",
                    path("key.pub"), path("served"),
                ], saying: /listening on (127\.0\.0\.1:[0-9]+)\n/)
            defer { server.end() }
            let port = server.address.split(separator: ":")[1]
            let key = try String(contentsOf: folder.appending(path: "host.pub"), encoding: .utf8)
            try Data("[127.0.0.1]:\(port) \(key)".utf8).write(to: folder.appending(path: "known"))
            let connect =
                "ssh -F none -p \(port) -i \(path("key")) -o UserKnownHostsFile=\(path("known")) -o BatchMode=yes "
                + "-o IdentitiesOnly=yes reader@127.0.0.1 -s sftp"
            var sample = EngineSample(
                tool: "restic", folder: folder, container: URL(fileURLWithPath: container),
                repository: "sftp:reader@127.0.0.1:/nobody", option: "sftp.command=\(connect)")
            let none = try sample.create()
            #expect(none.code == 10 && !none.errors.contains("nobody"), "\(none.errors)")
            sample.repository = "sftp:reader@127.0.0.1:/kept"
            try requireRoundTrip(sample)
            sample.option = "sftp.command=false"
            let unreachable = try sample.create()
            #expect(unreachable.code == 1 && unreachable.errors.contains("restic exited with"), "\(unreachable.errors)")
        }
    }
}
