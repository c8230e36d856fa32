package import AppContainer
internal import ContainerPreferences
internal import Foundation
internal import SystemPackage

/// An operation of the library that changes files, with the expected states before and after.
package struct FaultedOperation: Sendable, CustomStringConvertible {
    package let description: String
    /// Creates the initial files.
    package let prepare: @Sendable (Container) throws -> Void
    package let run: @Sendable (Container) throws -> Void
    /// The files that the operation changes. Each must be in its initial or its final state, complete.
    package let files: [String]
    /// True if the files change together; false if each changes separately.
    package let isOne: Bool

    /// Returns content, mode and exclusion of the files, nil for each that does not exist.
    package func state(_ container: Container) throws -> [String?] {
        try files.map { file in
            let place = ContainerPath(file)
            let path = try container.path(place).string
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
            let marks = try container.ownMarks(of: place)
            if isDirectory.boolValue {
                let names = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
                return "directory \(String(mode, radix: 8)) \(marks) \(names)"
            }
            return "\(String(mode, radix: 8)) \(marks) \(try container.load(place).base64EncodedString())"
        }
    }

    private init(
        _ description: String, files: [String], isOne: Bool = true,
        prepare: @escaping @Sendable (Container) throws -> Void = { _ in },
        run: @escaping @Sendable (Container) throws -> Void
    ) {
        self.description = description
        self.files = files
        self.isOne = isOne
        self.prepare = prepare
        self.run = run
    }

    private static func old(_ container: Container, _ name: String) throws {
        let place = ContainerPath(name)
        try container.save("old content of \(name)", to: place, options: .init(durability: .none))
        try container.excludeFromBackup(place)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640], ofItemAtPath: try container.path(place).string)
    }

    package static let all: [FaultedOperation] = [
        FaultedOperation("save over a file", files: ["Documents/a"]) { container in
            try old(container, "Documents/a")
        } run: { container in
            try container.save("new content", to: .documents / "a", options: .init(provenance: Provenance(.user)))
        },
        FaultedOperation("save in new directories", files: ["Documents/x/y/a"]) { container in
            try container.save("new content", to: .documents / "x/y/a")
        },
        FaultedOperation("append", files: ["Documents/a"]) { container in
            try old(container, "Documents/a")
        } run: { container in
            try container.append(" and more", to: .documents / "a")
        },
        FaultedOperation("stream", files: ["Documents/a"]) { container in
            try old(container, "Documents/a")
        } run: { container in
            let writer = try container.writer(to: .documents / "a")
            for byte in 0..<3 { try writer.write(Data(repeating: UInt8(byte), count: 200_000)) }
            try writer.finish()
        },
        FaultedOperation("batch", files: ["Documents/a", "Documents/b", "Documents/d/c"], isOne: false) { container in
            try old(container, "Documents/a")
            try old(container, "Documents/b")
        } run: { container in
            try container.batch { batch in
                try batch.save("new a", to: .documents / "a")
                try batch.save("new b", to: .documents / "b")
                try batch.save("new c", to: .documents / "d/c")
            }
        },
        FaultedOperation("copy a file", files: ["Documents/copy"]) { container in
            try old(container, "Documents/a")
        } run: { container in
            try container.copy(.documents / "a", to: .documents / "copy")
        },
        FaultedOperation("copy a tree", files: ["Library/copy"]) { container in
            try old(container, "Documents/tree/a")
            try old(container, "Documents/tree/sub/b")
            try FileManager.default.createSymbolicLink(
                atPath: try container.path(.documents / "tree/link").string, withDestinationPath: "a")
        } run: { container in
            try container.copy(.documents / "tree", to: .library / "copy")
        },
        FaultedOperation("import a tree", files: ["Library/copy"]) { container in
            try old(container, "Documents/tree/a")
            try old(container, "Documents/tree/sub/b")
            try FileManager.default.createSymbolicLink(
                atPath: try container.path(.documents / "tree/link").string, withDestinationPath: "a")
        } run: { container in
            let tree = URL(filePath: try container.path(.documents / "tree").string)
            try container.importFile(at: tree, to: .library / "copy")
        },
        FaultedOperation("move", files: ["Documents/a", "Library/b"]) { container in
            try old(container, "Documents/a")
        } run: { container in
            try container.move(.documents / "a", to: .library / "b")
        },
        FaultedOperation("replace a file", files: ["Documents/a"]) { container in
            try old(container, "Documents/a")
            try container.save("new", to: .documents / "b", options: .init(durability: .none))
        } run: { container in
            try container.replace(.documents / "a", with: .documents / "b")
        },
        FaultedOperation("replace a directory", files: ["Documents/a"]) { container in
            try old(container, "Documents/a/1")
            try container.excludeFromBackup(.documents / "a")
            try container.save("new", to: .documents / "b/2", options: .init(durability: .none))
        } run: { container in
            try container.replace(.documents / "a", with: .documents / "b")
        },
        FaultedOperation(
            "store a download for offline use",
            files: ["Library/Application Support/com.example.app/Downloads/film"]
        ) { container in
            guard let url = URL(string: "https://example.com/film") else { return }
            try container.store("film", named: "film", as: .downloaded(from: url, keepOffline: true))
        },
        FaultedOperation("set a preference", files: ["Library/Preferences/com.example.app.plist"]) { container in
            try container.preferences().set("old", forKey: "key", durability: .none)
        } run: { container in
            try container.preferences().set("new", forKey: "key")
        },
    ]
}
