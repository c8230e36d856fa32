internal import FileSystem

/// The kind of a file by its first bytes, where its name does not say it: `notes.bin` and `notes` are databases if their bytes
/// are those of one.
///
/// The kind is expressed by the extension that such files usually have, so that rules and evidence judge the file as one with
/// that extension.
package enum ContentExtension {
    /// The bytes that are read.
    package static let count = 512
    /// Files with fewer bytes have no kind.
    package static let least: UInt64 = 16

    /// Returns true if an extension does not say what is in a file: none, one that is too long, or one that means data, a
    /// database, or a copy of another file. Other extensions are those of known formats, or of an app's own documents.
    @inline(__always)
    package static func isOpen(_ word: UInt64) -> Bool { word == 0 || open.contains(word) }

    /// Returns the extension for the first bytes of a file; nil for bytes of no known kind.
    package static func word(for bytes: [UInt8]) -> UInt64? { text(for: bytes).flatMap(PathExtension.word) }

    private static func text(for bytes: [UInt8]) -> String? {
        if let magic = Magic(bytes) { return text(for: magic, bytes) }
        if isSafetensors(bytes) || isONNX(bytes) { return "onnx" }
        return isJSON(bytes) ? "json" : nil
    }

    private static func text(for magic: Magic, _ bytes: [UInt8]) -> String? {
        switch magic {
        case .sqlite: "sqlite"
        case .realm: "realm"
        case .lmdb: "mdb"
        case .plist: "plist"
        case .pdf: "pdf"
        case .rtf: "rtf"
        case .office: "doc"
        case .zip: "zip"
        case .gzip: "gz"
        case .jpeg: "jpg"
        case .png: "png"
        case .gif: "gif"
        case .tiff: "tiff"
        case .webp: "webp"
        case .bmp: "bmp"
        case .wave: "wav"
        case .mp3: "mp3"
        case .caf: "caf"
        case .flac: "flac"
        case .ogg: "ogg"
        case .aiff: "aiff"
        case .matroska: "mkv"
        case .iso: brand(bytes)
        case .tflite: "tflite"
        case .gguf, .ggml: "gguf"
        case .hermes: "jsbundle"
        // Parts and companions, and what says nothing of the rest.
        case .xml, .appleDouble, .dsStore, .writeAheadLog, .logIndex, .rollbackJournal, .levelDB: nil
        }
    }

    /// The brand of a file of the ISO base media format: a picture, a recording, or a film. Source: mp4ra.org.
    private static func brand(_ bytes: [UInt8]) -> String {
        let brand = String(decoding: bytes.dropFirst(8).prefix(4), as: UTF8.self)
        switch brand {
        case "heic", "heix", "heim", "heis", "mif1", "msf1", "avif", "avis": return "heic"
        case "M4A ", "M4B ": return "m4a"
        case "qt  ": return "mov"
        default: return "mp4"
        }
    }

    /// The length of a header in JSON, which has names of types. Source: github.com/huggingface/safetensors.
    private static func isSafetensors(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 16, bytes[8] == UInt8(ascii: "{"), bytes[5...7].allSatisfy({ $0 == 0 }) else {
            return false
        }
        let header = bytes[8...]
        return ["\"dtype\"", "\"__metadata__\""].contains { name in
            header.withUnsafeBytes { $0.position(of: Array(name.utf8)) != nil }
        }
    }

    /// A message of Protocol Buffers that begins with a version and the name of a known writer of models. Source: onnx.proto of
    /// github.com/onnx/onnx.
    private static func isONNX(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 16, bytes[0] == 0x08, bytes[1] < 32, bytes[2] == 0x12, (2...40).contains(bytes[3]) else {
            return false
        }
        let producer = String(decoding: bytes[4...].prefix(Int(bytes[3])), as: UTF8.self).lowercased()
        return producer == "pytorch" || producer.contains("onnx") || producer.hasPrefix("keras")
    }

    /// Text that begins an object or an array of JSON.
    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        var marks = bytes.lazy.filter { $0 > 0x20 }.makeIterator()
        let isBegun =
            switch (marks.next(), marks.next()) {
            case (UInt8(ascii: "{"), .some(let next)): "\"}".utf8.contains(next)
            case (UInt8(ascii: "["), .some(let next)): "{[\"]".utf8.contains(next)
            default: false
            }
        return isBegun && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f || (0x09...0x0d).contains($0) }
    }

    private static let open = Set(
        """
        bin dat data buf blob cache store bak backup old orig sql db3 sqlitedb cblite cblite2 mbtiles
        """.split(separator: " ").compactMap { PathExtension.word(String($0)) })
}
