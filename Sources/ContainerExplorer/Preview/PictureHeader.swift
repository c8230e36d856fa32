internal import FileSystem
internal import PolicyTexts
internal import TextOutput

/// The size of a picture and the data of the camera, as its header states them.
///
/// Every number is one of a hostile file: the time depends on fixed limits only. Sources: ITU-T T.81 (JPEG), the PNG and GIF89a
/// specifications, the WebP container specification, ISO 23008-12 (HEIF), TIFF 6.0, EXIF 2.32 (CIPA DC-008).
struct PictureHeader {
    /// Returns at most so many bytes from an offset.
    typealias Reader = (Int, UInt64) -> [UInt8]

    private(set) var format: String
    private(set) var width: UInt64 = 0
    private(set) var height: UInt64 = 0
    private(set) var tags = ExifTags()

    private static let mostParts = 2_000

    /// Reads the header of a picture; nil for a file of another format.
    init?(_ start: [UInt8], read: @escaping Reader) {
        switch Magic(start) {
        case .jpeg:
            format = "JPEG"
            readJPEG(read)
        case .png:
            format = "PNG"
            readPNG(read)
        case .gif:
            format = "GIF"
            setSize(start.little(at: 6, 2), start.little(at: 8, 2))
        case .webp:
            format = "WebP"
            readWebP(read)
        case .tiff:
            format = "TIFF"
            tags = ExifTags(read: read)
            setSize(tags.width, tags.height)
        case .bmp:
            format = "bitmap"
            setSize(start.little(at: 18, 4), start.little(at: 22, 4))
        case .iso:
            let brand = String(decoding: start[8..<min(12, start.count)], as: UTF8.self)
            guard let name = Self.brands[brand] else { return nil }
            format = name
            readHEIF(read)
        default: return nil
        }
    }

    private static let brands = [
        "heic": "HEIC", "heix": "HEIC", "hevc": "HEIC", "hevx": "HEIC", "heim": "HEIC", "heis": "HEIC", "mif1": "HEIF",
        "msf1": "HEIF", "avif": "AVIF", "avis": "AVIF",
    ]

    /// The format, the size, the date and the camera in words.
    var title: String {
        var title = "\(format) picture"
        if width > 0, height > 0 { title += ", \(width) × \(height)" }
        if let date = tags.date { title += ", taken \(date)" }
        if let camera = tags.camera { title += "\(tags.date == nil ? ", taken" : "") with \(camera)" }
        return title
    }

    private mutating func setSize(_ width: UInt64?, _ height: UInt64?) {
        (self.width, self.height) = (width ?? 0, height ?? 0)
    }

    // MARK: - Formats

    /// Segments up to the first scan.
    private mutating func readJPEG(_ read: @escaping Reader) {
        var offset: UInt64 = 2
        for _ in 0..<Self.mostParts {
            let head = read(10, offset)
            guard head.count >= 4, head[0] == 0xff else { return }
            let (mark, length) = (head[1], head.big(at: 2, 2) ?? 0)
            // Bytes between segments.
            if mark == 0xff {
                offset += 1
                continue
            }
            guard length >= 2, mark != 0xda, mark != 0xd9 else { return }
            // Frames, without tables (C4), extensions (C8) and conditioning (CC).
            if (0xc0...0xcf).contains(mark), mark != 0xc4, mark != 0xc8, mark != 0xcc {
                setSize(head.big(at: 7, 2), head.big(at: 5, 2))
            }
            if mark == 0xe1, head.dropFirst(4).starts(with: "Exif\0\0".utf8) {
                let base = offset + 10
                tags = ExifTags(read: { read($0, base + $1) })
            }
            offset += 2 + length
        }
    }

    /// Chunks up to the end.
    private mutating func readPNG(_ read: @escaping Reader) {
        let head = read(24, 0)
        setSize(head.big(at: 16, 4), head.big(at: 20, 4))
        var offset: UInt64 = 8
        for _ in 0..<Self.mostParts {
            let head = read(8, offset)
            guard head.count == 8, let length = head.big(at: 0, 4) else { return }
            if head[4...].elementsEqual("eXIf".utf8) {
                let base = offset + 8
                tags = ExifTags(read: { read($0, base + $1) })
                return
            }
            offset += 12 + length
        }
    }

    private mutating func readWebP(_ read: @escaping Reader) {
        var offset: UInt64 = 12
        for _ in 0..<Self.mostParts {
            let head = read(18, offset)
            guard head.count >= 8, let length = head.little(at: 4, 4) else { return }
            switch String(decoding: head[..<4], as: UTF8.self) {
            case "VP8X":
                setSize(head.little(at: 12, 3).map { $0 + 1 }, head.little(at: 15, 3).map { $0 + 1 })
            case "VP8 " where width == 0:
                setSize(head.little(at: 14, 2).map { $0 & 0x3fff }, head.little(at: 16, 2).map { $0 & 0x3fff })
            case "VP8L" where width == 0:
                guard let bits = head.little(at: 9, 4) else { return }
                setSize((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)
            case "EXIF":
                // Some programs also write the marker of JPEG.
                let hasMark = read(6, offset + 8).starts(with: "Exif\0\0".utf8)
                let base = offset + 8 + (hasMark ? 6 : 0)
                tags = ExifTags(read: { read($0, base + $1) })
            default: break
            }
            offset += 8 + length + length % 2
        }
    }

    /// The properties and the item with EXIF of a HEIF file.
    private mutating func readHEIF(_ read: @escaping Reader) {
        guard let meta = BoxReader(read).boxes(in: 0..<UInt64(Int64.max)).first(where: { $0.type == "meta" }) else {
            return
        }
        let boxes = BoxReader(read)
        let parts = boxes.boxes(in: meta.content(after: 4))
        // A picture of tiles has the size of the tiles too.
        for properties in parts.filter({ $0.type == "iprp" }).flatMap({ boxes.boxes(in: $0.content) })
        where properties.type == "ipco" {
            for size in boxes.boxes(in: properties.content) where size.type == "ispe" {
                let bytes = read(12, size.content.lowerBound)
                guard let width = bytes.big(at: 4, 4), let height = bytes.big(at: 8, 4) else { continue }
                if width * height > self.width * self.height { setSize(width, height) }
            }
        }
        guard let list = parts.first(where: { $0.type == "iinf" }),
            let places = parts.first(where: { $0.type == "iloc" }),
            let item = Self.exifItem(in: list.content, read),
            let start = Self.offset(of: item, in: places.content, read),
            let skipped = read(4, start).big(at: 0, 4)
        else { return }
        let base = start + 4 + skipped
        tags = ExifTags(read: { read($0, base + $1) })
    }

    /// Returns the number of the item with EXIF.
    private static func exifItem(in range: Range<UInt64>, _ read: @escaping Reader) -> UInt64? {
        let version = read(1, range.lowerBound).first ?? 0
        let entries = min(range.upperBound, range.lowerBound + (version == 0 ? 6 : 8))..<range.upperBound
        for entry in BoxReader(read).boxes(in: entries) where entry.type == "infe" {
            let bytes = read(16, entry.content.lowerBound)
            let wide = bytes.first == 3
            guard let version = bytes.first, version >= 2, let number = bytes.big(at: 4, wide ? 4 : 2) else { continue }
            if bytes.dropFirst(wide ? 10 : 8).starts(with: "Exif".utf8) { return number }
        }
        return nil
    }

    /// Returns the offset of an item in the file.
    private static func offset(of item: UInt64, in range: Range<UInt64>, _ read: @escaping Reader) -> UInt64? {
        let bytes = read(Int(min(range.upperBound - range.lowerBound, 1 << 16)), range.lowerBound)
        guard bytes.count > 8, let version = bytes.first, version <= 2 else { return nil }
        let sizes = (offset: Int(bytes[4] >> 4), length: Int(bytes[4] & 15), base: Int(bytes[5] >> 4))
        let indexSize = version == 0 ? 0 : Int(bytes[5] & 15)
        var at = 6
        guard let count = Self.take(bytes, &at, version < 2 ? 2 : 4) else { return nil }
        for _ in 0..<min(count, 4_096) {
            guard let number = Self.take(bytes, &at, version < 2 ? 2 : 4) else { return nil }
            if version > 0 { at += 2 }
            at += 2
            guard let base = Self.take(bytes, &at, sizes.base), let extents = Self.take(bytes, &at, 2) else {
                return nil
            }
            for extent in 0..<min(extents, 1_024) {
                at += indexSize
                guard let offset = Self.take(bytes, &at, sizes.offset), Self.take(bytes, &at, sizes.length) != nil
                else {
                    return nil
                }
                let (sum, isOver) = base.addingReportingOverflow(offset)
                if number == item, extent == 0 { return isOver || sum > UInt64(Int64.max) / 2 ? nil : sum }
            }
        }
        return nil
    }

    private static func take(_ bytes: [UInt8], _ at: inout Int, _ count: Int) -> UInt64? {
        guard count > 0 else { return 0 }
        defer { at += count }
        return count <= 8 ? bytes.big(at: at, count) : nil
    }
}

/// The tags of a camera in the TIFF structure of EXIF.
struct ExifTags {
    private(set) var make: String?
    private(set) var model: String?
    /// The date in the form `2024-05-01 12:00:00`, in the time zone of the camera.
    private(set) var date: String?
    /// True if coordinates are stored. They are not kept.
    private(set) var hasLocation = false
    private(set) var width: UInt64?
    private(set) var height: UInt64?

    init() {}

    /// Reads the tags.
    ///
    /// - Parameter read: Returns bytes by their offset from the start of the structure.
    init(read: (Int, UInt64) -> [UInt8]) {
        let head = read(8, 0)
        let isLittle = head.starts(with: "II".utf8)
        guard isLittle || head.starts(with: "MM".utf8), head.count == 8 else { return }
        func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> UInt64 {
            (isLittle ? bytes.little(at: at, count) : bytes.big(at: at, count)) ?? 0
        }
        /// Calls `body` with the entries of a directory.
        func entries(
            at offset: UInt64, _ body: (_ tag: UInt64, _ type: UInt64, _ count: UInt64, _ value: [UInt8]) -> Void
        ) {
            let count = Int(min(number(read(2, offset), 0, 2), 200))
            let bytes = read(12 * count, offset + 2)
            for start in stride(from: 0, to: bytes.count - 11, by: 12) {
                body(
                    number(bytes, start, 2), number(bytes, start + 2, 2), number(bytes, start + 4, 4),
                    Array(bytes[(start + 8)..<(start + 12)]))
            }
        }
        func text(_ type: UInt64, _ count: UInt64, _ value: [UInt8]) -> String? {
            guard type == 2, count > 0 else { return nil }
            let bytes = count <= 4 ? value : read(Int(min(count, 64)), number(value, 0, 4))
            let text = String(decoding: bytes.prefix(Int(min(count, 64))).prefix { $0 != 0 }, as: UTF8.self)
            let trimmed = text.drop { $0 == " " }
            let end = trimmed.lastIndex { $0 != " " }.map { trimmed.index(after: $0) } ?? trimmed.startIndex
            return end > trimmed.startIndex ? String(trimmed[..<end]) : nil
        }
        var (camera, place): (UInt64?, UInt64?) = (nil, nil)
        var changed: String?
        entries(at: number(head, 4, 4)) { tag, type, count, value in
            switch tag {
            case 0x0100: width = number(value, 0, type == 3 ? 2 : 4)
            case 0x0101: height = number(value, 0, type == 3 ? 2 : 4)
            case 0x010f: make = text(type, count, value)
            case 0x0110: model = text(type, count, value)
            case 0x0132: changed = text(type, count, value)
            case 0x8769: camera = number(value, 0, 4)
            case 0x8825: place = number(value, 0, 4)
            default: break
            }
        }
        if let camera {
            entries(at: camera) { tag, type, count, value in
                if tag == 0x9003 { date = text(type, count, value) }
            }
        }
        date = (date ?? changed).flatMap(Self.date)
        if let place {
            // The latitude or the longitude.
            entries(at: place) { tag, _, _, _ in if tag == 2 || tag == 4 { hasLocation = true } }
        }
    }

    /// Returns a date of EXIF with dashes; nil for one that is not set.
    private static func date(_ text: String) -> String? {
        guard text.utf8.count == 19, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x3a || $0 == 0x20 }),
            !text.hasPrefix("0000")
        else { return nil }
        let words = text.split(separator: " ")
        guard words.count == 2 else { return nil }
        return words[0].replacing(":", with: "-") + " " + words[1]
    }

    /// The maker and the model, without the maker where the model names it.
    var camera: String? {
        guard let model else { return make }
        guard let make, !model.lowercased().hasPrefix(make.lowercased()) else { return model }
        return "\(make) \(model)"
    }
}

extension [UInt8] {
    /// Returns the number of `count` bytes at an offset, the highest first; nil beyond the end.
    func big(at offset: Int, _ count: Int) -> UInt64? {
        guard offset >= 0, count <= 8, offset + count <= self.count else { return nil }
        return self[offset..<(offset + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the number of `count` bytes at an offset, the lowest first; nil beyond the end.
    func little(at offset: Int, _ count: Int) -> UInt64? {
        guard offset >= 0, count <= 8, offset + count <= self.count else { return nil }
        return self[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension PreviewLines {
    /// Adds what the header of a picture states, and returns its title. Returns nil for other content.
    mutating func addPicture(_ file: PreviewFile, _ start: [UInt8]) -> String? {
        guard let picture = PictureHeader(start, read: { file.bytes($0, at: $1) }) else { return nil }
        add("format    \(picture.format), \(Quantity.bytes(file.size))")
        if picture.width > 0 {
            add("size      \(picture.width) × \(picture.height) pixels")
        } else {
            add("size      not stated where the format has it; the file may be cut or damaged", style: .error)
        }
        if let camera = picture.tags.camera { add("camera    \(camera)") }
        if let date = picture.tags.date { add("taken     \(date)") }
        if picture.tags.hasLocation { add("location  has a location, which is not shown") }
        return picture.title
    }
}
