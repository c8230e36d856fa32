internal import BackupRepository
internal import ExternalPrograms
internal import FileSystem
internal import Foundation
internal import SystemPackage

/// borg 1.2 and later versions of 1.x.
///
/// Source: borg's manual, “Internals: frontends” (messages, JSON) and “borg create”; borg 1.2.4 in Debian 12.
struct BorgEngine: BackupEngine {
    let version: String
    let includesRoot = true
    let preservesBinaryTargets = true
    private var program: EngineProgram

    init(_ repository: EngineRepository) throws(BackupError) {
        program = try EngineProgram("borg")
        let version = try program.version("--version", atLeast: (1, 2))
        self.version = version.text
        program.environment = [
            "BORG_REPO": repository.location, "TZ": "UTC", "PYTHONUTF8": "1", "BORG_EXIT_CODES": "legacy",
        ]
        var password = try repository.password()
        if repository.passwordFile != nil, password == nil {
            throw BackupError(.failed, what: "the password file is not UTF-8", hint: "set BORG_PASSCOMMAND instead")
        }
        // The number of whole seconds that borg waits for a lock.
        program.lastArguments = ["--lock-wait", "\(max(1, repository.lockWait.components.seconds))"]
        if password?.hasSuffix("\n") == true { password?.removeLast() }
        if let password { program.environment["BORG_PASSPHRASE"] = password }
        program.secrets = EngineSecrets(
            location: repository.location, password: password, environment: Invocation.current.environment)
    }

    func name(of path: [UInt8]) -> [UInt8] {
        // As Python's encoder with errors="replace".
        path.isEmpty ? Array(".".utf8) : EngineNames.text(of: path, replacement: "?")
    }

    /// Compares with the precision of borg's listings: microseconds from a floating-point number, and nothing before
    /// 1970.
    func displays(_ time: Timestamp, as listed: Timestamp) -> Bool {
        guard time.seconds >= 0 else { return listed.seconds == 0 && listed.nanoseconds == 0 }
        let seconds = time.seconds.subtractingReportingOverflow(listed.seconds)
        guard !seconds.overflow, abs(seconds.partialValue) <= 1 else { return false }
        return abs(seconds.partialValue * 1_000_000_000 + Int64(time.nanoseconds) - Int64(listed.nanoseconds)) < 2_000
    }

    /// Returns nil: borg finds unchanged files with its own cache.
    func latestSnapshot(of owner: String) throws(BackupError) -> String? { nil }

    func createSnapshot(_ task: EngineTask) throws(BackupError) -> String {
        let name = "\(task.owner)-\(task.run)" + (task.part == .stores ? Self.storesSuffix : "")
        let list = try EngineListFile { output in
            task.items.forEach { output(($0.path.isEmpty ? [UInt8(ascii: ".")] : $0.path) + [0]) }
        }
        defer { list.remove() }
        // In UTC, as `TZ` says.
        let time = task.taken.map { ["--timestamp", $0.secondsText(separator: "T")] } ?? []
        let ended = try program.run(
            ["--log-json", "create", "--paths-from-stdin", "--paths-delimiter", "\\0", "--compression", "zstd"] + time
                + ["::\(name)"], in: task.directory, input: list.location)
        // Exit code 1 means warnings; the listing shows what is missing.
        guard ended.code == 0 || ended.code == 1 else { throw failure(ended) }
        return name
    }

    func listItems(of snapshot: String, atMost most: Int, _ body: (ListedItem) -> Void) throws(BackupError) {
        struct Item: Decodable {
            let type, mode, path, mtime: String
            let size: UInt64
        }
        let decoder = JSONDecoder()
        let arguments = ["--log-json", "list", "--json-lines", "::\(snapshot)"]
        let ended = try program.run(arguments, mostLines: most) { line throws(BackupError) in
            guard let item = try? decoder.decode(Item.self, from: line) else {
                throw BackupError(.failed, what: "borg's listing of \(snapshot) cannot be parsed")
            }
            let kinds: [String: FileKind] = ["-": .file, "d": .directory, "l": .symbolicLink]
            body(
                ListedItem(
                    name: Array(item.path.utf8), kind: kinds[item.type] ?? .unknown,
                    // Further hard links of a file have no size of their own.
                    size: item.mode.hasPrefix("h") ? nil : item.size, permissions: Self.permissions(item.mode),
                    modified: Timestamp(listed: item.mtime)))
        }
        guard ended.code == 0 else { throw failure(ended) }
    }

    func listSnapshots() throws(BackupError) -> [EngineRecord] {
        struct List: Decodable {
            struct Archive: Decodable { let name, time: String }
            let archives: [Archive]
        }
        var output = Data()
        let ended = try program.run(["--log-json", "list", "--json"], mostLines: .max) { output += $0 }
        guard ended.code == 0 else { throw failure(ended) }
        guard let list = try? JSONDecoder().decode(List.self, from: output) else {
            throw BackupError(.failed, what: "borg's list of archives cannot be parsed")
        }
        return list.archives.compactMap { archive in
            let isStores = archive.name.hasSuffix(Self.storesSuffix)
            let name = isStores ? archive.name.dropLast(Self.storesSuffix.count) : archive.name[...]
            // The name ends with a UUID, of 36 characters.
            let (owner, run) = (name.dropLast(37), name.suffix(36))
            guard UUID(uuidString: String(run)) != nil, !owner.isEmpty, let taken = Timestamp(listed: archive.time)
            else { return nil }
            return EngineRecord(
                identifier: archive.name, taken: taken, owner: String(owner), run: String(run),
                part: isStores ? .stores : .container)
        }
    }

    func restoreSnapshot(_ snapshot: String, into directory: FilePath) throws(BackupError) {
        let ended = try program.run(
            ["--log-json", "extract", "--numeric-ids", "--sparse", "::\(snapshot)"], in: directory)
        guard ended.code == 0 else { throw failure(ended) }
    }

    private static let storesSuffix = "-stores"

    func removeSnapshot(_ snapshot: String, within limit: Duration) throws(BackupError) {
        let ended = try program.run(["--log-json", "delete", "::\(snapshot)"], timeLimit: limit)
        guard ended.code == 0 else { throw failure(ended) }
    }

    /// Returns the mode bits of a text such as `-rwsr-x--T`.
    private static func permissions(_ text: String) -> UInt16 {
        var permissions: UInt16 = 0
        for (index, letter) in text.utf8.dropFirst().prefix(9).enumerated() {
            let isLast = index % 3 == 2
            if letter != UInt8(ascii: "-"), !(isLast && (letter == UInt8(ascii: "S") || letter == UInt8(ascii: "T"))) {
                permissions |= 0o400 >> UInt16(index)
            }
            // The letters s, S, t and T replace an x.
            if isLast, [UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "t"), UInt8(ascii: "T")].contains(letter) {
                permissions |= 0o4000 >> UInt16(index / 3)
            }
        }
        return permissions
    }

    private func failure(_ ended: ExternalProgram.Termination) -> BackupError {
        struct Message: Decodable {
            let message: String?
            let msgid: String?
        }
        let messages = ended.errors.map { line in
            (try? JSONDecoder().decode(Message.self, from: Data(line.utf8))) ?? Message(message: line, msgid: nil)
        }
        let text = program.quotation(
            messages.compactMap(\.message).flatMap { $0.split(separator: "\n").map(String.init) })
        let what = "borg exited with \(ended.code): \(text)"
        switch messages.last(where: { $0.msgid != nil })?.msgid {
        case "Repository.DoesNotExist", "Repository.InvalidRepository":
            return BackupError(.noRepository, what: what, hint: "create the repository with `borg init`")
        case "LockTimeout", "LockError", "LockErrorT":
            return BackupError(.locked, what: what, hint: "wait until the other process ends")
        case "PassphraseWrong", "PasswordRetriesExceeded", "NoPassphraseFailure":
            return BackupError(.failed, what: what, hint: "provide the password of the repository")
        default: return BackupError(.failed, what: what)
        }
    }
}
