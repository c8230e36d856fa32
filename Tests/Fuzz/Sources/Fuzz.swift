internal import Foundation
internal import PropertyLists

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
    case nil:
        print("FUZZ_TARGET must be lists, archives, graphs, appledouble or pax")
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
