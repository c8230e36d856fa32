internal import AppContainer
internal import DatabaseInspection
internal import FileSystem
internal import Foundation
internal import PropertyLists
internal import SystemPackage
internal import TextOutput

/// A file whose content is searched. It may change, vanish or grow meanwhile.
struct SearchedFile {
    enum Outcome {
        case searched
        /// The content is neither text nor structured.
        case notText
        case vanished
        /// The file belongs to a database, which is searched with it.
        case companion
        case failed(String)
        /// A part was not searched, for a reason.
        case partly(String)
    }

    private let path: [UInt8]
    private let size: UInt64
    private let container: Container

    private static let piece = 1 << 20
    private static let headSize = 4_096
    private static let tooDeep = "it is nested more than \(JSONSearch.deepest) levels deep"

    private static let tooDeepList = "it is nested too deeply"

    init(_ path: [UInt8], size: UInt64, in container: Container) {
        (self.path, self.size, self.container) = (path, size, container)
    }

    /// Searches the content.
    func search(
        _ options: ContentSearch.Options, isCancelled: @escaping @Sendable () -> Bool, into places: inout FoundPlaces
    ) -> Outcome {
        do throws(FileSystemError) {
            if isCompanion { return .companion }
            let file = try container.folder.open(FilePath(bytes: path), followingLinks: false)
            let status = try file.status()
            // Another kind of item may have taken its place.
            guard status.kind == .file else { return .vanished }
            let head = try file.read(upTo: Self.headSize)
            guard !head.isEmpty else { return .searched }
            if head.starts(with: DatabaseHeader.magic) {
                return searchDatabase(options, isCancelled: isCancelled, into: &places)
            }
            let isList = head.starts(with: PropertyListStrings.magic)
            let wide = WideText.encoding(of: head)
            guard isList || wide != nil || !head.contains(0) else { return .notText }
            guard status.size <= options.fileBytes, let bytes = try Self.read(file, limit: options.fileBytes) else {
                return .failed("it is larger than \(options.fileBytes >> 20) MiB")
            }
            if isList || PropertyListStrings.isPossible(head) {
                var list = ListSearch(isCancelled: isCancelled)
                if list.search(bytes, limit: Int(clamping: options.fileBytes), into: &places) {
                    return list.isCut ? .partly(Self.tooDeepList) : .searched
                }
                // XML may be something else than a property list, and is text then.
                if isList { return .failed("it is a damaged property list, or one with too many values") }
            }
            return searchText(bytes, wide, isCancelled: isCancelled, into: &places)
        } catch {
            guard error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory else {
                return .failed(ByteText.printable("\(error)"))
            }
            return .vanished
        }
    }

    /// Returns all bytes of a file, or nil if it has more than the limit.
    private static func read(_ file: OpenFile, limit: UInt64) throws(FileSystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            let next = try file.read(upTo: piece, from: UInt64(bytes.count))
            if next.isEmpty { return bytes }
            bytes += next
            if UInt64(bytes.count) > limit { return nil }
        }
    }

    private var isCompanion: Bool {
        DatabaseFileNames.mains(ofCompanion: path).contains { main in
            guard let file = try? container.folder.open(FilePath(bytes: main), followingLinks: false) else {
                return false
            }
            return (try? file.read(upTo: DatabaseHeader.magic.count)) == DatabaseHeader.magic
        }
    }

    // MARK: - Text

    private func searchText(
        _ bytes: [UInt8], _ wide: WideText?, isCancelled: @escaping @Sendable () -> Bool, into places: inout FoundPlaces
    ) -> Outcome {
        let text = wide.map { Array($0.text(of: bytes).utf8) } ?? bytes
        if text.withUnsafeBufferPointer(JSONSearch.isPossible) {
            var search = JSONSearch(isCancelled: isCancelled)
            if search.search(text, into: &places) { return search.isCut ? .partly(Self.tooDeep) : .searched }
            places.removeAll()
        }
        text.withUnsafeBytes { Self.searchLines($0, isCancelled: isCancelled, into: &places) }
        return .searched
    }

    private static func searchLines(
        _ text: UnsafeRawBufferPointer, isCancelled: () -> Bool, into places: inout FoundPlaces
    ) {
        guard places.takesValues else { return }
        var (start, number, counted) = (0, 1, 0)
        while start < text.count, !places.isFull, !isCancelled(), let line = places.needle.line(in: text, from: start) {
            while let end = text.position(of: UInt8(ascii: "\n"), from: counted), end < line.lowerBound {
                number += 1
                counted = end + 1
            }
            places.addLine(String(decoding: text[line], as: UTF8.self), number: number)
            start = line.upperBound + 1
        }
    }

    // MARK: - Databases

    private func searchDatabase(
        _ options: ContentSearch.Options, isCancelled: @escaping @Sendable () -> Bool, into places: inout FoundPlaces
    ) -> Outcome {
        var limits = DatabaseLimits()
        (limits.bytes, limits.rows) = (min(limits.bytes, 4 * options.fileBytes), options.rows)
        (limits.seconds, limits.valueBytes) = (options.databaseSeconds, 1 << 20)
        guard size <= limits.bytes else { return .failed("it is larger than \(limits.bytes >> 20) MiB") }
        guard let source = FolderDatabase(at: path, in: container.folder) else { return .vanished }
        do throws(DatabaseReadError) {
            let copy = try DatabaseCopy(of: source, limits: limits)
            let search = DatabaseSearch(copy, isCancelled: isCancelled)
            return try search.search(into: &places)
                ? .searched
                : .partly(
                    "rows after the first \(Quantity.grouped(options.rows)) of a table, or long values, were skipped")
        } catch { return .failed(ByteText.printable("\(error)")) }
    }
}

/// An encoding with two bytes for a character.
enum WideText {
    case littleEndian, bigEndian

    /// Returns the encoding of a text, by its mark, or because every second byte of nearly all its characters is 0.
    static func encoding(of head: [UInt8]) -> WideText? {
        if head.starts(with: [0xff, 0xfe]) { return .littleEndian }
        if head.starts(with: [0xfe, 0xff]) { return .bigEndian }
        guard head.count >= 8 else { return nil }
        var zeros = (even: 0, odd: 0)
        for (position, byte) in head.enumerated() where byte == 0 {
            if position % 2 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
        }
        let most = head.count / 2
        if zeros.even == 0, zeros.odd * 10 >= most * 9 { return .littleEndian }
        return zeros.odd == 0 && zeros.even * 10 >= most * 9 ? .bigEndian : nil
    }

    /// Returns the text. Halves of pairs are replaced.
    func text(of bytes: [UInt8]) -> String {
        let units = (0..<bytes.count / 2).lazy.map { position -> UInt16 in
            let (first, second) = (UInt16(bytes[2 * position]), UInt16(bytes[2 * position + 1]))
            return self == .littleEndian ? second << 8 | first : first << 8 | second
        }
        let text = String(decoding: units, as: UTF16.self)
        return text.unicodeScalars.first == "\u{feff}" ? String(text.unicodeScalars.dropFirst()) : text
    }
}
