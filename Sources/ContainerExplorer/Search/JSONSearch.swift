internal import PolicyTexts

/// A search of the keys and texts of JSON, also of several values one after the other, as in JSON lines.
struct JSONSearch {
    /// The most levels that are entered.
    static let deepest = 128

    private let isCancelled: () -> Bool
    private var path: [String] = []
    private var count = 0
    /// True if a level was too deep.
    private(set) var isCut = false

    init(isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }

    static func isPossible(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { JSONTexts.isJSON(bytes) }

    /// Searches JSON. Returns false for other content, of which places may have been added.
    mutating func search(_ bytes: [UInt8], into places: inout FoundPlaces) -> Bool {
        var read = 0
        var stream = JSONStream(bufferSize: min(max(bytes.count, 16), 1 << 18)) { buffer in
            let part = bytes[read..<min(read + buffer.count, bytes.count)]
            buffer.copyBytes(from: part)
            read += part.count
            return part.count
        }
        do throws(JSONStream.Failure) {
            while try stream.kind() != nil {
                try search(&stream, into: &places)
            }
            return true
        } catch {
            isCut = isCut || error == .tooDeep
            return error == .tooDeep
        }
    }

    private mutating func search(
        _ stream: inout JSONStream, into places: inout FoundPlaces
    ) throws(JSONStream.Failure) {
        count += 1
        guard !places.isFull, count & 0x3ff != 0 || !isCancelled() else { return try stream.skip() }
        switch try stream.kind() {
        case .object, .array:
            guard path.count < Self.deepest else {
                isCut = true
                return try stream.skip()
            }
            if try stream.kind() == .object {
                try stream.members { stream, name throws(JSONStream.Failure) in
                    path.append(name)
                    places.addKey(name, shownAs: Self.shown(name), at: shownPath)
                    try search(&stream, into: &places)
                    path.removeLast()
                }
            } else {
                var position = 0
                try stream.elements { stream throws(JSONStream.Failure) in
                    path.append("\(position)")
                    position += 1
                    try search(&stream, into: &places)
                    path.removeLast()
                }
            }
        case .text:
            // No text is longer than the file.
            let bytes = try stream.text(limit: .max).bytes
            places.addValue(String(decoding: bytes, as: UTF8.self), named: names, at: shownPath)
        case .other, nil: try stream.skip()
        }
    }

    private var shownPath: String { path.isEmpty ? "/" : path.map { "/" + Self.shown($0) }.joined() }

    /// Returns a key as it is shown. A reader cuts long ones, and a part of a secret has no form.
    private static func shown(_ key: String) -> String {
        key.utf8.count >= JSONStream.longestName && SecretValue.isOpaque(key) ? "<long key>" : key
    }

    /// The nearest keys. The position in an array is no name.
    private var names: [String] { path.suffix(4).reversed() }
}
