internal import Foundation
internal import MobileBackup
internal import PropertyLists
internal import Secrets

/// The entry point of libFuzzer for each input. The environment variable FUZZ_TARGET selects the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    switch target {
    case .lists:
        if let graph = try? PropertyListGraph(parsing: bytes) {
            walk(graph.root, depth: 0)
            try? graph.requireUnfolding()
            // A valid list is read the same with the option to replace broken text.
            guard let replaced = try? PropertyListGraph(parsing: bytes, brokenText: .replaced),
                replaced.root.count == graph.root.count
            else { fatalError("a list is only refused with the option to replace broken text") }
        } else {
            _ = try? PropertyListGraph(parsing: bytes, brokenText: .replaced)
        }
    case .archives:
        Reading.tryAll(bytes)
    case .graphs:
        var source = GraphSource(bytes)
        if let bytes = try? source.archive().binary() { Reading.tryAll(bytes) }
    case .appledouble: ArchiveReading.tryAppleDouble(bytes)
    case .pax: ArchiveReading.tryExtendedHeader(bytes)
    case .keybags:
        guard let keybag = try? Keybag(parsing: bytes) else { break }
        for derivation in [keybag.first, keybag.second] {
            guard (1...20_000_000).contains(derivation.iterations), (8...64).contains(derivation.salt.count) else {
                fatalError("a keybag without limits")
            }
        }
    case .rows:
        readRow(bytes)
    case .secrets:
        findSecrets(bytes)
    case nil:
        print("FUZZ_TARGET must be lists, archives, graphs, appledouble, pax, keybags, rows or secrets")
        exit(2)
    }
    return 0
}

/// The target of the fuzzer.
private enum Target: String {
    /// The reader of property lists.
    case lists
    /// The decoder of archives, with arbitrary bytes.
    case archives
    /// The decoder of archives, with well-formed archives that the bytes describe.
    case graphs
    /// The reader of AppleDouble files.
    case appledouble
    /// The names and attributes of an entry of a tar, with arbitrary records in its extended header.
    case pax
    /// The reader of keybags of device backups.
    case keybags
    /// The reader of rows of a device backup's manifest.
    case rows
    /// The search for secrets, and the shown form of addresses.
    case secrets
}

private let target = Target(rawValue: ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "")

private func walk(_ value: PropertyListValue, depth: Int) {
    guard depth < 4 else { return }
    for member in (value.members ?? []).prefix(8) { walk(member, depth: depth + 1) }
    for pair in (value.pairs ?? []).prefix(8) {
        _ = value[pair.key]
        walk(pair.value, depth: depth + 1)
    }
}

/// Reads a row of a manifest: the first byte selects the flags and the columns that the other bytes fill.
private func readRow(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    // Every location has this SHA-1.
    let sha1 = [UInt8](repeating: 0x2c, count: 20)
    let identifier = ManifestRow.Cell.text(Array(String(repeating: "2c", count: 20).utf8))
    let (domain, path) = (ManifestRow.Cell.text(Array("AppDomain-a".utf8)), ManifestRow.Cell.text(Array("b".utf8)))
    let row = ManifestRow(
        row: 1, identifier: choice & 4 == 0 ? identifier : .text(rest), domain: choice & 8 == 0 ? domain : .text(rest),
        path: choice & 16 == 0 ? path : .text(rest), flags: .number([1, 2, 4, 3][Int(choice & 3)]), record: .blob(rest))
    let (entry, problems) = row.judged(sha1: { _ in sha1 })
    guard entry != nil || !problems.isEmpty else { fatalError("a row without an entry and without a problem") }
    guard let entry else { return }
    let components = entry.entry.path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if components.contains(where: { $0.elementsEqual("..".utf8) || $0.contains(0) }) { fatalError("a path leads out") }
}

/// Searches for secrets, and shows the bytes as an address.
private func findSecrets(_ bytes: [UInt8]) {
    let matches = bytes.withUnsafeBytes { SecretShape.matches(in: $0) }
    var end = 0
    for match in matches {
        guard match.start >= end, match.length > 0, match.start + match.length <= bytes.count else {
            fatalError("a secret outside the bytes, or in another one")
        }
        end = match.start + match.length
    }
    let isContained = bytes.withUnsafeBytes { SecretShape.isContained(in: $0) }
    guard isContained != matches.isEmpty || bytes.count < SecretShape.shortest else {
        fatalError("a search ends early with another result")
    }
    guard matches.isEmpty == (bytes.withoutSecrets == bytes) || bytes.count < SecretShape.shortest else {
        fatalError("a secret remains")
    }
    guard let address = ShownAddress(String(decoding: bytes, as: UTF8.self)) else { return }
    guard !SecretShape.isContained(in: address.text) else { fatalError("an address with a secret") }
}
