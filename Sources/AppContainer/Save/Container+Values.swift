internal import FileSystem
public import Foundation
internal import PropertyLists
internal import SystemPackage

extension Container {
    /// Saves a value as JSON, or as a binary property list if the name of the file ends in `.plist`. Otherwise like
    /// saving bytes.
    ///
    ///     try container.save(player, to: .applicationSupport / "player.json")
    ///     let loaded: Player = try container.load(from: .applicationSupport / "player.json")
    ///
    /// The settings of the encoder are Foundation's, with sorted keys, so that equal values have equal files. `encoder`
    /// is another one:
    ///
    ///     try container.save(library, to: .applicationSupport / "library.json", encoder: JSONEncoder())
    ///
    /// `limits` bounds the size of the file, so that it can be loaded with the same limits.
    ///
    /// - Throws: `notEncodable` if the encoder refuses the value, `tooLarge` for a value beyond the limits, and the
    ///   errors of saving bytes.
    public func save(
        _ value: some Encodable, to item: ContainerPath, encoder: (any ValueEncoder)? = nil,
        limits: ValueLimits = ValueLimits(), options: SaveOptions = SaveOptions(), fileID: String = #fileID,
        line: UInt = #line
    ) throws(ContainerError) {
        try save(
            try content(of: value, encoder ?? item.defaultEncoder, for: item, limits: limits), to: item,
            options: options, fileID: fileID, line: line)
    }

    /// Returns the content of a file as a value: JSON, or a property list if the name of the file ends in `.plist`, or
    /// the format of `decoder`.
    ///
    /// `limits` bounds the size of the file.
    ///
    /// - Throws: `damaged` if the content does not have the expected format, `tooLarge` for a file beyond the limits,
    ///   and the errors of loading bytes.
    public func load<Value: Decodable>(
        _ type: Value.Type = Value.self, from item: ContainerPath, decoder: (any ValueDecoder)? = nil,
        followingLinks: Bool = true, limits: ValueLimits = ValueLimits()
    ) throws(ContainerError) -> Value {
        let content = try content(of: try open(item, followingLinks: followingLinks), at: item, limits)
        return try value(type, of: content, decoder: decoder ?? item.defaultDecoder, at: item, limits: limits)
    }

    /// Returns the content of a file as a value, or a default if the file does not exist. Otherwise like loading a
    /// value.
    ///
    ///     let settings = try container.load(from: .applicationSupport / "settings.json", default: Settings())
    ///
    /// - Throws: The errors of loading a value, except for `notFound`. A damaged file is an error, so that no one takes
    ///   the default for its content.
    public func load<Value: Decodable>(
        from item: ContainerPath, default value: @autoclosure () -> Value, limits: ValueLimits = ValueLimits()
    ) throws(ContainerError) -> Value {
        do throws(ContainerError) { return try load(Value.self, from: item, limits: limits) } catch {
            guard error.code == .notFound else { throw error }
            return value()
        }
    }

    /// Appends elements to an array in a file, which is created if it is missing.
    ///
    /// The formats are those of saving and loading a value. The whole file is saved, so that after a crash it has all
    /// new elements or none. Other saves of the file in this process wait.
    ///
    /// `limits` bounds the size of the file, before and after the change.
    ///
    /// - Throws: `damaged` if the content is not an array of the elements, `tooLarge`, `notEncodable`, and the errors
    ///   of saving bytes.
    public func append<Element: Codable>(
        contentsOf elements: [Element], to item: ContainerPath, encoder: (any ValueEncoder)? = nil,
        decoder: (any ValueDecoder)? = nil, limits: ValueLimits = ValueLimits(), options: SaveOptions = SaveOptions(),
        fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        let path = try relativeFile(item)
        let write = atomicWrite(options, source: CodeLocation(fileID: fileID, line: line))
        let (encoder, decoder) = (encoder ?? item.defaultEncoder, decoder ?? item.defaultDecoder)
        try repeatingAfterPurges(in: item.parent) { () throws(ContainerError) in
            let hasCreated = try createParent(of: path)
            try withPathLock(at: path) { () throws(ContainerError) in
                var all: [Element] = []
                if let old = try openIfPresent(path) {
                    all = try value(
                        [Element].self, of: try content(of: old, at: item, limits), decoder: decoder, at: item,
                        limits: limits)
                }
                let content = try content(of: all + elements, encoder, for: item, limits: limits)
                try perform(write, at: path, createdDirectories: hasCreated) { file throws(FileSystemError) in
                    try file.write(content)
                }
            }
        }
    }

    func content(
        of value: some Encodable, _ encoder: any ValueEncoder, for item: ContainerPath, limits: ValueLimits
    ) throws(ContainerError) -> Data {
        let path = try relativeFile(item)
        let content: Data
        do { content = try encoder.encode(value) } catch {
            throw ContainerError(
                .notEncodable, path,
                "The value for “\(item)” cannot be encoded: \(error). Nothing on disk has changed.")
        }
        guard content.count <= limits.bytes else {
            throw ContainerError(
                tooLarge: "its file has \(content.count) bytes, more than \(limits.bytes)", at: path,
                onDisk: "Nothing on disk has changed.")
        }
        guard encoder is PropertyListEncoder else { return content }
        do throws(PropertyListError) { try limits.check(propertyList: content) } catch {
            guard error.code != .tooLarge else {
                throw ContainerError(tooLarge: "\(error)", at: path, onDisk: "Nothing on disk has changed.")
            }
            throw ContainerError(
                .notEncodable, path,
                "The encoded value for “\(item)” could not be loaded again: \(error). Nothing on disk has "
                    + "changed.")
        }
        return content
    }

    func content(
        of file: OpenFile, at item: ContainerPath, _ limits: ValueLimits
    ) throws(ContainerError) -> Data {
        do throws(FileSystemError) {
            let size = try file.status().size
            if size <= UInt64(clamping: limits.bytes) {
                let content = try file.data()
                // The file may have grown.
                if content.count <= limits.bytes { return content }
            }
        } catch { throw ContainerError(error) }
        throw ContainerError(
            tooLarge: "its file has more than \(limits.bytes) bytes", at: try relative(item),
            onDisk: "The file is unchanged.")
    }

    func value<Value: Decodable>(
        _ type: Value.Type, of content: Data, decoder: any ValueDecoder, at item: ContainerPath,
        limits: ValueLimits
    ) throws(ContainerError) -> Value {
        let path = try relative(item)
        do {
            if decoder is PropertyListDecoder { try limits.check(propertyList: content) }
            return try decoder.decode(type, from: content)
        } catch let error as PropertyListError where error.code == .tooLarge {
            throw ContainerError(tooLarge: "\(error)", at: path, onDisk: "The file is unchanged.")
        } catch {
            throw ContainerError(
                .damaged, path,
                "“\(item)” is not a \(type) in this format: \(error). The file is unchanged. "
                    + "Load its bytes to inspect them.")
        }
    }
}

/// An encoder of values: `JSONEncoder` or `PropertyListEncoder` with the caller's settings.
public protocol ValueEncoder {
    /// Returns the encoded value.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

/// A decoder of values: `JSONDecoder` or `PropertyListDecoder` with the caller's settings.
public protocol ValueDecoder {
    /// Returns the decoded value.
    func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws -> Value
}

extension JSONEncoder: ValueEncoder {}
extension JSONDecoder: ValueDecoder {}
extension PropertyListEncoder: ValueEncoder {}
extension PropertyListDecoder: ValueDecoder {}

extension ContainerPath {
    private var isPropertyList: Bool { pathExtension.lowercased() == "plist" }

    /// The encoder for values at a path.
    var defaultEncoder: any ValueEncoder {
        if isPropertyList {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            return encoder
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }

    /// The decoder for values at a path.
    var defaultDecoder: any ValueDecoder { isPropertyList ? PropertyListDecoder() : JSONDecoder() }
}

/// The limits for the file of a value. A load with the same limits accepts what a save accepted.
public struct ValueLimits: Sendable, Hashable {
    /// The maximum size of the file in bytes, in any format: 64 MiB.
    public var bytes = 64 << 20
    /// The maximum number of values in a property list: 1,000,000. Shared values count for each reference.
    public var values = 1_000_000
    /// The maximum depth of a property list: 512, which is also the upper limit for XML.
    ///
    /// A decoder uses stack space for each level.
    public var depth = 512

    /// Creates the default limits.
    public init() {}

    /// Checks that Foundation's decoder terminates for a property list: it recurses endlessly in a list that contains
    /// itself, which ends the process.
    ///
    /// - Throws: `tooLarge` beyond the limits; other errors of the list.
    func check(propertyList content: Data) throws(PropertyListError) {
        var bounds = PropertyListGraph.Limits()
        bounds.bytes = bytes
        bounds.objects = max(0, values)
        // Sixteen bytes for each key and value in addition to texts and data.
        bounds.contents = max(0, bytes).addingReportingOverflow(min(max(0, values), 1 << 40) * 16).partialValue
        if bounds.contents < 0 { bounds.contents = .max }
        let graph = try PropertyListGraph(parsing: Array(content), limits: bounds)
        try graph.requireUnfolding(depth: max(1, depth), count: max(1, values))
    }
}

extension ContainerError {
    /// Creates an error for a value whose file exceeds the limits.
    init(tooLarge reason: String, at path: FilePath, onDisk: String) {
        self.init(
            .tooLarge, path,
            "The value of “\(path)” is too large: \(reason). \(onDisk) Split it into several files, or raise the limits for "
                + "saving and loading it.")
    }
}
