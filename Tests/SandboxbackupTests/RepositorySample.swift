import AppContainer
import Foundation
import SystemPackage
import TestSupport

/// Calls `body` with a container that has every kind of item, created with other tools, and a path for a repository.
func withRepositorySample<Result>(_ body: (URL, _ container: String, _ store: String) throws -> Result) throws -> Result
{
    try withScratch { folder throws in
        let container = folder.appending(path: "container")
        _ = try Container.create(at: FilePath(container.path), bundleIdentifier: "com.example.app")
        let script = """
            set -eu
            mkdir -p Documents/notes Documents/empty 'Library/Application Support/x'
            printf 'Dear reader' > Documents/letter.txt
            for number in $(seq 40); do seq $number 200 > Documents/notes/$number.txt; done
            head -c 9000000 /dev/urandom > Documents/film.bin
            head -c 100000 /dev/urandom > Documents/photo.bin
            cp Documents/photo.bin Documents/again.bin
            truncate -s 30M Documents/sparse.bin
            printf end | dd of=Documents/sparse.bin bs=1 seek=20000000 conv=notrunc status=none
            truncate -s 9M Documents/hole.bin
            : > Documents/nothing
            ln Documents/letter.txt Documents/notes/same.txt
            ln -s ../letter.txt Documents/notes/link
            ln -s /nowhere/at/all Documents/dangling
            printf x > "$(printf 'Documents/new\\nline')"; printf y > "$(printf 'Documents/\\377bytes')"
            chmod 600 Documents/letter.txt; chmod 1750 Documents/notes; chmod 444 Documents/photo.bin
            \(AttributeTool.command(setting: "user.com.example.mark", to: "kept")) Documents/letter.txt Documents/notes
            \(AttributeTool.command(setting: "user.com.example.empty", to: "")) Documents/photo.bin
            sqlite3 Documents/rest.sqlite "CREATE TABLE note(a); INSERT INTO note VALUES('kept')"
            sqlite3 Documents/log.sqlite "PRAGMA journal_mode = WAL; CREATE TABLE note(a)" > /dev/null
            touch -d '2020-02-03 04:05:06.123456789' Documents/letter.txt Documents/dangling -h
            touch -d '1969-12-31 23:59:58.5' Documents/nothing
            printf cached > Library/Caches/a; printf gone > tmp/b
            """
        try Command.setUp("bash", ["-c", script], in: container)
        return try body(folder, container.path, folder.appending(path: "store").path)
    }
}

/// Returns a listing of the items that must be restored exactly.
func listing(_ folder: URL) throws -> TreeListing { try TreeListing(of: folder.appending(path: "Documents")) }
