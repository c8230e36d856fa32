internal import AppContainer
package import ContainerTree
internal import FileSystem
internal import Secrets
internal import TextOutput

/// The items of a directory in the export format of ncdu, version 1.2, which `ncdu -f` shows.
///
/// Sizes, hard links, special files and directories that could not be read are those of the index. Names are bytes, as ncdu
/// writes them; characters that control a terminal are escaped as JSON has it, and secrets are replaced by their kind.
///
/// Source: dev.yorhel.nl/ncdu/jsonfmt.
package struct NcduExport {
    private let index: ContainerIndex
    private let root: Int

    /// Creates an export.
    ///
    /// - Parameters:
    ///   - roots: The number of the directory, as the only element.
    ///   - index: The index of the items.
    /// - Throws: `usage` for several items, `wrongContent` for an item that is not a directory.
    package init(of roots: [Int], in index: ContainerIndex) throws(ExplorerError) {
        guard let root = roots.first, roots.count == 1 else {
            throw ExplorerError(
                .usage, description: "an export has one directory. Name one, or none for the container.")
        }
        guard index[root].kind == .directory else {
            throw ExplorerError(
                .wrongContent, description: "“\(ByteText.escaped(index.path(of: root)))” is not a directory. Name one.")
        }
        (self.index, self.root) = (index, root)
    }

    /// Writes the export, piece by piece.
    ///
    /// - Parameters:
    ///   - tool: The name and the version of the tool.
    ///   - now: The date of the export in seconds since 1970.
    ///   - output: Receives the bytes.
    package func write(tool: (name: String, version: String), now: Int64, to output: ([UInt8]) -> Void) {
        output(
            Array("[1,2,{\"progname\":\"\(tool.name)\",\"progver\":\"\(tool.version)\",\"timestamp\":\(now)},\n".utf8))
        let unread = Set(index.failures.map(\.path))
        let device = index.status(of: root).identity.device
        var path = index.container.location.bytes
        let below = index.path(of: root)
        if !below.isEmpty { path += [UInt8(ascii: "/")] + below }
        output([UInt8(ascii: "[")] + line(root, name: path[...], parentDevice: nil, unread: unread))
        // The ends of the directories that are open, and their devices.
        var open: [(end: Int, device: UInt64)] = [(index.subtree(of: root).upperBound, device)]
        for number in index.subtree(of: root).dropFirst() {
            while let last = open.last, number >= last.end, open.count > 1 {
                output([UInt8(ascii: "]")])
                open.removeLast()
            }
            let isDirectory = index.kind(of: number) == .directory
            let entry = line(number, name: index.name(of: number), parentDevice: open.last?.device, unread: unread)
            output(Array(isDirectory ? ",\n[".utf8 : ",\n".utf8) + entry)
            if isDirectory {
                open.append((index.subtree(of: number).upperBound, index.status(of: number).identity.device))
            }
        }
        output([UInt8](repeating: UInt8(ascii: "]"), count: open.count) + Array("]\n".utf8))
    }

    /// Returns the object of an item.
    private func line(_ number: Int, name: ArraySlice<UInt8>, parentDevice: UInt64?, unread: Set<[UInt8]>) -> [UInt8] {
        let (item, status) = (index[number], index.status(of: number))
        var bytes = Array("{\"name\":\"".utf8) + Self.escaped(Array(name).withoutSecrets) + Array("\"".utf8)
        var fields = ""
        if item.own.logical > 0 { fields += ",\"asize\":\(item.own.logical)" }
        if item.own.allocated > 0 { fields += ",\"dsize\":\(item.own.allocated)" }
        if status.identity.device != parentDevice { fields += ",\"dev\":\(status.identity.device)" }
        if item.hasSeveralLinks {
            fields += ",\"ino\":\(status.identity.inode),\"hlnkc\":true,\"nlink\":\(status.links)"
        }
        if item.kind != .directory, item.kind != .file { fields += ",\"notreg\":true" }
        if item.availability == .unreadable || item.kind == .directory && unread.contains(index.path(of: number)) {
            fields += ",\"read_error\":true"
        }
        bytes += fields.utf8
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Returns the bytes of a name between the quotes of JSON. Bytes that are not UTF-8 stay as they are.
    static func escaped(_ name: [UInt8]) -> [UInt8] {
        var escaped: [UInt8] = []
        ByteText.forEachScalar(of: name) { scalar, byte in
            guard let scalar else { return escaped.append(byte) }
            switch scalar.value {
            case 0x22, 0x5c: escaped += [0x5c, UInt8(scalar.value)]
            case ..<0x20, 0x7f...0x9f, 0x61c, 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x2069:
                let digits = String(scalar.value, radix: 16)
                escaped += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
            default: escaped += Character(scalar).utf8
            }
        }
        return escaped
    }
}
