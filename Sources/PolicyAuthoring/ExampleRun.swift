package import AppContainer
internal import DatabaseInspection
internal import FileSystem
internal import Foundation
internal import PolicyRecords
package import StoragePolicy
package import SystemPackage

/// Makes a rule's examples on disk and puts them before the rule.
package struct ExampleRun {
    /// An empty directory that the caller made and removes.
    private let scratch: FilePath
    private let catalogue: Catalogue

    /// The moment that ages in examples are counted back from: 2026-01-01T00:00:00Z.
    package static let now: Int64 = 1_767_225_600

    package init(scratch: FilePath, catalogue: Catalogue) {
        self.scratch = scratch
        self.catalogue = catalogue
    }

    /// The paths that the rule finds in the example's container, sorted.
    package func paths(foundBy rule: Rule, in example: RuleExample, number: Int) throws -> [String] {
        try paths(foundBy: rule, in: example, at: try make(example, of: rule, number: number))
    }

    /// Makes an example's container.
    func make(_ example: RuleExample, of rule: Rule, number: Int) throws -> Container {
        try container(example, at: scratch.appending("\(rule.id)-\(number)"))
    }

    /// The paths that a rule, or a change of it, finds in a container that was made.
    func paths(foundBy rule: Rule, in example: RuleExample, at container: Container) throws -> [String] {
        let alone = catalogue.alone(rule)
        let configuration =
            try example.configuration.map { try Configuration(file: "\(rule.id): config", text: $0) } ?? .none
        let linter = try Linter(
            catalogue: alone, configuration: configuration, now: Self.now, threads: 1,
            isFreshInstall: example.isFreshInstall, after: example.events)
        var report = try linter.lint(container)
        guard report.isComplete else { return ["incidents: \(report.incidents)"] }
        if let baseline = example.baseline {
            report.apply(try Baseline(file: "\(rule.id): baseline", text: baseline), toInputs: [0])
        }
        return report.findings.filter { $0.rule.id == rule.id }.map { finding in
            let isOther = example.severity.map { $0 != finding.severity } ?? false
            return finding.displayPath + (isOther ? " (\(finding.severity.rawValue))" : "")
        }.sorted()
    }

    /// Makes an example's container.
    package func container(_ example: RuleExample, at path: FilePath) throws -> Container {
        let container = try Container.create(at: path, bundleIdentifier: example.bundleIdentifier)
        // The container's own note is as old as the rest, whatever the clock of this machine says.
        let made = Timestamp(seconds: Self.now - 3600)
        try container.folder.setTimes(FilePath(Location.metadata.path), accessed: made, modified: made)
        for recipe in example.entries { try make(recipe, in: container.folder) }
        // Attributes and dates last: making what lies inside changes a directory's.
        for recipe in example.entries {
            if let hole = recipe.hole {
                let file = FileHandle(forWritingAtPath: path.appending(recipe.path).string)
                try file?.truncate(atOffset: hole)
                try file?.close()
            }
            try finish(recipe, in: container.folder)
        }
        return container
    }

    private func make(_ recipe: Recipe, in folder: Folder) throws {
        let path = FilePath(recipe.path)
        if case .directory = recipe.kind {
            try folder.createDirectories(path)
            return
        }
        try folder.createDirectories(path.split?.parent ?? FilePath())
        switch recipe.kind {
        case .directory: break
        case .file(let content, let size):
            let padding = [UInt8](repeating: 0x20, count: max(0, size - content.count))
            try write(content + padding, to: recipe.path, in: folder)
        case .store(let store, let zeroed):
            for (file, bytes) in try store.files() {
                var bytes = bytes
                if let zeroed, file == .main {
                    for index in zeroed..<min(zeroed + 4_096, bytes.count) { bytes[index] = 0 }
                }
                try write(bytes, to: recipe.path + file.rawValue, in: folder)
                try setTimes(of: FilePath(recipe.path + file.rawValue), recipe, in: folder)
            }
        case .link(let target): try folder.createSymbolicLink(path, to: FilePath(target))
        case .fifo: try folder.createFIFO(path)
        }
    }

    private func finish(_ recipe: Recipe, in folder: Folder) throws {
        let path = FilePath(recipe.path)
        if !recipe.attributes.isEmpty {
            let file = try folder.open(path.isEmpty ? "." : path, followingLinks: false)
            for (name, value) in recipe.attributes {
                try ExtendedAttributes.write(name, value: value, to: file.descriptor, path: path)
            }
        }
        guard !path.isEmpty else { return }
        if recipe.isNoDump {
            let file = try folder.open(path, followingLinks: false)
            guard Syscalls.live.setNoDump(file.descriptor) == 0 else { throw CocoaError(.featureUnsupported) }
        }
        try setTimes(of: path, recipe, in: folder)
    }

    private func setTimes(of path: FilePath, _ recipe: Recipe, in folder: Folder) throws {
        let changed = Timestamp(seconds: Self.now - (recipe.age ?? 3600))
        try folder.setTimes(path, accessed: changed, modified: changed)
    }

    private func write(_ content: [UInt8], to path: String, in folder: Folder) throws {
        try content.withUnsafeBytes { try AtomicWrite(durability: .none).write($0, to: FilePath(path), in: folder) }
    }
}
