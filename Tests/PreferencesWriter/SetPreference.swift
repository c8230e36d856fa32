import AppContainer
import SystemPackage

/// `set-preference CONTAINER PREFIX COUNT`: sets COUNT keys, `PREFIX-0` and so on, each to its number, one save a key,
/// and prints each key when its save has returned.
@main
struct SetPreference {
    static func main() throws {
        let arguments = CommandLine.arguments
        let container = try Container.open(FilePath(arguments[1]))
        let preferences = try container.preferences()
        for number in 0..<(Int(arguments[3]) ?? 0) {
            let key = "\(arguments[2])-\(number)"
            try preferences.set(number, forKey: key)
            // One write a line, past every buffer: what was printed was set, whenever this process is killed.
            _ = try FileDescriptor.standardOutput.writeAll(Array("\(key)\n".utf8))
        }
    }
}
