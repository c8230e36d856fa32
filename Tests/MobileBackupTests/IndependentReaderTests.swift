import Foundation
import MobileBackup
import TestSupport
import Testing

/// A program of someone else's that reads such backups, from PyPI (Tests/requirements.txt).
///
/// Each prints an object a line for what it has read: `domain`, `path`, and as far as it tells it `mode` (with the bits
/// of the kind), `size`, `modified`, `target`, `sha256`.
enum IndependentReader: String, CaseIterable {
    case dissect = "dissect.target"
    case mvt
    case pyiosbackup
    case iOSbackup

    var code: String {
        switch self {
        case .dissect:
            """
            from dissect.target.loaders.itunes import ITunesBackup
            from dissect.target.filesystems.itunes import ITunesFilesystem
            backup = ITunesBackup(root)
            assert not backup.encrypted
            backup.open()
            fs = ITunesFilesystem(backup)
            for file in backup.files():
                entry = fs.get(file.translated_path)
                status = entry.lstat()
                row = dict(domain=file.domain, path=file.relative_path, mode=status.st_mode, size=status.st_size,
                           modified=int(status.st_mtime), inode=status.st_ino, user=status.st_uid, group=status.st_gid)
                if stat.S_ISLNK(status.st_mode): row["target"] = entry.readlink()
                if stat.S_ISREG(status.st_mode): row["sha256"] = sha256(entry.open().read())
                tell(row)
            """
        case .mvt:
            """
            out = tempfile.mkdtemp()
            # It would write to the home directory, and ask the network for a newer one of its own.
            alone = dict(os.environ, HOME=out, XDG_CONFIG_HOME=out, XDG_DATA_HOME=out, MVT_NETWORK_ACCESS_ALLOWED="False")
            run = subprocess.run([os.path.join(os.path.dirname(sys.executable), "mvt-ios"), "check-backup", "-m", "Manifest",
                                  "-o", out, str(root)], env=alone, capture_output=True, text=True)
            assert run.returncode == 0, run.stdout + run.stderr
            for file in json.load(open(os.path.join(out, "manifest.json"))):
                assert "missing" not in file, file
                time = datetime.datetime.fromisoformat(file["modified"]).replace(tzinfo=datetime.timezone.utc)
                tell(dict(domain=file["domain"], path=file["relative_path"], mode=int(file["mode"], 8), size=file["size"],
                          modified=int(time.timestamp()), user=file["owner"]))
            shutil.rmtree(out)
            """
        case .pyiosbackup:
            """
            from pyiosbackup import Backup
            backup = Backup.from_path(root)
            stats = backup.stats()
            for entry in backup.iter_entries():
                row = dict(domain=entry.domain, path=entry.relative_path, mode=entry.mode, size=entry.size,
                           modified=int(entry.last_modified.timestamp()), user=entry.user_id, group=entry.group_id)
                if entry.is_file(): row["sha256"] = sha256(entry.read_bytes())
                tell(row)
            """
        case .iOSbackup:
            """
            from iOSbackup import iOSbackup
            backup = iOSbackup(udid=root.name, backuproot=str(root.parent))
            out = tempfile.mkdtemp()
            for file in backup.getBackupFilesList():
                info = iOSbackup.getFileInfo(file["file"])
                row = dict(domain=file["domain"], path=file["relativePath"], mode=info["mode"], size=info["size"],
                           modified=int(info["lastModified"].timestamp()), user=info["userID"], inode=info["inode"])
                # It takes everything of size 0 for a folder.
                if not info["isFolder"]:
                    copy = backup.getFileDecryptedCopy(manifestEntry=dict(file, manifest=file["file"]), targetFolder=out,
                                                       targetName="copy")
                    row["sha256"] = sha256(open(copy["decryptedFilePath"], "rb").read())
                tell(row)
            shutil.rmtree(out)
            """
        }
    }

    /// Whether it gives out the content of files that hold something, of all, or of none.
    var givesContent: (filled: Bool, empty: Bool) {
        switch self {
        case .dissect, .pyiosbackup: (true, true)
        case .iOSbackup: (true, false)
        case .mvt: (false, false)
        }
    }

    /// What it tells of the backup in a folder.
    func read(_ backup: URL) throws -> [ReaderRow] {
        let frame = """
            import sys, os, json, stat, hashlib, tempfile, shutil, subprocess, datetime, pathlib
            root = pathlib.Path(sys.argv[1])
            def sha256(content): return hashlib.sha256(content).hexdigest()
            def tell(row): sys.stdout.write(json.dumps(row) + "\\n")

            """
        let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let run = try Command(
            top.appending(path: ".build-python/bin/python3").path, ["-c", frame + code, backup.path],
            environment: ["PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "ignore"])
        try #require(run.code == 0, "\(rawValue): \(run.errors)")
        return try run.output.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(ReaderRow.self, from: $0)
        }
    }
}

/// What a reader tells of an entry.
struct ReaderRow: Codable {
    let domain: String
    let path: String
    let mode: UInt16
    let size: UInt64
    let modified: Int64
    let inode: UInt64?
    let user: Int64?
    let group: Int64?
    let target: String?
    let sha256: String?

    /// The name, as its bytes.
    var name: [UInt8] { Array("\(domain)/\(path)".utf8) }
}

@Suite("Backups in Apple's layout and other people's readers") struct IndependentReaderTests {
    private func kindBits(_ kind: BackupEntry.Kind) -> UInt16 {
        switch kind {
        case .file: 0o100000
        case .directory: 0o040000
        case .symbolicLink: 0o120000
        }
    }

    private func sha256(_ bytes: [UInt8]) throws -> String {
        try withScratch { folder throws in
            let file = folder.appending(path: "content")
            try Data(bytes).write(to: file)
            return String(try Command("sha256sum", [file.path]).text.prefix(64))
        }
    }

    @Test(
        "Each opens what is written here, and reads of every entry what was put in",
        arguments: IndependentReader.allCases)
    func opens(reader: IndependentReader) throws {
        let made = try madeContainer()
        try withBackup(of: made) { backup throws in
            let rows = try reader.read(backup)
            #expect(rows.count == 22)
            #expect(Set(rows.map(\.name)).count == 22)
            for one in made {
                let name = Array("\(one.entry.domain.name)/\(one.entry.path.text)".utf8)
                let row = try #require(rows.first { $0.name == name }, "\(one.entry.path.text)")
                #expect(row.mode == kindBits(one.entry.kind) | one.entry.facts.permissions)
                #expect(row.size == UInt64(one.content.count))
                #expect(row.modified == one.entry.facts.modified)
                #expect(row.user ?? 501 == 501 && row.group ?? 501 == 501 && row.inode ?? 4711 == 4711)
                if case .symbolicLink(let target) = one.entry.kind, reader == .dissect { #expect(row.target == target) }
                let isGiven = one.content.isEmpty ? reader.givesContent.empty : reader.givesContent.filled
                if one.entry.kind == .file, isGiven {
                    #expect(try row.sha256 == sha256(one.content), "\(one.entry.path.text)")
                } else {
                    #expect(row.sha256 == nil)
                }
            }
            // They leave the backup as it was.
            #expect(try open(backup).problems().isEmpty)
        }
    }

    @Test("None of them sees a payload that has changed at the same length; a verification here does")
    func changedPayload() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try Planting(backup: backup).change { [$0[0] ^ 1] + $0.dropFirst() }
            for reader in IndependentReader.allCases { #expect(try reader.read(backup).count == 22) }
            #expect(try open(backup).problems().map(\.kind) == [.payloadChanged])
        }
    }
}
