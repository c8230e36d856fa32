internal import AppContainer
internal import FileSystem
internal import SystemPackage
internal import TextOutput

extension ContainerSearch {
    /// The error for a directory without a container: what was looked for, and what is there instead.
    func failure(_ folder: Folder) -> InputError {
        let whole = root.physical(from: Invocation.current.workingDirectory.path)
        if let holder = Self.holder(of: whole) {
            return InputError(
                "“\(shown)” is not an app container, but is in one", hint: "Specify “\(holder)”.")
        }
        let names = ((try? folder.names()) ?? []).map(\.string)
        let searched = directories == 1 ? "1 directory" : "\(Quantity.grouped(directories)) directories"
        let problem =
            names.isEmpty
            ? "it is empty"
            : "it holds none of Documents, Library, tmp, SystemData and StoreKit, and no container is up to "
                + "\(Self.maximumDepth) levels below (\(searched) searched)"
        let archives = names.filter { name in Self.archives.contains { name.lowercased().hasSuffix($0) } }
        var hint = "Use the directory that contains Documents and Library."
        if isDirectory("data", in: folder), names.contains("device.plist") {
            hint = "The simulated device has no apps with data; launch the app in it."
        } else if names.contains("Info.plist") || names.contains("Contents") && shown.hasSuffix(".app") {
            hint = "It looks like an app bundle: pass it with --app, and specify the app's container."
        } else if names.contains("Manifest.db") || names.contains("Manifest.mbdb") {
            hint = "It looks like a part of a device backup."
        } else if let archive = archives.first {
            hint = "It holds the archive “\(archive)”; specify the archive."
        } else if !names.isEmpty {
            let list = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
            hint = "It holds \(list). \(hint)"
        }
        return InputError("“\(shown)” is not an app container: \(problem)", hint: hint)
    }

    private static let archives = [".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst", ".ipa"]

    /// The container in which a directory is, up to eight levels above.
    private static func holder(of path: FilePath) -> FilePath? {
        var parent = path
        for _ in 0..<8 {
            guard parent.removeLastComponent(), !parent.components.isEmpty else { return nil }
            if let folder = try? Folder(opening: parent), Container.recordsIdentifier(folder) { return parent }
        }
        return nil
    }
}
