internal import BackupPlan
internal import BackupRepository
internal import ExternalPrograms
internal import FileSystem
internal import Foundation
internal import SystemPackage
internal import TextOutput

/// restic, from version 0.14.
///
/// Source: restic's manual, “Scripting” (exit codes, JSON); restic 0.14.0 in Debian 12.
struct ResticEngine: BackupEngine {
    let version: String
    let includesRoot = false
    /// Source: restic issue 3311, fixed in 0.16.0.
    let preservesBinaryTargets: Bool
    /// Source: restic's changelog, 0.15.0.
    private let restoresHoles: Bool
    private var program: EngineProgram
    private let lockWait: Duration

    init(_ repository: EngineRepository) throws(BackupError) {
        program = try EngineProgram("restic")
        let version = try program.version("version", atLeast: (0, 14))
        self.version = version.text
        preservesBinaryTargets = version.minor >= 16
        restoresHoles = version.minor >= 15
        program.environment = ["RESTIC_REPOSITORY": repository.location, "TZ": "UTC", "RESTIC_PROGRESS_FPS": "5"]
        let password = try repository.password()?.trimmingCharacters(in: .whitespacesAndNewlines)
        if let password {
            // restic runs several times, and a pipe can be read once.
            program.environment["RESTIC_PASSWORD"] = password
            program.removedVariables = ["RESTIC_PASSWORD_FILE", "RESTIC_PASSWORD_COMMAND"]
        } else if let file = repository.passwordFile {
            program.environment["RESTIC_PASSWORD_FILE"] = file.string
        }
        program.secrets = EngineSecrets(
            location: repository.location, password: password, environment: Invocation.current.environment)
        program.lastArguments = repository.options.flatMap { ["-o", $0] }
        lockWait = repository.lockWait
    }

    /// Runs restic, again while another run has locked the repository and the wait has not ended: `--retry-lock` needs 0.16. Restic
    /// prints nothing on standard output before it has the lock.
    private func run(
        _ arguments: [String], in directory: FilePath? = nil, mostLines: Int = ProgramOutput.mostLines,
        eachLine: (Data) throws(BackupError) -> Void = { _ in }
    ) throws(BackupError) -> ExternalProgram.Termination {
        let start = ContinuousClock.now
        while true {
            let ended = try program.run(arguments, in: directory, mostLines: mostLines, eachLine: eachLine)
            guard ended.code != 0, failure(ended).code == .locked, ContinuousClock.now - start < lockWait else {
                return ended
            }
            var pause = Pause()
            let next = ContinuousClock.now + .milliseconds(500)
            while ContinuousClock.now < next {
                try Invocation.current.interruption.throwIfRequested()
                pause.wait()
            }
        }
    }

    func name(of path: [UInt8]) -> [UInt8] {
        // As Go's JSON encoder.
        EngineNames.text(of: path, replacement: "\u{fffd}")
    }

    func displays(_ time: Timestamp, as listed: Timestamp) -> Bool { time == listed }

    func latestSnapshot(of owner: String) throws(BackupError) -> String? {
        struct Snapshot: Decodable { let id: String }
        var output = Data()
        let arguments = ["snapshots", "--json", "--host", owner, "--tag", Self.tag(.container), "latest"]
        // Without a snapshot, restic succeeds with a message.
        let ended = try run(arguments, mostLines: 1_000) { output += $0 }
        guard ended.code == 0 else { throw failure(ended) }
        guard let snapshots = try? JSONDecoder().decode([Snapshot]?.self, from: output) else {
            throw BackupError(.failed, what: "restic's list of snapshots cannot be parsed")
        }
        return snapshots.last?.id
    }

    func createSnapshot(_ task: EngineTask) throws(BackupError) -> String {
        struct Message: Decodable {
            let snapshot_id: String?
            let files_done: Int?
            let bytes_done: UInt64?
        }
        var arguments = ["backup", "--json", "--host", task.owner, "--tag", Self.tag(task.part)]
        arguments += ["--tag", "run:\(task.run)"]
        let lists = Self.lists(of: task)
        let leftOut = try EngineListFile(lists.leftOut)
        defer { leftOut.remove() }
        let begun = try EngineListFile(lists.begun)
        defer { begun.remove() }
        arguments += ["--exclude-file", leftOut.location.path, "--files-from-raw", begun.location.path]
        // In the zone of `TZ`.
        if let taken = task.taken { arguments += ["--time", taken.secondsText(separator: " ")] }
        if let parent = task.parent { arguments += ["--parent", parent] }
        var snapshot: String?
        let most = ProgramOutput.mostLines + 4 * task.items.numbers.count
        let ended = try run(arguments, in: task.directory, mostLines: most) { line in
            guard line.count < 65_536, let message = try? JSONDecoder().decode(Message.self, from: line) else { return }
            // Only the final summary contains the identifier.
            snapshot = message.snapshot_id ?? snapshot
            if let files = message.files_done { task.progress(files, message.bytes_done ?? 0) }
        }
        // Exit code 3 means unreadable items; the listing shows what is missing.
        guard ended.code == 0 || ended.code == 3 else { throw failure(ended) }
        guard let snapshot else { throw BackupError(.failed, what: "restic did not report the snapshot") }
        return snapshot
    }

    private static let mostPatterns = 1_000
    /// The maximum size of the paths in a snapshot's record. It is one line of JSON with up to six bytes per byte, and
    /// every reader of snapshots reads it.
    private static let longestRecord = 8 << 20
    private typealias Lines = (_ output: ([UInt8]) -> Void) -> Void

    /// Returns the exclude patterns and the start paths.
    ///
    /// Patterns are compared with every path, which is slow if an app excludes files one by one. Start paths avoid
    /// that, but the record of the snapshot contains them all. So they are used only for many patterns and a limited
    /// record.
    private static func lists(of task: EngineTask) -> (leftOut: Lines, begun: Lines) {
        let root = task.directory.bytes + [UInt8(ascii: "/")]
        var (patterns, record) = (0, 0)
        task.items.forEachExcluded { _, _ in patterns += 1 }
        let roots = patterns > mostPatterns ? EngineRoots(of: task.items) : nil
        roots?.forEach { path, _ in record += root.count + path.count }
        // Without included items there are no start paths.
        guard let roots, (1...longestRecord).contains(record) else {
            return (
                { output in
                    task.items.forEachExcluded { path, isContentsOnly in
                        output(isContentsOnly ? ResticList.contents(of: root + path) : ResticList.pattern(root + path))
                    }
                }, { output in output([UInt8(ascii: "."), 0]) }
            )
        }
        return (
            { output in
                roots.forEach { path, isAlone in if isAlone { output(ResticList.contents(of: root + path)) } }
            }, { output in roots.forEach { path, _ in output(path + [0]) } }
        )
    }

    func listItems(of snapshot: String, atMost most: Int, _ body: (ListedItem) -> Void) throws(BackupError) {
        struct Node: Decodable {
            let struct_type, message_type, path, type, mtime: String?
            let size: UInt64?
            let mode: UInt32?
        }
        let decoder = JSONDecoder()
        let ended = try run(["ls", "--json", snapshot], mostLines: most) { line throws(BackupError) in
            let node = try? decoder.decode(Node.self, from: line)
            if let node, (node.message_type ?? node.struct_type) != "node" { return }
            guard let node, let path = node.path else {
                throw BackupError(.failed, what: "restic's listing of \(snapshot) cannot be parsed")
            }
            // restic omits the field if it is 0.
            let mode = node.mode ?? 0
            let kinds: [String: FileKind] = ["file": .file, "dir": .directory, "symlink": .symbolicLink]
            // Go's mode bits: setuid 23, setgid 22, sticky 20.
            var permissions = UInt16(mode & 0o777)
            for (bit, permission) in [(23, UInt16(0o4000)), (22, 0o2000), (20, 0o1000)] where mode >> bit & 1 == 1 {
                permissions |= permission
            }
            let kind = node.type.flatMap { kinds[$0] } ?? .unknown
            body(
                ListedItem(
                    name: Array(path.utf8.dropFirst(path.utf8.first == UInt8(ascii: "/") ? 1 : 0)), kind: kind,
                    size: kind == .file ? node.size ?? 0 : nil, permissions: permissions,
                    modified: node.mtime.flatMap(Timestamp.init(listed:))))
        }
        guard ended.code == 0 else { throw failure(ended) }
    }

    func removeSnapshot(_ snapshot: String, within limit: Duration) throws(BackupError) {
        let ended = try program.run(["forget", snapshot], timeLimit: limit)
        guard ended.code == 0 else { throw failure(ended) }
    }

    func listSnapshots() throws(BackupError) -> [EngineRecord] {
        struct Record: Decodable {
            let id, time, hostname: String
            let tags: [String]?
        }
        var output = Data()
        let ended = try run(["snapshots", "--json"], mostLines: 1_000) { output += $0 }
        guard ended.code == 0 else { throw failure(ended) }
        let records: [Record]
        // An empty list is null.
        do { records = try JSONDecoder().decode([Record]?.self, from: output) ?? [] } catch {
            throw BackupError(.failed, what: "restic's list of snapshots cannot be parsed")
        }
        return records.compactMap { record in
            let tags = record.tags ?? []
            // Another identifier could be an option of the next call.
            guard record.id.utf8.allSatisfy("0123456789abcdef".utf8.contains),
                let part = EngineTask.Part.allCases.first(where: { tags.contains(Self.tag($0)) }),
                let run = tags.first(where: { $0.hasPrefix("run:") }), let taken = Timestamp(listed: record.time)
            else { return nil }
            return EngineRecord(identifier: record.id, taken: taken, owner: record.hostname, run: run, part: part)
        }
    }

    func restoreSnapshot(_ snapshot: String, into directory: FilePath) throws(BackupError) {
        let sparse = restoresHoles ? ["--sparse"] : []
        let ended = try run(["restore", snapshot, "--target", directory.string] + sparse, in: directory)
        guard ended.code == 0 else { throw failure(ended) }
    }

    private static func tag(_ part: EngineTask.Part) -> String { "sandboxbackup:\(part.rawValue)" }

    /// Returns the error for an exit code (restic 0.17 and later) or for the text (earlier versions).
    private func failure(_ ended: ExternalProgram.Termination) -> BackupError {
        let text = ended.errors.joined(separator: "\n")
        let what = "restic exited with \(ended.code): \(program.quotation(ended.errors))"
        switch ended.code {
        case 10: return BackupError(.noRepository, what: what, hint: "create the repository with `restic init`")
        case 11: return BackupError(.locked, what: what, hint: "wait until the other process ends")
        case 12: return BackupError(.failed, what: what, hint: "provide the password of the repository")
        case 1 where text.contains("Is there a repository at the following location"):
            return BackupError(.noRepository, what: what, hint: "create the repository with `restic init`")
        case 1 where text.contains("unable to create lock") || text.contains("already locked"):
            return BackupError(.locked, what: what, hint: "wait until the other process ends")
        case 1 where text.contains("password"):
            return BackupError(.failed, what: what, hint: "provide the password of the repository")
        default: return BackupError(.failed, what: what)
        }
    }
}
