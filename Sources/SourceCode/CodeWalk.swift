internal import FileSystem
internal import SystemPackage

/// The limits of an index, which bound the time and the memory that any source takes.
package struct CodeLimits: Sendable {
    /// Files that are read.
    package var files = 200_000
    /// Bytes of all files that are read.
    package var bytes = 2_000_000_000
    /// Bytes of the largest file that is read. Larger ones are generated.
    package var fileBytes = 2_000_000
    /// Literals that are kept.
    package var literals = 4_000_000
    package var depth = 64
    package var seconds: UInt64 = 60

    package init() {}
}

/// Reads the source files beneath a root. Enters no link, no hidden directory and none that holds the results of a build or
/// the packages of others.
final class CodeWalk: WalkVisitor {
    /// The data about a directory.
    struct Directory: Sendable {
        var path: [UInt8] = []
        var depth = 0
        var traits: CodeFile.Traits = []
        /// The `.gitignore` of this directory and of those above, the nearest last.
        var ignored: [IgnoreFile] = []
        var isRoot = true
    }

    /// The files of a root.
    struct Result: Sendable {
        var files: [CodeFile] = []
        var bytes = 0
        var literals = 0
        var skippedFiles = 0
        var failures = 0
        /// True if a limit ended the reading.
        var isCut = false
    }

    let result = LockedValue<Result>(Result())
    let limits: CodeLimits
    let deadline: UInt64
    /// Directories that are not entered, by device and inode: inputs.
    let excluded: Set<[UInt64]>
    private let lexers: [CodeLexer]

    init(limits: CodeLimits, excluded: Set<[UInt64]>) {
        (self.limits, self.excluded) = (limits, excluded)
        deadline = Host.uptime + limits.seconds * 1_000_000_000
        let meanings = CodeMeaning.Table()
        lexers = CodeLanguage.all.map { CodeLexer($0, meanings: meanings) }
    }

    private static let leftOut: Set<String> = [
        "pods", "node_modules", "carthage", "deriveddata", "build", "xcuserdata", "bower_components", "__pycache__",
        "target",
        "jspods", "sourcepackages",
    ]
    private static let vendored: Set<String> = [
        "third_party", "thirdparty", "third-party", "vendor", "vendors", "vendored", "external", "externals",
        "3rdparty",
        "deps", "dependencies", "submodules", "example", "examples", "sample", "samples", "scripts", "tools", "docs",
        "fastlane",
    ]
    private static let otherPlatforms: Set<String> = [
        "android", "windows", "linux", "web", "tizen", "macos", "osx", "win32", "gtk", "qt", "uwp", "sdl", "cli",
        "server",
        "electron", "desktop", "watchos", "tvos", "tv",
    ]

    func begin(_ directory: Directory) -> Directory { directory }

    func end(_ directory: Directory, _ accumulator: Directory) {}

    func failed(_ failure: WalkFailure) {
        if !failure.hasVanished { result.withLock { $0.failures += 1 } }
    }

    func visit(
        _ entries: WalkEntries, in directory: Directory, _ accumulator: inout Directory
    ) -> [Subdirectory<Directory>] {
        if let index = entries.index(of: Array(".gitignore".utf8)), entries[index].status.isFile,
            let text = entries[index].bytes(1 << 16, at: 0)
        {
            accumulator.ignored.append(IgnoreFile(text, in: directory.path))
        }
        var found: [Subdirectory<Directory>] = []
        let hasApple = entries.index(of: Array("ios".utf8)) != nil || entries.index(of: Array("iOS".utf8)) != nil
        for index in 0..<entries.count {
            let entry = entries[index]
            if entry.status.isFile {
                if let language = CodeLanguage.index(ofFile: entry.name) { read(entry, language, in: accumulator) }
            } else if entry.status.kind == .directory,
                let next = subdirectory(entry, in: accumulator, besideApple: hasApple)
            {
                found.append(Subdirectory(index: index, data: next))
            }
        }
        return found
    }

    private func subdirectory(
        _ entry: WalkEntry, in directory: Directory, besideApple: Bool
    ) -> Directory? {
        let name = Array(entry.name)
        let lowered = String(decoding: name, as: UTF8.self).lowercased()
        guard name.first != UInt8(ascii: "."), !Self.leftOut.contains(lowered), directory.depth < limits.depth,
            excluded.isEmpty || !excluded.contains([entry.status.identity.device, entry.status.identity.inode])
        else { return nil }
        let path = Self.path(name, in: directory)
        guard !isIgnored(path, name, isDirectory: true, by: directory) else { return nil }
        var next = directory
        (next.path, next.depth) = (path, directory.depth + 1)
        if Self.vendored.contains(lowered) { next.traits.insert(.vendored) }
        if Self.isTest(folder: lowered) { next.traits.insert(.test) }
        if besideApple || directory.depth == 0, Self.otherPlatforms.contains(lowered) {
            next.traits.insert(.otherPlatform)
        }
        return next
    }

    private static func path(_ name: [UInt8], in directory: Directory) -> [UInt8] {
        directory.path.isEmpty ? name : directory.path + [UInt8(ascii: "/")] + name
    }

    private func isIgnored(_ path: [UInt8], _ name: [UInt8], isDirectory: Bool, by directory: Directory) -> Bool {
        for file in directory.ignored.reversed() {
            if let decided = file.decides(path, name: name, isDirectory: isDirectory) { return decided }
        }
        return false
    }

    private static func isTest(folder: String) -> Bool {
        folder.hasSuffix("tests") || folder == "test" || folder.hasSuffix("_test") || folder == "__tests__"
            || folder == "__mocks__" || folder == "spec" || folder == "specs" || folder == "mocks" || folder == "e2e"
            || folder == "integration_test" || folder.hasSuffix("testing")
    }

    private static func traits(ofFile name: String) -> CodeFile.Traits? {
        let lowered = name.lowercased()
        if lowered.hasSuffix(".min.js") || lowered.hasSuffix(".d.ts") || lowered.hasSuffix(".bundle.js") { return nil }
        var traits: CodeFile.Traits = []
        if [
            ".g.dart", ".freezed.dart", ".pb.swift", ".pb.dart", ".pb.go", ".generated.swift", ".gr.dart",
            ".designer.cs",
        ]
        .contains(where: lowered.hasSuffix) {
            traits.insert(.generated)
        }
        let stem = lowered.prefix { $0 != "." }
        if stem.hasSuffix("tests") || stem.hasSuffix("_test") || stem.hasSuffix("test") || stem.hasPrefix("mock")
            || lowered.contains(".test.") || lowered.contains(".spec.") || stem.hasSuffix("mock")
            || stem.hasSuffix("mocks")
        {
            traits.insert(.test)
        }
        return traits
    }

    private func read(_ entry: WalkEntry, _ language: Int, in directory: Directory) {
        let name = Array(entry.name)
        guard let traits = Self.traits(ofFile: String(decoding: name, as: UTF8.self)) else { return }
        let path = Self.path(name, in: directory)
        guard !isIgnored(path, name, isDirectory: false, by: directory) else { return }
        guard entry.status.size <= UInt64(limits.fileBytes) else { return result.withLock { $0.skippedFiles += 1 } }
        let hasRoom = result.withLock { result in
            let hasRoom =
                result.files.count < limits.files && result.bytes < limits.bytes && result.literals < limits.literals
                && Host.uptime < deadline
            if hasRoom { result.bytes += Int(entry.status.size) } else { result.isCut = true }
            return hasRoom
        }
        guard hasRoom else { return }
        guard let bytes = entry.bytes(Int(entry.status.size), at: 0) else {
            return result.withLock { $0.failures += 1 }
        }
        guard !Self.isMinified(bytes) else { return result.withLock { $0.skippedFiles += 1 } }
        var file = bytes.withUnsafeBytes { lexers[language].read($0) }
        file.path = path
        file.traits = directory.traits.union(traits)
        if Self.isGenerated(bytes) { file.traits.insert(.generated) }
        // A file without either takes no part in any answer.
        if file.literals.isEmpty, file.mentions.isEmpty { (file.text, file.uses) = ([], []) }
        result.withLock { [file] result in
            result.literals += file.literals.count
            result.files.append(file)
        }
    }

    /// Returns true for a file whose lines are too long for a person.
    private static func isMinified(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 10_000 else { return false }
        var lines = 1
        for byte in bytes where byte == 0x0a { lines += 1 }
        return bytes.count / lines > 400
    }

    private static func isGenerated(_ bytes: [UInt8]) -> Bool {
        let head = String(decoding: bytes.prefix(600), as: UTF8.self).lowercased()
        return head.contains("do not edit") || head.contains("generated by") || head.contains("auto-generated")
            || head.contains("autogenerated")
    }
}
