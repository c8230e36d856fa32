import AppContainer
import Foundation
import SystemPackage
import TestSupport

/// Calls `body` with a container that has everything a file system can store for an app, created with other tools.
///
/// Its links have no attributes: Linux refuses them except in namespaces that apps cannot use.
func withRichContainer<Result>(_ body: (URL, _ container: URL) throws -> Result) throws -> Result {
    let code = #"""
        import os, plistlib, sqlite3, subprocess, sys
        for d in ["Documents/notes", "Documents/empty", "Documents/tiles", "Library/Application Support/com.example.app",
                  "Library/Caches/web", "tmp", "Other"]:
            os.makedirs(d, exist_ok=True)
        def put(path, content):
            with open(path, "wb") as file: file.write(content)
        put("Documents/letter.txt", b"Dear reader")
        put("Documents/nothing", b"")
        put("Documents/film.bin", os.urandom(9_000_000))
        put("Documents/photo.bin", os.urandom(100_000))
        for n in range(9): put(f"Documents/notes/{n}.txt", b"%d\n" % n * 100)
        os.link("Documents/letter.txt", "Documents/notes/same.txt")
        os.symlink("../letter.txt", "Documents/notes/link")
        os.symlink("/nowhere/at/all", "Documents/dangling")
        os.symlink(b"\xff", b"Documents/to-bytes")
        for name in [b"new\nline", b"\xffbytes", b" blank ", b"back\\slash", b"esc\x1b[31m", "e\u0301".encode(),
                     "\u00e9".encode(), b"-dash", b"quote'\"", b"n" * 255, b"%41", b"a=b#c"]:
            put(b"Documents/" + name, name)
        os.mkdir(b"Documents/\xfedirectory")
        put(b"Documents/\xfedirectory/in", b"x")
        with open("Documents/sparse.bin", "wb") as file:
            file.seek(20_000_000); file.write(b"end"); file.truncate(30_000_000)
        with open("Documents/hole.bin", "wb") as file: file.truncate(9_000_000)
        os.chown("Documents/photo.bin", 501, 20)
        os.chown("Documents/empty", 501, 20)
        os.lchown("Documents/dangling", 501, 20)
        for path, mode in [("", 0o750), ("Documents/letter.txt", 0o600), ("Documents/notes", 0o1750),
                           ("Documents/photo.bin", 0o444), ("Documents/film.bin", 0o4755), ("Documents/nothing", 0o2640),
                           ("Documents/empty", 0o2770), ("Documents/hole.bin", 0), ("Documents/notes/3.txt", 0o7777)]:
            os.chmod("./" + path, mode)
        flag = "com.apple.metadata:com_apple_backup_excludeItem"
        for path, name, value in [("", "com.example.mark", b"of the root"), ("Documents/letter.txt", "com.example.mark", b"a\0\xff"),
                                  ("Documents/notes", "com.example.mark", b"of a directory"),
                                  ("Documents/photo.bin", "com.example.empty", b""),
                                  ("Documents/empty", "com.apple.FinderInfo", bytes(32)),
                                  ("Documents/film.bin", "long", b"v" * 3000), ("Documents/tiles", flag, b"com.apple.backupd"),
                                  ("Documents/notes/8.txt", flag, b"com.apple.backupd")]:
            os.setxattr("./" + path, "user." + name, value)
        put("Documents/tiles/1.png", b"tile")
        put("Library/Caches/web/a", b"cached")
        put("tmp/b", b"gone")
        put("Other/thing", b"x")
        put("Library/Preferences/com.example.app.plist", plistlib.dumps({"nightMode": True}, fmt=plistlib.FMT_BINARY))
        db = sqlite3.connect("Documents/rest.sqlite")
        db.executescript("CREATE TABLE note(a); INSERT INTO note VALUES('kept')")
        db.close()
        if os.fork() == 0:
            db = sqlite3.connect("Library/Application Support/com.example.app/log.sqlite", isolation_level=None)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("CREATE TABLE note(a)")
            db.execute("INSERT INTO note VALUES('in the log')")
            os._exit(0)
        os.wait()
        place = os.open("Documents", os.O_RDONLY)
        for level in range(300):
            os.mkdir("deep", dir_fd=place)
            place = os.open("deep", os.O_RDONLY, dir_fd=place)
        os.write(os.open("leaf", os.O_CREAT | os.O_WRONLY, dir_fd=place), b"deep down")
        if sys.platform == "linux": subprocess.run(["setfacl", "-m", "u:1234:r", "Documents/notes/5.txt"], check=True)
        os.mkfifo("Documents/pipe")
        # Not every file system has it.
        if sys.platform == "linux": subprocess.run(["chattr", "+d", "Documents/notes/6.txt"], stderr=subprocess.DEVNULL)
        second = 1_000_000_000
        for path, ns in [("letter.txt", 1580702706_123456789), ("dangling", 1580702706_999999999), ("nothing", -1_500000000),
                         ("photo.bin", 4102444800_000000001), ("notes/1.txt", -1), ("empty", 1), ("notes", 2 * second)]:
            os.utime("Documents/" + path, ns=(ns, ns), follow_symlinks=False)
        """#
    return try withScratch { folder throws in
        let container = folder.appending(path: "container")
        _ = try Container.create(at: FilePath(container.path), bundleIdentifier: "com.example.app")
        try python(code, in: container)
        return try body(folder, container)
    }
}
