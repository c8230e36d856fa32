import AppContainer
import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite(
    "A repository on a full disk", .needs([.externalProgram, .root]), .timeLimit(.minutes(60)),
    .enabled(if: Platform.isLinux, "mounts in a namespace of unshare"))
struct FullDiskTests {
    /// Runs a script in a mount namespace. `disk` is a file system of 24 MB in memory, and `store` has four snapshots with
    /// new small files in each, which are in packs, and a large one. The function `full` puts the repository on the
    /// disk and fills it, and `same` compares the restored container with the original.
    private func onFullDisk(_ script: String) throws -> Command {
        try withScratch { folder throws in
            let setUp = """
                set -u
                for snapshot in 1 2 3 4; do
                    rm -rf c; mkdir -p c/Documents/$snapshot
                    for number in $(seq 80); do
                        mkdir -p c/Documents/$snapshot/$((number % 7)); head -c 15000 /dev/urandom > c/Documents/$snapshot/$((number % 7))/$number
                    done
                    head -c 1200000 /dev/urandom > c/Documents/large; echo same > c/Documents/same
                    "$TOOL" create c --bundle-id a.b --tag t$snapshot --repository store > /dev/null
                done
                mkdir disk; mount -t tmpfs -o size=24m none disk
                full() {
                    rm -rf disk/*; cp -r store disk/store; cat /dev/zero > disk/fill 2> /dev/null
                    [ "$(stat -f -c %a disk)" = 0 ] || echo "not full"
                }
                same() {
                    "$TOOL" verify --repository disk/store > /dev/null || echo damaged
                    rm -rf out; "$TOOL" restore latest --repository disk/store --to out > /dev/null; diff -r c/Documents out/Documents
                }

                """
            return try Command(
                "unshare", ["-m", "bash", "-c", setUp + script], in: folder,
                environment: ["TOOL": Command.sandboxbackup])
        }
    }

    @Test("forget and prune free space, and the repository can be read before and after")
    func freed() throws {
        let run = try onFullDisk(
            """
            full
            same; "$TOOL" snapshots --repository disk/store --format jsonl | wc -l
            "$TOOL" create c --bundle-id a.b --repository disk/store 2> message; echo "create $?"; grep -c 'disk is full\\|No space' message
            "$TOOL" forget 2 --repository disk/store > /dev/null; echo "forget $?"
            "$TOOL" forget --keep-last 1 --repository disk/store > /dev/null; echo "forget $?"
            "$TOOL" prune --repository disk/store > /dev/null; echo "prune $?"
            [ "$(stat -f -c '%a' disk)" -gt 1000 ] || echo "nothing freed"
            same; "$TOOL" snapshots --repository disk/store --format jsonl | wc -l
            ls disk/store | grep -v sqlite-
            : > disk/store/reserve; echo more > c/Documents/more; "$TOOL" create c --bundle-id a.b --repository disk/store > /dev/null; same
            stat -c %s disk/store/reserve
            """)
        #expect(
            run.text == """
                4
                create 1
                1
                forget 0
                forget 0
                prune 0
                1
                catalogue.sqlite
                objects
                packs
                reserve
                snapshots
                1048576

                """, "\(run.text)\(run.errors)")
    }

    @Test("Without a reserve, the error says that the disk is full, and nothing changes")
    func withoutReserve() throws {
        let run = try onFullDisk(
            """
            rm store/reserve; full
            for command in "forget --keep-last 1" prune; do
                "$TOOL" $command --repository disk/store 2> message; echo $?; grep -c 'full.*free disk space' message
            done
            same; "$TOOL" snapshots --repository disk/store --format jsonl | wc -l
            """)
        #expect(run.text == "1\n1\n1\n1\n4\n", "\(run.text)\(run.errors)")
    }

    @Test("After a termination at any time, the kept snapshot is complete, and the next run frees the space")
    func killed() throws {
        let run = try onFullDisk(
            """
            killed=0
            for round in $(seq 1 20); do
                full
                for command in "forget --keep-last 1" prune; do
                    timeout -s KILL 0.0$((round * 3 % 10))$round "$TOOL" $command --repository disk/store > /dev/null 2>&1
                    [ $? != 137 ] || killed=$((killed + 1))
                    same
                done
                "$TOOL" forget --keep-last 1 --repository disk/store > /dev/null || echo "forget $?"
                "$TOOL" prune --repository disk/store > /dev/null || echo "prune $?"
                same
                [ "$(du -sk disk/store | cut -f 1)" -lt 6000 ] || du -sk disk/store
            done 2> /dev/null
            [ $killed -gt 10 ] && echo enough || echo $killed
            """)
        #expect(run.text == "enough\n", "\(run.text)\(run.errors)")
    }
}

@Suite("Paths that are longer than the kernel takes", .needs(.externalProgram), .timeLimit(.minutes(60)))
struct LongPathTests {
    @Test("They are stored, listed, verified and restored")
    func restored() throws {
        try withScratch { folder throws in
            // Each directory is opened from the one above it.
            let make = """
                import os, sys
                os.makedirs("c/Documents"); os.chdir("c/Documents")
                for level in range(45):
                    os.mkdir("d" * 200); os.chdir("d" * 200)
                    if level % 20 == 0: open("near", "w").write(str(level))
                open("deep", "w").write("Dear reader"); os.symlink("nowhere", "link"); os.link("deep", "again")
                os.setxattr("deep", "user.com.example", b"kept"); os.chmod("deep", 0o640); os.utime("deep", (1, 2))
                """
            let list = """
                import os, sys
                def walk(name, depth):
                    os.chdir(name)
                    for name in sorted(os.listdir(".")):
                        status = os.lstat(name)
                        found = [depth, name[:5], oct(status.st_mode), status.st_nlink, int(status.st_mtime) if name == "deep" else 0]
                        if os.path.isfile(name): found += [open(name).read(), os.listxattr(name)]
                        if os.path.islink(name): found.append(os.readlink(name))
                        print(found)
                        if os.path.isdir(name): walk(name, depth + 1); os.chdir("..")
                walk(sys.argv[1], 0)
                """
            try Command.setUp("python3", ["-c", make], in: folder)
            func listing(_ path: String) throws -> String {
                try Command("python3", ["-c", list, path], in: folder).succeeded().text
            }
            func run(_ arguments: String...) throws -> String {
                try sandboxbackup(arguments + ["--repository", "r"], in: folder).succeeded().text
            }
            #expect(try run("create", "c", "--bundle-id", "a.b").contains("5 files"))
            #expect(try run("create", "c", "--bundle-id", "a.b").contains("0 files read"))
            #expect(try run("verify").contains("no damage"))
            _ = try run("restore", "latest", "--to", "out")
            let expected = try listing("c/Documents")
            #expect(expected.contains("Dear reader") && expected.contains("user.com.example"))
            #expect(try listing("out/Documents") == expected)
            #expect(try run("restore", "latest", "--to", "out").contains("restored 0 files"))
            let path =
                "Documents/" + Array(repeating: String(repeating: "d", count: 200), count: 45).joined(separator: "/")
            #expect(try run("dump", "latest", path + "/deep") == "Dear reader")
            _ = try run("restore", "latest", path + "/deep", "--to", "one")
            #expect(try listing("one/Documents").contains("Dear reader"))
        }
    }
}
