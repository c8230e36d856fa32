package import AppContainer
internal import FileSystem
internal import PropertyLists
package import SystemPackage

/// The groups and extensions of an app, from its bundle.
package struct AppContents: Sendable {
    let bundleIdentifier: String
    /// The identifiers of the app extensions in the bundle.
    let plugIns: Set<String>
    /// The app groups in the entitlements, if the bundle contains them.
    let groups: Set<String>

    private static let limit = 4 << 20
    private static let mostPlugIns = 200

    /// Reads the bundle of an app.
    ///
    /// - Throws: `ContainerError` if the directory is not an app bundle.
    package init(at path: FilePath) throws(ContainerError) {
        let bundle = try Container.open(appBundle: path)
        bundleIdentifier = bundle.bundleIdentifier ?? ""
        var plugIns: Set<String> = []
        for holder in ["PlugIns", "Extensions", "Contents/PlugIns"] {
            guard let folder = try? bundle.folder.openFolder(FilePath(holder)) else { continue }
            for name in ((try? folder.names()) ?? []).prefix(Self.mostPlugIns) {
                for file in ["Info.plist", "Contents/Info.plist"] {
                    let info = Self.propertyList(name.appending(FilePath(file).components), in: folder)
                    if let identifier = info?.root["CFBundleIdentifier"]?.string { plugIns.insert(identifier) }
                }
            }
        }
        self.plugIns = plugIns
        var groups: Set<String> = []
        let plain = Self.propertyList("archived-expanded-entitlements.xcent", in: bundle.folder)?.root
        let profile = Self.profile(in: bundle.folder)?.root["Entitlements"]
        for entitlements in [plain, profile] {
            let list = entitlements?["com.apple.security.application-groups"]?.members ?? []
            for group in list { if let group = group.string { groups.insert(group) } }
        }
        self.groups = groups
    }

    private static func propertyList(_ path: FilePath, in folder: Folder) -> PropertyListGraph? {
        guard let file = try? folder.open(path, followingLinks: false), let bytes = try? file.contents(limit: limit)
        else { return nil }
        return try? PropertyListGraph(parsing: bytes)
    }

    /// The property list in a provisioning profile, which is signed (CMS). The text is stored as it is.
    private static func profile(in folder: Folder) -> PropertyListGraph? {
        guard let file = try? folder.open("embedded.mobileprovision", followingLinks: false),
            let bytes = try? file.contents(limit: limit)
        else { return nil }
        guard let start = bytes.firstRange(of: "<?xml".utf8)?.lowerBound,
            let end = bytes[start...].firstRange(of: "</plist>".utf8)?.upperBound
        else { return nil }
        return try? PropertyListGraph(parsing: Array(bytes[start..<end]))
    }
}

/// The assignment of containers to apps.
struct AppGrouping {
    private let bundles: [AppContents]

    init(bundle: AppContents?, known: [AppContents]) { bundles = [bundle].compactMap(\.self) + known }

    /// Returns the apps with their containers, sorted by identifier. A group or extension without an app is one of its own.
    func apps(_ containers: [InputContainer]) -> [InputApp] {
        // One container for each app: several are the apps of several devices, and stay separate.
        let data = containers.filter { $0.role == .data && !isPlugIn($0, of: containers) }
        let identifiers = Set(data.compactMap(\.container.bundleIdentifier))
        var apps = data.map { InputApp(bundleIdentifier: $0.container.bundleIdentifier, containers: [$0]) }
        var others: [InputApp] = []
        for container in containers where container.role != .data || isPlugIn(container, of: containers) {
            let owner = container.container.bundleIdentifier.flatMap {
                self.owner(of: $0, container.role, among: identifiers)
            }
            let index = owner.flatMap { owner in
                // If there are several devices, the one with the longest common path.
                apps.indices.filter {
                    apps[$0].bundleIdentifier == owner.app && mayShareDevice(apps[$0].containers[0], container)
                }.max { left, right in
                    common(apps[left], container: container) < common(apps[right], container: container)
                }
            }
            if let owner, let index {
                apps[index].containers.append(container.belonging(by: owner.membership))
            } else {
                others.append(
                    InputApp(
                        bundleIdentifier: container.container.bundleIdentifier,
                        containers: [container.belonging(by: container.role == .data ? .own : .unknown)]))
            }
        }
        for index in apps.indices {
            let rest = apps[index].containers.dropFirst().sorted { Self.order($0) < Self.order($1) }
            apps[index].containers = [apps[index].containers[0]] + rest
        }
        return (apps + others).sorted { Self.order($0.containers[0]) < Self.order($1.containers[0]) }
    }

    private static func order(_ container: InputContainer) -> (String, String) {
        (container.container.bundleIdentifier ?? "", container.relativePath)
    }

    /// An extension that was found in a directory of unknown layout, beside the container of its app.
    private func isPlugIn(_ container: InputContainer, of all: [InputContainer]) -> Bool {
        guard container.role == .data, let identifier = container.container.bundleIdentifier else { return false }
        return bundles.contains { $0.plugIns.contains(identifier) }
    }

    /// Returns false if the paths of two containers show that they are from different devices or backups.
    private func mayShareDevice(_ left: InputContainer, _ right: InputContainer) -> Bool {
        guard let left = DeviceLayout(of: FilePath(left.relativePath))?.device,
            let right = DeviceLayout(of: FilePath(right.relativePath))?.device
        else { return true }
        return left == right
    }

    private func common(_ app: InputApp, container: InputContainer) -> Int {
        let (left, right) = (app.containers[0].relativePath, container.relativePath)
        return zip(left.split(separator: "/"), right.split(separator: "/")).prefix { $0 == $1 }.count
    }

    /// Returns the app of a group or extension, and the reason.
    func owner(
        of identifier: String, _ role: InputContainer.Role, among apps: Set<String>
    ) -> (app: String, membership: InputContainer.Membership)? {
        let stated = bundles.filter { $0.groups.contains(identifier) || $0.plugIns.contains(identifier) }
            .map(\.bundleIdentifier).filter(apps.contains)
        if let app = stated.min() { return (app, .bundle) }
        // An identifier such as `group.com.example.app.shared`, or with the team first: `ABCDE12345.com.example.app`.
        var name = Substring(identifier)
        if role == .group {
            if name.hasPrefix("group.") {
                name = name.dropFirst(6)
            } else if let team = name.firstIndex(of: "."), name[..<team].count == 10 {
                name = name[name.index(after: team)...]
            }
        }
        let own = apps.filter { name == $0 || name.hasPrefix($0 + ".") }
        if let app = own.max(by: { $0.count < $1.count }) { return (app, .identifier) }
        guard role == .group else { return nil }
        func vendor(_ identifier: some StringProtocol) -> [String] {
            identifier.split(separator: ".").prefix(2).map { $0.lowercased() }
        }
        let same = apps.filter { vendor($0).count == 2 && vendor($0) == vendor(name) }
        return same.count == 1 ? same.first.map { ($0, .vendor) } : nil
    }
}
