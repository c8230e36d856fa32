package import Foundation

/// A third-party reader of iPhone backups, from PyPI (Tests/requirements.txt).
///
/// Each script prints one JSON object per entry: `domain`, `path` and, if the reader provides them, `mode` (with the bits
/// of the kind), `size`, `modified`, `target`, `sha256`.
package enum IndependentReader: String, CaseIterable, Sendable {
    case dissect = "dissect.target"
    case mvt
    case pyiosbackup
    case iOSbackup
    /// Reads encrypted backups only.
    case iphoneBackupDecrypt = "iphone_backup_decrypt"

    /// The readers of unencrypted backups.
    package static let allCases: [IndependentReader] = [.dissect, .mvt, .pyiosbackup, .iOSbackup]
    /// The readers of encrypted backups.
    package static let ofEncrypted: [IndependentReader] = [.dissect, .pyiosbackup, .iOSbackup, .iphoneBackupDecrypt]

    private var code: String {
        switch self {
        case .dissect:
            """
            from dissect.target.loaders.itunes import ITunesBackup
            from dissect.target.filesystems.itunes import ITunesFilesystem
            backup = ITunesBackup(root)
            assert backup.encrypted == bool(password)
            backup.open(password)
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
            backup = Backup.from_path(root, password or "")
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
            secret = dict(cleartextpassword=password) if password else {}
            backup = iOSbackup(udid=root.name, backuproot=str(root.parent), **secret)
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
        case .iphoneBackupDecrypt:
            """
            from iphone_backup_decrypt import EncryptedBackup
            from iphone_backup_decrypt.utils import FilePlist
            backup = EncryptedBackup(backup_directory=str(root), passphrase=password)
            assert backup.test_decryption()
            with backup.manifest_db_cursor() as cursor:
                rows = cursor.execute("SELECT domain, relativePath, file FROM Files WHERE flags = 1").fetchall()
            for domain, path, record in rows:
                fields = FilePlist(record)
                content = backup.extract_file_as_bytes(path, domain_like=domain)
                tell(dict(domain=domain, path=path, mode=fields.data["Mode"], size=fields.filesize, modified=fields.mtime,
                          sha256=sha256(content)))
            """
        }
    }

    /// True if the reader lists files, but not directories and links.
    package var listsFilesOnly: Bool { self == .iphoneBackupDecrypt }

    /// The files whose content the reader returns: those with content, all, or none.
    package var givesContent: (filled: Bool, empty: Bool) {
        switch self {
        case .dissect, .pyiosbackup, .iphoneBackupDecrypt: (true, true)
        case .iOSbackup: (true, false)
        case .mvt: (false, false)
        }
    }

    /// Returns the entries of the backup in a folder, with the password of an encrypted one.
    package func read(_ backup: URL, password: String? = nil) throws -> [ReaderRow] {
        let frame = """
            import sys, os, json, stat, hashlib, tempfile, shutil, subprocess, datetime, pathlib
            root = pathlib.Path(sys.argv[1])
            password = sys.argv[2] if len(sys.argv) > 2 else None
            def sha256(content): return hashlib.sha256(content).hexdigest()
            def tell(row): sys.stdout.write(json.dumps(row) + "\\n")

            """
        let run = try Command(
            Command.python(), ["-c", frame + code, backup.path] + (password.map { [$0] } ?? []),
            environment: ["PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "ignore"])
        guard run.code == 0 else { throw ReaderFailure(description: "\(rawValue): \(run.errors)") }
        return try run.output.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(ReaderRow.self, from: $0)
        }
    }
}

/// An error of a reader that did not open a backup.
struct ReaderFailure: Error, CustomStringConvertible { let description: String }

/// An entry as a reader returns it.
package struct ReaderRow: Codable {
    package let domain: String
    package let path: String
    package let mode: UInt16
    package let size: UInt64
    package let modified: Int64
    package let inode: UInt64?
    package let user: Int64?
    package let group: Int64?
    package let target: String?
    package let sha256: String?

    /// The path as bytes.
    package var name: [UInt8] { Array("\(domain)/\(path)".utf8) }
}
