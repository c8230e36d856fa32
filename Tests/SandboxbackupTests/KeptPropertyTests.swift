import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("The table of properties in the guide to backups", .needs(.externalProgram), .timeLimit(.minutes(60)))
struct KeptPropertyTests {
    /// A property of an item: how the tools of the system make and show it.
    private struct Property {
        /// The name in the table.
        let name: String
        /// A script that gives an item `$item` the property.
        let make: String
        /// A script that prints the property of `$item`, and nothing if there is no item.
        let show: String
        /// True if only root can make or restore the property.
        var needsRoot = false
    }

    /// Returns a script that gives `$item` an attribute of any namespace, with a value in hexadecimal digits.
    private static func setting(_ name: String, _ value: String) -> String {
        #"python3 -c "import os, sys; os.setxattr(sys.argv[1], '\#(name)', bytes.fromhex('\#(value)'))" $item"#
    }

    /// Returns a script that prints the value of an attribute of `$item`.
    private static func showing(_ name: String) -> String {
        #"python3 -c "import os, sys; print(os.getxattr(sys.argv[1], '\#(name)').hex())" $item"#
    }

    private static let properties = [
        Property(name: "content", make: "printf 'a\\0b' > $item", show: "od -c $item"),
        Property(
            name: "holes", make: "truncate -s 9M $item; printf end | dd of=$item bs=1 seek=5000000 conv=notrunc",
            show: "stat -c '%s %b' $item"),
        Property(name: "name", make: ": > $item$'\\n\\377'", show: "ls -b $item*"),
        Property(name: "permissions", make: ": > $item; chmod 1642 $item", show: "stat -c %a $item"),
        Property(
            name: "set-user-ID and set-group-ID bits", make: ": > $item; chmod 6755 $item", show: "stat -c %a $item"),
        Property(
            name: "owner and group", make: ": > $item; chown 1234:2345 $item", show: "stat -c %u:%g $item",
            needsRoot: true),
        Property(
            name: "modification time", make: ": > $item; touch -d '2001-02-03 04:05:06.123456789' $item",
            show: "stat -c %y $item"),
        Property(
            name: "access time", make: ": > $item; touch -a -d '2001-02-03 04:05:06.123456789' $item",
            show: "stat -c %x $item"),
        Property(name: "creation time", make: ": > $item; [ $(stat -c %W $item) != 0 ]", show: "stat -c %w $item"),
        Property(
            name: "extended attributes", make: ": > $item; \(setting("user.com.example.mark", "6100ff"))",
            show: showing("user.com.example.mark")),
        Property(
            name: "access control list", make: ": > $item; setfacl -m u:1234:rw $item", show: "getfacl -nc $item"),
        Property(
            name: "default access control list", make: "mkdir $item; setfacl -d -m u:1234:rwx $item",
            show: "getfacl -nc $item"),
        Property(
            name: "capabilities",
            make: ": > $item; \(setting("security.capability", "0100000200040000000000000000000000000000"))",
            show: showing("security.capability"), needsRoot: true),
        // Without the list of extents (e), which belongs to the layout on the disk.
        Property(
            name: "flags of `chattr`", make: ": > $item; chattr +i $item",
            show: "lsattr -d $item | tr -d e", needsRoot: true),
        Property(
            name: "hard links", make: ": > $item; ln $item $item-2",
            show: "[ $item -ef $item-2 ] && stat -c %h $item"),
        Property(
            name: "symbolic links", make: "ln -s ../nowhere $item; touch -h -d '2001-02-03 04:05:06.123456789' $item",
            show: "stat -c '%N %u:%g %y' $item"),
        Property(name: "empty directories", make: "mkdir $item", show: "ls -ld --time-style=full-iso $item"),
        Property(name: "pipes, sockets and devices", make: "mkfifo $item", show: "stat -c %F $item"),
        Property(
            name: "`-shm` files of databases",
            make: """
                mkdir $item; python3 -c "import os, sqlite3, sys
                db = sqlite3.connect(sys.argv[1], isolation_level=None)
                db.execute('PRAGMA journal_mode = WAL'); db.execute('CREATE TABLE t(a)'); os._exit(0)" $item/db
                [ -s $item/db-shm ]
                """, show: "ls $item"),
    ]

    /// The properties that this user and this file system can have, with the names of their items.
    private static func made(in documents: URL) throws -> [(property: Property, item: String)] {
        try properties.enumerated().filter { getuid() == 0 || !$1.needsRoot }.map { number, property in
            try Command.setUp(
                "bash", ["-euc", property.make], in: documents, environment: ["item": "./property-\(number)"])
            return (property, "./property-\(number)")
        }
    }

    private static func shown(_ property: Property, _ item: String, in documents: URL) throws -> String {
        try Command("bash", ["-uc", property.show], in: documents, environment: ["item": item]).text
    }

    @Test("It states for each property whether a restored item has it", .enabled(if: Platform.isLinux))
    func table() throws {
        let rows = DocumentationPage("docs/backup.md").prose.map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let start = try #require(rows.firstIndex { $0.prefix(2) == ["property", "kept"] })
        let table = rows[(start + 2)...].prefix { $0.count > 1 }
        #expect(table.map(\.first) == Self.properties.map(\.name))
        #expect(table.allSatisfy { ["yes", "no"].contains($0[1]) })
        let stated = Dictionary(table.map { ($0[0], $0[1]) }) { $1 }
        try withScratch { folder throws in
            let container = folder.appending(path: "container")
            _ = try Container.create(at: FilePath(container.path), bundleIdentifier: "com.example.app")
            let (documents, target) = (container.appending(path: "Documents"), folder.appending(path: "restored"))
            defer { _ = try? Command("chattr", ["-R", "-i", documents.path]) }
            let made = try Self.made(in: documents)
            let before = try made.map { try Self.shown($0.property, $0.item, in: documents) }
            let store = folder.appending(path: "store").path
            try backed("create", container.path, "--repository", store)
            try backed("restore", "latest", "--preserve-special-modes", "--repository", store, "--to", target.path)
            for ((property, item), before) in zip(made, before) {
                let after = try Self.shown(property, item, in: target.appending(path: "Documents"))
                #expect(!before.isEmpty, "\(property.name) cannot be shown")
                let found = after == before ? "yes" : "no"
                #expect(stated[property.name] == found, "\(property.name): \(before) becomes \(after)")
            }
        }
    }
}
