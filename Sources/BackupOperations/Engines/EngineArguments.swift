internal import FileSystem
internal import PropertyLists
internal import BackupRepository
internal import Foundation
internal import SystemPackage
internal import TextOutput

/// The version of a tool.
struct EngineVersion {
    let text: String
    let major, minor: Int

    /// Returns nil if the line is not a version of the tool.
    init?(_ line: String, of tool: String) {
        let words = line.split(separator: " ")
        guard words.count > 1, words[0] == tool else { return nil }
        let numbers = words[1].split(separator: ".").map { part in Int(part.prefix(while: \.isNumber)) }
        guard numbers.count >= 2, let major = numbers[0], let minor = numbers[1] else { return nil }
        (text, self.major, self.minor) = (String(words[1]), major, minor)
    }
}

/// Names as they appear in a tool's JSON.
enum EngineNames {
    /// Returns a name with a replacement character for each byte outside UTF-8.
    static func text(of path: [UInt8], replacement: Unicode.Scalar) -> [UInt8] {
        if String(utf8: path) != nil { return path }
        var text = ""
        ByteText.forEachScalar(of: path) { scalar, _ in text.unicodeScalars.append(scalar ?? replacement) }
        return Array(text.utf8)
    }
}

/// A list for a tool, in a file that only its owner can read.
struct EngineListFile {
    let location: URL

    /// - Throws: `failed`, `full`.
    init(_ write: (_ output: ([UInt8]) -> Void) -> Void) throws(BackupError) {
        location = URL(fileURLWithPath: Invocation.current.temporaryDirectory.string)
            .appending(path: "sandboxbackup-list-\(UUID().uuidString)")
        do {
            guard
                FileManager.default.createFile(
                    atPath: location.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            let file = try FileHandle(forWritingTo: location)
            var (bytes, failure): (Data, (any Error)?) = (Data(), nil)
            func flush() {
                do { try file.write(contentsOf: bytes) } catch { failure = failure ?? error }
                bytes.removeAll(keepingCapacity: true)
            }
            write {
                bytes += $0
                if bytes.count >= 1 << 16 { flush() }
            }
            flush()
            try file.close()
            if let failure { throw failure }
        } catch {
            remove()
            throw BackupError(.failed, what: "the list for the tool cannot be written to the temporary directory")
        }
    }

    func remove() { try? FileManager.default.removeItem(at: location) }
}
