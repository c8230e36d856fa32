internal import BackupRepository
internal import FileSystem
internal import Foundation
internal import SystemPackage

/// borg 1.2 and what follows of 1.x.
///
/// Source: borg's manual, “Internals: frontends” (messages, JSON) and “borg create”, and its 1.2.4 as Debian 12 has it.
struct BorgEngine: BackupEngine {
    let version: String
    let includesRoot = true
    let preservesBinaryTargets = true
    private var program: EngineProgram

    init(_ place: EngineRepository) throws(BackupError) {
        program = try EngineProgram("borg")
        let version = try program.version("--version", atLeast: (1, 2))
        self.version = version.text
        program.environment = [
            "BORG_REPO": place.location, "TZ": "UTC", "PYTHONUTF8": "1", "BORG_EXIT_CODES": "legacy",
        ]
        var password = try place.password()
        if place.passwordFile != nil, password == nil {
            throw BackupError(.failed, "the password file is not UTF-8", hint: "give the password by BORG_PASSCOMMAND")
        }
        if password?.hasSuffix("\n") == true { password?.removeLast() }
        if let password { program.environment["BORG_PASSPHRASE"] = password }
        program.secrets = EngineSecrets(
            location: place.location, password: password, environment: ProcessInfo.processInfo.environment)
    }

    func name(of path: [UInt8]) -> [UInt8] {
        // As Python's encoder has it where it is told to replace.
        path.isEmpty ? Array(".".utf8) : EngineNames.text(of: path, replacement: "?")
    }

    /// borg shows microseconds, made of a floating point number, and nothing before 1970.
    func shows(_ time: Timestamp, as listed: Timestamp) -> Bool {
        guard time.seconds >= 0 else { return listed.seconds == 0 && listed.nanoseconds == 0 }
        let seconds = time.seconds.subtractingReportingOverflow(listed.seconds)
        guard !seconds.overflow, abs(seconds.partialValue) <= 1 else { return false }
        return abs(seconds.partialValue * 1_000_000_000 + Int64(time.nanoseconds) - Int64(listed.nanoseconds)) < 2_000
    }

    /// borg knows by its own cache what has not changed.
    func last(of owner: String) throws(BackupError) -> String? { nil }

    func make(_ task: EngineTask) throws(BackupError) -> String {
        let name = "\(task.owner)-\(task.run)" + (task.part == .stores ? "-stores" : "")
        let list = try EngineListFile { output in
            task.items.each { output(($0.path.isEmpty ? [UInt8(ascii: ".")] : $0.path) + [0]) }
        }
        defer { list.remove() }
        let ended = try program.run(
            [
                "--log-json", "create", "--paths-from-stdin", "--paths-delimiter", "\\0", "--compression", "zstd",
                "::\(name)",
            ], in: task.directory, input: list.location)
        // 1: there were warnings; what is not as it should be, the listing tells.
        guard ended.code == 0 || ended.code == 1 else { throw failure(ended) }
        return name
    }

    func list(_ snapshot: String, atMost most: Int, _ body: (ListedItem) -> Void) throws(BackupError) {
        struct Item: Decodable {
            let type, mode, path, mtime: String
            let size: UInt64
        }
        let decoder = JSONDecoder()
        let arguments = ["--log-json", "list", "--json-lines", "::\(snapshot)"]
        let ended = try program.run(arguments, mostLines: most) { line throws(BackupError) in
            guard let item = try? decoder.decode(Item.self, from: line) else {
                throw BackupError(.failed, "borg's listing of \(snapshot) is not understood")
            }
            let kinds: [String: FileKind] = ["-": .file, "d": .directory, "l": .symbolicLink]
            body(
                ListedItem(
                    name: Array(item.path.utf8), kind: kinds[item.type] ?? .unknown,
                    // Further names of a file have its content under the first.
                    size: item.mode.hasPrefix("h") ? nil : item.size, permissions: Self.permissions(item.mode),
                    modified: Timestamp(listed: item.mtime)))
        }
        guard ended.code == 0 else { throw failure(ended) }
    }

    func remove(_ snapshot: String, within limit: Duration) throws(BackupError) {
        let ended = try program.run(["--log-json", "delete", "::\(snapshot)"], timeLimit: limit)
        guard ended.code == 0 else { throw failure(ended) }
    }

    /// The bits of `-rwsr-x--T`.
    private static func permissions(_ text: String) -> UInt16 {
        var permissions: UInt16 = 0
        for (index, letter) in text.utf8.dropFirst().prefix(9).enumerated() {
            let isLast = index % 3 == 2
            if letter != UInt8(ascii: "-"), !(isLast && (letter == UInt8(ascii: "S") || letter == UInt8(ascii: "T"))) {
                permissions |= 0o400 >> UInt16(index)
            }
            // Set-user-id, set-group-id and the sticky bit stand at the place of each x.
            if isLast, [UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "t"), UInt8(ascii: "T")].contains(letter) {
                permissions |= 0o4000 >> UInt16(index / 3)
            }
        }
        return permissions
    }

    private func failure(_ ended: EngineProgram.Termination) -> BackupError {
        struct Message: Decodable {
            let message: String?
            let msgid: String?
        }
        let messages = ended.errors.map { line in
            (try? JSONDecoder().decode(Message.self, from: Data(line.utf8))) ?? Message(message: line, msgid: nil)
        }
        let text = program.said(messages.compactMap(\.message).flatMap { $0.split(separator: "\n").map(String.init) })
        let what = "borg ended with \(ended.code) and says: \(text)"
        switch messages.last(where: { $0.msgid != nil })?.msgid {
        case "Repository.DoesNotExist", "Repository.InvalidRepository":
            return BackupError(.noRepository, what, hint: "make the repository with `borg init`")
        case "LockTimeout", "LockError", "LockErrorT":
            return BackupError(.locked, what, hint: "wait for whoever uses it")
        case "PassphraseWrong", "PasswordRetriesExceeded", "NoPassphraseFailure":
            return BackupError(.failed, what, hint: "give the repository's password")
        default: return BackupError(.failed, what)
        }
    }
}
