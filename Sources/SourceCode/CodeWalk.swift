internal import FileSystem
internal import SystemPackage

/// The limits of an index, which bound the time and the memory that any source takes. None is a time, so that equal source
/// code has equal answers on a slow machine.
package struct CodeLimits: Sendable {
    /// Entries of directories. Nothing is read from a root with more.
    package var entries = 1_000_000
    /// Files that are read, the first ones by path.
    package var files = 200_000
    /// Bytes of all files that are read.
    package var bytes = 1_000_000_000
    /// Bytes of the largest file that is read. Larger ones are generated.
    package var fileBytes = 2_000_000
    /// Literals that are kept.
    package var literals = 4_000_000
    package var depth = 64

    package init() {}
}

/// Finds the source files beneath a root. Enters no link, no hidden directory and none that holds the results of a build or
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

    /// A source file that is not read yet.
    struct Candidate: Sendable {
        let path: [UInt8]
        let size: Int
        let language: Int
        let traits: CodeFile.Traits
    }

    /// The files of a root.
    struct Result: Sendable {
        var candidates: [Candidate] = []
        var entries = 0
        var skippedFiles = 0
        var failures = 0
    }

    let result = LockedValue<Result>(Result())
    let limits: CodeLimits
    /// Directories that are not entered, by device and inode: inputs.
    let excluded: Set<[UInt64]>

    init(limits: CodeLimits, excluded: Set<[UInt64]>) { (self.limits, self.excluded) = (limits, excluded) }

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
        "android", "windows", "linux", "web", "tizen", "macos", "mac", "osx", "win32", "gtk", "qt", "uwp", "sdl", "cli",
        "server",
        "electron", "desktop", "watchos", "tvos", "tv",
    ]
    /// Directories of other platforms wherever they are.
    private static let neverApple: Set<String> = ["android", "androidmain", "windows", "win32", "uwp", "gtk", "tizen"]
    /// Parts of the names of directories that contain an app, beside which those of other platforms are.
    private static let applePlatforms: Set<String> = ["ios", "apple", "iosapp", "appleapp", "mobile"]

    /// The last part of a name between hyphens, in lower case: `desktop` of `app-desktop`.
    private static func lastPart(of name: some Sequence<UInt8>) -> String {
        String(decoding: Array(name).split(separator: UInt8(ascii: "-")).last ?? [], as: UTF8.self).lowercased()
    }

    func begin(_ directory: Directory) -> Directory { directory }

    func end(_ directory: Directory, accumulator: Directory) {}

    func failed(_ failure: WalkFailure) {
        if !failure.hasVanished { result.withLock { $0.failures += 1 } }
    }

    func visit(
        _ entries: WalkEntries, in directory: Directory, into accumulator: inout Directory
    ) -> [Subdirectory<Directory>] {
        if let index = entries.index(of: Array(".gitignore".utf8)), entries[index].status.isFile,
            let text = entries[index].bytes(1 << 16, at: 0)
        {
            accumulator.ignored.append(IgnoreFile(text, in: directory.path))
        }
        let isCut = result.withLock { result in
            result.entries += entries.count
            return result.entries > limits.entries
        }
        guard !isCut else { return [] }
        var found: [Subdirectory<Directory>] = []
        let hasApple = (0..<entries.count).contains { index in
            entries[index].status.kind == .directory
                && Self.applePlatforms.contains(Self.lastPart(of: entries[index].name))
        }
        for index in 0..<entries.count {
            let entry = entries[index]
            if entry.status.isFile {
                if let language = CodeLanguage.index(ofFile: entry.name) {
                    add(entry, language: language, in: accumulator)
                }
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
        guard !isIgnored(path, name: name, isDirectory: true, by: directory) else { return nil }
        var next = directory
        (next.path, next.depth) = (path, directory.depth + 1)
        if Self.vendored.contains(lowered) { next.traits.insert(.vendored) }
        if Self.isTest(folder: lowered) { next.traits.insert(.test) }
        let isOther =
            besideApple
            ? Self.otherPlatforms.contains(Self.lastPart(of: name))
            : directory.depth == 0 && Self.otherPlatforms.contains(lowered)
        if isOther || Self.neverApple.contains(lowered) {
            next.traits.insert(.otherPlatform)
        }
        return next
    }

    private static func path(_ name: [UInt8], in directory: Directory) -> [UInt8] {
        directory.path.isEmpty ? name : directory.path + [UInt8(ascii: "/")] + name
    }

    private func isIgnored(_ path: [UInt8], name: [UInt8], isDirectory: Bool, by directory: Directory) -> Bool {
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

    /// Manifests of packages and projects, which run when an app is built.
    private static let manifests: Set<String> = [
        "package.swift", "project.swift", "workspace.swift", "gruntfile.js", "gulpfile.js",
    ]

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
        if manifests.contains(lowered) || lowered.hasSuffix(".config.js") || lowered.hasSuffix(".config.ts")
            || lowered.hasSuffix(".gradle.kts")
        {
            traits.insert(.test)
        }
        let stem = lowered.prefix { $0 != "." }
        if stem.hasSuffix("tests") || stem.hasSuffix("_test") || stem.hasSuffix("test") || stem.hasPrefix("mock")
            || lowered.contains(".test.") || lowered.contains(".spec.") || stem.hasSuffix("mock")
            || stem.hasSuffix("mocks")
        {
            traits.insert(.test)
        }
        let words = CodeFile.wordList(of: Array(name.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
        if !testWords.isDisjoint(with: words) { traits.insert(.test) }
        if !platformWords.isDisjoint(with: words) { traits.insert(.otherPlatform) }
        return traits
    }

    private static let testWords: Set<String> = ["mock", "fake", "stub", "dummy", "fixture"]
    private static let platformWords: Set<String> = ["mac", "macos", "osx", "android", "uwp", "linux"]

    private func add(_ entry: WalkEntry, language: Int, in directory: Directory) {
        let name = Array(entry.name)
        guard let traits = Self.traits(ofFile: String(decoding: name, as: UTF8.self)) else { return }
        let path = Self.path(name, in: directory)
        guard !isIgnored(path, name: name, isDirectory: false, by: directory) else { return }
        guard entry.status.size <= UInt64(limits.fileBytes) else { return result.withLock { $0.skippedFiles += 1 } }
        let candidate = Candidate(
            path: path, size: Int(entry.status.size), language: language, traits: directory.traits.union(traits))
        result.withLock { $0.candidates.append(candidate) }
    }
}
