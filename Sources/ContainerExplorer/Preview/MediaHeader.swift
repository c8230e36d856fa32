internal import FileSystem
internal import PolicyTexts
internal import TextOutput

/// The container format, the duration, the tracks and the tags of a film or a sound, as its header states them.
///
/// Every number is one of a hostile file: the time depends on fixed limits only. Sources: ISO 14496-12, the QuickTime File
/// Format specification, ID3 2.4, ISO 11172-3, RIFF, AIFF 1.3, Core Audio Format, RFC 9639 (FLAC), RFC 3533 (Ogg), RFC 7845 (Opus).
struct MediaHeader {
    typealias Reader = PictureHeader.Reader

    /// True if a track has pictures.
    var isFilm = false
    var format: String
    var seconds: Double?
    /// The tracks in words: `picture, hvc1, 1920 × 1080`.
    var tracks: [String] = []
    var name: String?
    var artist: String?
    var camera: String?
    var hasLocation = false
    /// The reason why the file cannot be played, if its header shows one.
    var problem: String?

    init(_ format: String) { self.format = format }

    /// Reads the header of a film or a sound; nil for a file of another format.
    static func header(of start: [UInt8], size: UInt64, nameExtension: String, read: @escaping Reader) -> MediaHeader? {
        switch Magic(start) {
        case .iso: return movie(start, size: size, read)
        case .mp3: return frames(start, size: size, read)
        case .wave: return wave(size: size, read)
        case .caf: return coreAudio(size: size, read)
        case .flac: return flac(read)
        case .ogg: return ogg(start, size: size, read)
        case .aiff: return aiff(size: size, read)
        case .matroska:
            var header = MediaHeader("Matroska or WebM")
            header.isFilm = true
            return header
        case nil:
            // Files of QuickTime that are older than the box with the type.
            let first = String(decoding: start.dropFirst(4).prefix(4), as: UTF8.self)
            if ["moov", "mdat", "wide"].contains(first) { return movie(start, size: size, read) }
            return nameExtension == "mp3" && start[0] == 0xff ? frames(start, size: size, read) : nil
        default: return nil
        }
    }

    /// The kind, the format and the duration in words.
    var title: String {
        "\(isFilm ? "film" : "sound"), \(format)" + (seconds.map { ", \(Self.duration($0))" } ?? "")
            + (problem.map { ", \($0)" } ?? "")
    }

    /// Returns a duration in hours, minutes and seconds.
    static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, (0..<1e9).contains(seconds) else { return "unknown duration" }
        if seconds < 10 { return "\((seconds * 10).rounded() / 10) s" }
        let whole = Int(seconds.rounded())
        let parts = [(whole / 3600, "h"), (whole / 60 % 60, "min"), (whole % 60, "s")]
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }

    // MARK: - MPEG-4 and QuickTime

    private static func movie(_ start: [UInt8], size: UInt64, _ read: @escaping Reader) -> MediaHeader {
        let brand = String(decoding: start.dropFirst(8).prefix(4), as: UTF8.self)
        let hasBrand = start.dropFirst(4).starts(with: "ftyp".utf8)
        var header = MediaHeader(hasBrand && brand != "qt  " ? "MPEG-4" : "QuickTime")
        let reader = BoxReader(read)
        let boxes = reader.boxes(in: 0..<size)
        guard let movie = boxes.first(where: { $0.type == "moov" }) else {
            header.isFilm = !brand.hasPrefix("M4A") && !brand.hasPrefix("M4B")
            // Parts of a stream have no index of their own.
            if !boxes.contains(where: { ["moof", "sidx", "styp"].contains($0.type) }) {
                header.problem = "unfinished: without an index (moov), it cannot be played"
            }
            return header
        }
        for box in reader.boxes(in: movie.content) {
            switch box.type {
            case "mvhd":
                let bytes = read(32, box.content.lowerBound)
                let isLong = bytes.first == 1
                guard let scale = bytes.big(at: isLong ? 20 : 12, 4), scale > 0,
                    let length = bytes.big(at: isLong ? 24 : 16, isLong ? 8 : 4), length > 0
                else { continue }
                header.seconds = Double(length) / Double(scale)
            case "trak" where header.tracks.count < 32: header.addTrack(box, reader, read)
            case "udta":
                for meta in reader.boxes(in: box.content) where meta.type == "meta" {
                    header.addTags(in: meta.content(after: 4), reader, read)
                }
                header.hasLocation =
                    header.hasLocation || reader.boxes(in: box.content).contains { $0.type == "©xyz" }
            case "meta":
                // QuickTime's box has no version, that of ISO 14496-12 has one.
                let isPlain = read(8, box.content.lowerBound).dropFirst(4).starts(with: "hdlr".utf8)
                header.addTags(in: box.content(after: isPlain ? 0 : 4), reader, read)
            default: break
            }
        }
        return header
    }

    private mutating func addTrack(_ track: BoxReader.Box, _ reader: BoxReader, _ read: @escaping Reader) {
        var (size, kind, format): (String, String, String) = ("", "track", "")
        for box in reader.boxes(in: track.content) {
            if box.type == "tkhd" {
                let bytes = read(96, box.content.lowerBound)
                let at = bytes.first == 1 ? 88 : 76
                if let width = bytes.big(at: at, 2), let height = bytes.big(at: at + 4, 2), width > 0 {
                    size = ", \(width) × \(height)"
                }
            }
            guard box.type == "mdia" else { continue }
            for part in reader.boxes(in: box.content) {
                if part.type == "hdlr" {
                    let name = String(decoding: read(12, part.content.lowerBound).dropFirst(8), as: UTF8.self)
                    let kinds = [
                        "vide": "picture", "soun": "sound", "text": "text", "sbtl": "subtitles", "subt": "subtitles",
                    ]
                    kind = kinds[name] ?? name
                    if name == "vide" { isFilm = true }
                }
                guard part.type == "minf" else { continue }
                for table in reader.boxes(in: part.content) where table.type == "stbl" {
                    for sample in reader.boxes(in: table.content) where sample.type == "stsd" {
                        let name = read(16, sample.content.lowerBound).dropFirst(12)
                        if name.allSatisfy({ (0x20..<0x7f).contains($0) }), !name.isEmpty {
                            format = ", " + String(decoding: name, as: UTF8.self)
                        }
                    }
                }
            }
        }
        tracks.append(kind + format + (kind == "picture" ? size : ""))
    }

    /// Reads the tags of iTunes by their type, and those of QuickTime by the names in `keys`.
    private mutating func addTags(in range: Range<UInt64>, _ reader: BoxReader, _ read: @escaping Reader) {
        let parts = reader.boxes(in: range)
        var keys: [String] = []
        if let list = parts.first(where: { $0.type == "keys" }), list.content.count > 8 {
            let first = list.content.lowerBound + 8
            // The boxes are named by the namespace, `mdta`.
            keys = reader.boxes(in: first..<list.content.upperBound).prefix(200).map {
                String(decoding: read(Int(min(UInt64($0.content.count), 100)), $0.content.lowerBound), as: UTF8.self)
            }
        }
        guard let list = parts.first(where: { $0.type == "ilst" }) else { return }
        // A number of a key has bytes that are no type.
        var (offset, maker, model): (UInt64, String?, String?) = (list.content.lowerBound, nil, nil)
        for _ in 0..<200 where offset + 8 <= list.content.upperBound {
            let head = read(8, offset)
            guard let size = head.big(at: 0, 4), size >= 8, let type = head.big(at: 4, 4) else { break }
            let inner = (offset + 8)..<min(list.content.upperBound, offset + size)
            offset += size
            let isKnown = type == 0xa96e_616d || type == 0xa941_5254
            let key = type > 0 && type <= UInt64(keys.count) ? keys[Int(type) - 1] : ""
            guard isKnown || !key.isEmpty, let data = reader.boxes(in: inner).first(where: { $0.type == "data" }),
                data.content.count > 8
            else { continue }
            let bytes = read(Int(min(UInt64(data.content.count) - 8, 200)), data.content.lowerBound + 8)
            let text = String(decoding: bytes, as: UTF8.self)
            switch (type, key) {
            case (0xa96e_616d, _), (_, "com.apple.quicktime.title"): name = text
            case (0xa941_5254, _), (_, "com.apple.quicktime.artist"): artist = text
            case (_, "com.apple.quicktime.make"): maker = text
            case (_, "com.apple.quicktime.model"): model = text
            case (_, "com.apple.quicktime.location.ISO6709"): hasLocation = true
            default: break
            }
        }
        if maker != nil || model != nil { camera = [maker, model].compactMap(\.self).joined(separator: " ") }
    }
}

extension PreviewLines {
    /// Adds what the header of a film or a sound states, and returns its title. Returns nil for other content.
    mutating func addMedia(_ file: PreviewFile, _ start: [UInt8]) -> String? {
        let header = MediaHeader.header(of: start, size: file.size, nameExtension: file.nameExtension) {
            file.bytes($0, at: $1)
        }
        guard let header else { return nil }
        add("format    \(header.format), \(Quantity.bytes(file.size))")
        if let seconds = header.seconds { add("duration  \(MediaHeader.duration(seconds))") }
        if let problem = header.problem { add("problem   \(problem)", style: .error) }
        for track in header.tracks { add("track     \(track)") }
        if let name = header.name { add("title     \(name)") }
        if let artist = header.artist { add("artist    \(artist)") }
        if let camera = header.camera { add("camera    \(camera)") }
        if header.hasLocation { add("location  has a location, which is not shown") }
        return header.title
    }
}
