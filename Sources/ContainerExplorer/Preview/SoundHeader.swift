internal import AppContainer
internal import FileSystem
internal import TextOutput

/// Formats of sounds other than MPEG-4.
extension MediaHeader {
    private static let mostChunks = 1_000

    /// Returns the sound of a number of channels and samples per second.
    private static func track(_ format: String, channels: UInt64, rate: Double) -> String {
        let words = channels == 1 ? "mono" : channels == 2 ? "stereo" : "\(channels) channels"
        return "sound, \(format)\(format.isEmpty ? "" : ", ")\(words), \(Int(max(0, min(rate, 1e9)))) Hz"
    }

    // MARK: - MPEG audio

    /// Tags (ID3), then frames. The duration is that of the number of frames (Xing), or that of a constant bit rate.
    static func frames(_ start: [UInt8], size: UInt64, _ read: @escaping Reader) -> MediaHeader? {
        var header = MediaHeader("MPEG audio")
        var offset: UInt64 = 0
        if start.starts(with: "ID3".utf8), let length = synchsafe(start, at: 6) {
            offset = 10 + length
            header.addTags(ofID3: Array(start.prefix(Int(min(offset, 1 << 18)))))
        }
        let bytes = read(4_096, offset)
        // Zeros may fill the space of tags.
        guard let first = bytes.firstIndex(of: 0xff), first + 4 <= bytes.count, bytes[first + 1] & 0xe0 == 0xe0,
            let frame = Frame(Array(bytes[first..<(first + 4)]))
        else { return start.starts(with: "ID3".utf8) ? header : nil }
        header.format = "MPEG audio layer \(frame.layer)" + (frame.layer == 3 ? " (MP3)" : "")
        header.tracks = [track("\(frame.bitRate / 1000) kbit/s", channels: frame.channels, rate: Double(frame.rate))]
        let body = Array(bytes[first...].prefix(200))
        for mark in ["Xing", "Info"] {
            for at in [13, 21, 36] where body.dropFirst(at).starts(with: mark.utf8) {
                guard let flags = body.big(at: at + 4, 4), flags & 1 == 1, let count = body.big(at: at + 8, 4) else {
                    continue
                }
                header.seconds = Double(count) * Double(frame.samples) / Double(frame.rate)
            }
        }
        if header.seconds == nil, frame.bitRate > 0, size > offset {
            header.seconds = Double(size - offset) * 8 / Double(frame.bitRate)
        }
        return header
    }

    /// The header of a frame of MPEG audio.
    private struct Frame {
        let layer: Int
        let bitRate: Int
        let rate: Int
        let channels: UInt64
        let samples: Int

        init?(_ bytes: [UInt8]) {
            let version = Int(bytes[1] >> 3 & 3)
            let layerBits = Int(bytes[1] >> 1 & 3)
            let (rateIndex, bitIndex) = (Int(bytes[2] >> 2 & 3), Int(bytes[2] >> 4))
            guard version != 1, layerBits != 0, rateIndex != 3, bitIndex != 15, bitIndex != 0 else { return nil }
            layer = 4 - layerBits
            let isFirst = version == 3
            rate = [44_100, 48_000, 32_000][rateIndex] / (isFirst ? 1 : version == 2 ? 2 : 4)
            channels = bytes[3] >> 6 == 3 ? 1 : 2
            samples = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1152
            let rates =
                switch (isFirst, layer) {
                case (true, 1): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
                case (true, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
                case (true, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
                case (false, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
                default: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
                }
            bitRate = rates[bitIndex - 1] * 1000
        }
    }

    /// Returns a number of four bytes with seven bits each.
    private static func synchsafe(_ bytes: [UInt8], at offset: Int) -> UInt64? {
        guard offset + 4 <= bytes.count else { return nil }
        return bytes[offset..<(offset + 4)].reduce(0) { $0 << 7 | UInt64($1 & 0x7f) }
    }

    /// The title and the artist in ID3 2.3 and 2.4.
    private mutating func addTags(ofID3 bytes: [UInt8]) {
        guard bytes.count > 20, (3...4).contains(bytes[3]) else { return }
        var at = 10
        while at + 10 <= bytes.count, bytes[at] >= UInt8(ascii: "A") {
            let size = bytes[3] == 4 ? Self.synchsafe(bytes, at: at + 4) : bytes.big(at: at + 4, 4)
            guard let size, size > 0, size < 1 << 24 else { return }
            let content = Array(bytes[min(bytes.count, at + 10)..<min(bytes.count, at + 10 + Int(min(size, 1_000)))])
            let id = bytes[at..<(at + 4)]
            if id.elementsEqual("TIT2".utf8) { name = Self.text(ofFrame: content) }
            if id.elementsEqual("TPE1".utf8) { artist = Self.text(ofFrame: content) }
            at += 10 + Int(size)
        }
    }

    /// Returns the text of a frame, whose first byte is the encoding.
    private static func text(ofFrame bytes: [UInt8]) -> String? {
        guard let encoding = bytes.first else { return nil }
        let body = Array(bytes.dropFirst())
        switch encoding {
        case 0:
            var text = ""
            text.unicodeScalars.append(contentsOf: body.prefix { $0 != 0 }.map { Unicode.Scalar($0) })
            return text
        case 1, 2:
            let hasMark = body.starts(with: [0xff, 0xfe]) || body.starts(with: [0xfe, 0xff])
            let marked = hasMark ? body : [0xfe, 0xff] + body
            return PreviewLines.text(of: marked, isWhole: true).map { String($0.text.prefix { $0 != "\0" }) }
        default: return String(decoding: body.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    // MARK: - Chunks

    /// Calls `body` with the chunks of RIFF, AIFF or CAF until it returns false.
    private static func chunks(
        from start: UInt64, sizeBytes: Int, isBig: Bool, _ read: @escaping Reader,
        _ body: (_ name: String, _ content: UInt64, _ size: UInt64) -> Bool
    ) {
        var offset = start
        for _ in 0..<mostChunks {
            let head = read(4 + sizeBytes, offset)
            guard head.count == 4 + sizeBytes,
                let size = isBig ? head.big(at: 4, sizeBytes) : head.little(at: 4, sizeBytes)
            else { return }
            let content = offset + 4 + UInt64(sizeBytes)
            guard body(String(decoding: head[..<4], as: UTF8.self), content, size) else { return }
            // Chunks of 32 bits are padded to even sizes.
            let (next, isOver) = content.addingReportingOverflow(size &+ (sizeBytes == 4 ? size % 2 : 0))
            guard !isOver, next < UInt64(Int64.max) / 2 else { return }
            offset = next
        }
    }

    static func wave(size: UInt64, _ read: @escaping Reader) -> MediaHeader {
        var header = MediaHeader("WAVE")
        var bytesPerSecond: UInt64 = 0
        chunks(from: 12, sizeBytes: 4, isBig: false, read) { name, content, length in
            if name == "fmt " {
                let bytes = read(16, content)
                let rate = bytes.little(at: 4, 4) ?? 0
                bytesPerSecond = bytes.little(at: 8, 4) ?? 0
                header.tracks = [track("", channels: bytes.little(at: 2, 2) ?? 0, rate: Double(rate))]
            }
            guard name == "data" else { return true }
            if bytesPerSecond > 0, length > 0, length != 0xffff_ffff {
                header.seconds = Double(length) / Double(bytesPerSecond)
            }
            if size > content, length == 0 || content + length > size {
                header.problem = length == 0 ? "unfinished: the length is not written" : "cut off"
            }
            return false
        }
        return header
    }

    static func aiff(size: UInt64, _ read: @escaping Reader) -> MediaHeader {
        var header = MediaHeader("AIFF")
        chunks(from: 12, sizeBytes: 4, isBig: true, read) { name, content, length in
            if name == "NAME" { header.name = String(decoding: read(Int(min(length, 200)), content), as: UTF8.self) }
            if name == "AUTH" { header.artist = String(decoding: read(Int(min(length, 200)), content), as: UTF8.self) }
            guard name == "COMM" else { return true }
            let bytes = read(18, content)
            // A number of 80 bits: 15 of the exponent, 64 of the fraction.
            guard let frames = bytes.big(at: 2, 4), let exponent = bytes.big(at: 8, 2),
                let digits = bytes.big(at: 10, 8)
            else { return true }
            var rate = Double(digits)
            let power = Int(exponent & 0x7fff) - 16_383 - 63
            guard (-200...200).contains(power) else { return true }
            for _ in 0..<abs(power) { rate *= power > 0 ? 2 : 0.5 }
            header.tracks = [track("", channels: bytes.big(at: 0, 2) ?? 0, rate: rate)]
            if rate > 0 { header.seconds = Double(frames) / rate }
            return true
        }
        return header
    }

    static func coreAudio(size: UInt64, _ read: @escaping Reader) -> MediaHeader {
        var header = MediaHeader("Core Audio")
        var (rate, packetBytes, packetFrames): (Double, UInt64, UInt64) = (0, 0, 0)
        chunks(from: 8, sizeBytes: 8, isBig: true, read) { name, content, length in
            switch name {
            case "desc":
                let bytes = read(32, content)
                rate = Double(bitPattern: bytes.big(at: 0, 8) ?? 0)
                let format = String(decoding: bytes.dropFirst(8).prefix(4), as: UTF8.self)
                (packetBytes, packetFrames) = (bytes.big(at: 16, 4) ?? 0, bytes.big(at: 20, 4) ?? 0)
                guard rate.isFinite, rate > 0 else { return false }
                header.tracks = [track(format, channels: bytes.big(at: 24, 4) ?? 0, rate: rate)]
            case "pakt":
                if rate > 0, let frames = read(16, content).big(at: 8, 8) { header.seconds = Double(frames) / rate }
            case "data":
                // The size of a recording that goes on is -1.
                guard length != .max else {
                    header.problem = "unfinished: the length is not written"
                    if rate > 0, packetBytes > 0, size > content {
                        header.seconds = Double(size - content) / Double(packetBytes) * Double(packetFrames) / rate
                    }
                    return false
                }
                if header.seconds == nil, rate > 0, packetBytes > 0 {
                    header.seconds = Double(length) / Double(packetBytes) * Double(packetFrames) / rate
                }
            default: break
            }
            return true
        }
        return header
    }

    // MARK: - FLAC and Ogg

    static func flac(_ read: @escaping Reader) -> MediaHeader {
        var header = MediaHeader("FLAC")
        var offset: UInt64 = 4
        for _ in 0..<100 {
            let head = read(4, offset)
            guard head.count == 4, let length = head.big(at: 1, 3) else { break }
            if head[0] & 0x7f == 0, let bits = read(18, offset + 4).big(at: 10, 8) {
                let rate = bits >> 44
                header.tracks = [track("", channels: (bits >> 41 & 7) + 1, rate: Double(rate))]
                let samples = bits & 0xf_ffff_ffff
                if rate > 0, samples > 0 { header.seconds = Double(samples) / Double(rate) }
            }
            if head[0] & 0x7f == 4 { header.addComments(read(Int(min(length, 1 << 16)), offset + 4)) }
            if head[0] & 0x80 != 0 { break }
            offset += 4 + length
        }
        return header
    }

    static func ogg(_ start: [UInt8], size: UInt64, _ read: @escaping Reader) -> MediaHeader {
        var header = MediaHeader("Ogg")
        let first = start.prefix(8_192)
        func position(of mark: String) -> Int? {
            let mark = Array(mark.utf8)
            return first.withUnsafeBytes { $0.position(of: mark) }
        }
        var (rate, skipped): (UInt64, UInt64) = (0, 0)
        if let at = position(of: "OpusHead") {
            (header.format, rate, skipped) = ("Ogg Opus", 48_000, start.little(at: at + 10, 2) ?? 0)
            header.tracks = [track("Opus", channels: start.little(at: at + 9, 1) ?? 0, rate: 48_000)]
        } else if let at = position(of: "\u{1}vorbis") {
            (header.format, rate) = ("Ogg Vorbis", start.little(at: at + 12, 4) ?? 0)
            header.tracks = [track("Vorbis", channels: start.little(at: at + 11, 1) ?? 0, rate: Double(rate))]
        }
        for (mark, length) in [("OpusTags", 8), ("\u{3}vorbis", 7)] {
            if let at = position(of: mark) { header.addComments(Array(first[(at + length)...])) }
        }
        // The last page has the number of the last sample.
        let count = min(size, 1 << 16)
        let end = read(Int(count), size - count)
        guard rate > 0,
            let last = (0..<max(0, end.count - 13)).reversed().first(where: { end[$0...].starts(with: "OggS".utf8) }),
            let samples = end.little(at: last + 6, 8), samples != .max, samples >= skipped
        else { return header }
        header.seconds = Double(samples - skipped) / Double(rate)
        return header
    }

    /// The title and the artist in Vorbis comments.
    private mutating func addComments(_ bytes: [UInt8]) {
        guard let vendor = bytes.little(at: 0, 4), vendor < 1 << 16, let count = bytes.little(at: 4 + Int(vendor), 4)
        else {
            return
        }
        var at = 8 + Int(vendor)
        for _ in 0..<min(count, 200) {
            guard let length = bytes.little(at: at, 4), length < 1 << 20 else { return }
            let text = String(
                decoding: bytes[min(bytes.count, at + 4)..<min(bytes.count, at + 4 + Int(min(length, 300)))],
                as: UTF8.self)
            if text.lowercased().hasPrefix("title=") { name = String(text.dropFirst(6)) }
            if text.lowercased().hasPrefix("artist=") { artist = String(text.dropFirst(7)) }
            at += 4 + Int(length)
        }
    }
}
