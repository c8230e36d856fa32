internal import FileSystem
public import Foundation
internal import SystemPackage

extension Container {
    /// Returns the file URL of an item.
    ///
    /// - Throws: `invalidPath` or `leavesContainer` for an invalid path; `noIdentifier`.
    public func url(for item: ContainerPath) throws(ContainerError) -> URL {
        // A URL would start from the directory of the process.
        let path = try Invocation.current.workingDirectory.resolved(path(item))
        guard FilePath(path.string) != path, let url = URL(string: "file://" + path.bytes.percentEncoded) else {
            return URL(fileURLWithPath: path.string)
        }
        // A name that is not valid UTF-8 has no other URL than one with its bytes.
        return url
    }

    /// Returns the container path of a file URL, as a file picker, a drag or a notification provides it.
    ///
    /// The URL may lead to the container by links, as `/var` leads to `/private/var`. The item need not exist. A link in
    /// the last component is the item itself.
    ///
    /// - Throws: `leavesContainer` if the URL is outside the container; `invalidPath` if it is not a file URL.
    public func path(for url: URL) throws(ContainerError) -> ContainerPath {
        let path = FilePath(bytes: url.isFileURL ? url.absoluteURL.path(percentEncoded: true).percentDecoded : [])
        guard path.isAbsolute, !url.absoluteURL.path(percentEncoded: true).contains("%00") else {
            throw ContainerError(
                .invalidPath, FilePath(url.absoluteString), "“\(url)” is not a file URL. Use the URL of a file.")
        }
        let current = FilePath(FileManager.default.currentDirectoryPath)
        let isPlain = path.components.allSatisfy { $0.kind == .regular }
        if isPlain, location.isAbsolute, let rest = path.components(below: location) { return containerPath(rest) }
        let home = location.physical(from: current)
        // Links are resolved in the directories only.
        var real = path.physical(from: current)
        if isPlain, let name = path.lastComponent {
            let parent = path.removingLastComponent().physical(from: current)
            if real != home { real = parent.appending(name) }
        }
        if let rest = real.components(below: home) { return containerPath(rest) }
        throw ContainerError(
            .leavesContainer, path,
            "“\(path)” is not in the container “\(location)”. Nothing on disk has changed. "
                + "Copy it into the container with importFile(at:to:).")
    }
}

extension FilePath {
    /// Returns the components below `directory`, or nil if the path is not in it.
    fileprivate func components(below directory: FilePath) -> FilePath? {
        guard starts(with: directory) else { return nil }
        return FilePath(root: nil, components.dropFirst(directory.components.count))
    }
}

extension [UInt8] {
    /// The path with all bytes percent-encoded but letters, digits and `-._~/`.
    fileprivate var percentEncoded: String {
        var text = ""
        for byte in self {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80 && (scalar.properties.isAlphabetic || "0123456789-._~/".unicodeScalars.contains(scalar))
            text += isPlain ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return text
    }
}

extension String {
    /// The bytes of a percent-encoded path, in any encoding.
    fileprivate var percentDecoded: [UInt8] {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(Substring(rest.prefix(2))), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
