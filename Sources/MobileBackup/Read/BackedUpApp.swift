/// An app in a backup, with all its containers.
package struct BackedUpApp: Sendable, Hashable {
    /// The bundle identifier of the app; that of the plug-in or group if the backup has no app that it belongs to.
    package let identifier: String
    /// The domain of the app, then those of its groups and plug-ins, by name.
    package let domains: [BackupDomain]
}

extension MobileBackup {
    /// Returns the apps of the backup, sorted by the bytes of their identifiers.
    ///
    /// A plug-in belongs to the app whose identifier begins its own, as iOS requires. The manifest does not state the
    /// apps of a group. By convention, a group belongs to the apps whose identifiers begin its own, after `group.` or a
    /// team identifier; without such an app, to all apps that begin with its identifier of at least two parts. A group
    /// may therefore belong to several apps.
    ///
    /// - Throws: `tooLarge`, `tooSlow`, `damaged`.
    package func apps() throws(MobileBackupError) -> [BackedUpApp] {
        let domains = try domains()
        var byApp: [[UInt8]: [BackupDomain]] = [:]
        for domain in domains where domain.owner == .app {
            if let identifier = domain.bundleID { byApp[Array(identifier.utf8), default: []].append(domain) }
        }
        let apps = byApp.keys.sorted { $0.lexicographicallyPrecedes($1) }
        for owner in [BackupDomain.Owner.group, .plugin] {
            for domain in domains where domain.owner == owner {
                guard let identifier = domain.bundleID else { continue }
                let owners = Self.owners(of: identifier, owner, among: apps)
                for app in owners.isEmpty ? [Array(identifier.utf8)] : owners {
                    byApp[app, default: []].append(domain)
                }
            }
        }
        return byApp.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
            BackedUpApp(identifier: String(decoding: $0.key, as: UTF8.self), domains: $0.value)
        }
    }

    private static let dot = UInt8(ascii: ".")

    private static func owners(
        of identifier: String, _ owner: BackupDomain.Owner, among apps: [[UInt8]]
    ) -> [[UInt8]] {
        var name = Array(identifier.utf8)[...]
        if owner == .group { name = withoutPrefix(name) }
        // The longest identifier that begins the name at a dot.
        var rest = name
        while !rest.isEmpty {
            let index = firstIndex(notBefore: rest, in: apps)
            if index < apps.count, apps[index].elementsEqual(rest) { return [apps[index]] }
            rest = rest[..<(rest.lastIndex(of: dot) ?? rest.startIndex)]
        }
        guard owner == .group, name.contains(dot) else { return [] }
        let prefix = name + [dot]
        let found = apps[firstIndex(notBefore: prefix, in: apps)...].prefix(mostOwners + 1).prefix {
            $0.starts(with: prefix)
        }
        return found.count > mostOwners ? [] : Array(found)
    }

    /// The maximum number of apps that share a group. A hostile backup would have a hundred thousand.
    private static let mostOwners = 32

    /// Returns the index of the first identifier that is not before a name, by binary search.
    private static func firstIndex(notBefore name: ArraySlice<UInt8>, in apps: [[UInt8]]) -> Int {
        var (low, high) = (0, apps.count)
        while low < high {
            let middle = (low + high) / 2
            if apps[middle].lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the identifier of a group without `group.` or a team identifier of ten letters and digits.
    private static func withoutPrefix(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let end = name.firstIndex(of: dot) else { return name }
        let first = name[..<end]
        let isTeam =
            first.count == 10
            && first.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
        return isTeam || first.elementsEqual("group".utf8) ? name[(end + 1)...] : name
    }
}
