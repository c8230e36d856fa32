import AppContainer
import ContainerTree
import Foundation
import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("The colors of a map agree with the findings", .timeLimit(.minutes(60))) struct MapAgreementTests {
    /// The node of an item; nil for one that is combined with others.
    private static func node(of path: [UInt8], in map: StorageMap) -> StorageMap.Node? {
        var node = map.root
        for name in path.split(separator: UInt8(ascii: "/")) {
            guard let child = node.children.first(where: { $0.name.elementsEqual(name) }) else { return nil }
            node = child
        }
        return node
    }

    /// The findings of a container that its map contradicts, and the number of those that were compared.
    private func contradictions(in container: Container) throws -> (compared: Int, found: [String]) {
        let linter = try Linter(catalogue: .embedded(), configuration: .none, now: 1_767_225_600, threads: 1)
        let report = try linter.mapping(100_000).lint(container)
        let map = try #require(report.maps.first)
        var (compared, found) = (0, [String]())
        for finding in report.findings where finding.items == 1 && !finding.path.isEmpty && finding.isBackedUp {
            guard finding.exclusion.state == .included, let node = Self.node(of: finding.path, in: map) else {
                continue
            }
            let sums = node.sums
            let name = "\(finding.rule.id) \(finding.displayPath)"
            if finding.rule.measuresRegenerable {
                compared += 1
                if sums[.backedUp].items > 0 { found.append("\(name) is user data on the map") }
                if finding.confidence == nil, sums[.redownloadable].items == 0 {
                    found.append("\(name) is not re-downloadable on the map")
                }
            }
            if finding.rule.group == .backup, case .setFlag? = finding.rule.fix?.action, finding.confidence == nil,
                sums[.backedUp].bytes > 0
            {
                found.append("\(name) is user data on the map, and its fix excludes it")
            }
            if finding.rule.aggregate == nil, finding.bytes != node.bytes {
                found.append("\(name) has \(finding.bytes) bytes, on the map \(node.bytes)")
            }
        }
        let sums = map.root.sums
        if sums[.redownloadable].bytes < report.regenerableBackedUpBytes {
            found.append(
                "\(sums[.redownloadable].bytes) bytes re-downloadable on the map, \(report.regenerableBackedUpBytes) in the verdict"
            )
        }
        // A finding can prove of a file that no backup needs it, of which the evidence alone says nothing.
        let needless = report.findings.filter { $0.isNeedlessInBackup && !$0.isSurelyRegenerable }
        let most = report.undecidedBackedUpBytes
        let least = most - min(most, needless.reduce(0) { $0 + $1.bytes })
        if !(least...most).contains(sums[.undecided].bytes) {
            found.append("\(sums[.undecided].bytes) bytes undecided on the map, \(most) in the verdict")
        }
        return (compared, found)
    }

    @Test("Containers of the corpora")
    func labelled() throws {
        var compared = 0
        for sample in try SampleContainer.labelled() {
            try withScratch { folder throws in
                let path = try sample.make(folder.resolvingSymlinksInPath())
                let result = try contradictions(in: Container.open(FilePath(path.path)))
                compared += result.compared
                #expect(result.found.isEmpty, "\(sample.name): \(result.found.joined(separator: "; "))")
            }
        }
        #expect(compared > 100)
    }

    @Test(
        "Apps with real file formats", .needs(.externalProgram),
        .enabled(if: SampleContainer.hasShared, "the apps are beside some checkouts"))
    func apps() throws {
        try withScratch { folder throws in
            let apps = folder.appending(path: "apps").path
            try Command.setUp(Command.python(), [SampleContainer.shared.appending(path: "apps/make").path, apps])
            for name in try FileManager.default.contentsOfDirectory(atPath: apps).sorted() {
                let result = try contradictions(in: Container.open(FilePath(apps + "/" + name)))
                #expect(result.compared > 0 && result.found.isEmpty, "\(name): \(result.found.joined(separator: "; "))")
            }
        }
    }
}
