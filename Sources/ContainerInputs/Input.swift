package import AppContainer
package import FileSystem
internal import SystemPackage

/// A specification of containers on the command line: a path, or an app in a simulator or on a device.
package enum InputSource: Sendable, Hashable {
    case path(String)
    /// An app in the booted simulator.
    case booted(bundleIdentifier: String)
    /// An app on a device, by the identifier or name of the device.
    case device(String, bundleIdentifier: String)

    /// The path; nil for an app.
    package var path: String? { if case .path(let path) = self { path } else { nil } }

    /// The input for messages, as on the command line.
    package var name: String {
        switch self {
        case .path(let path): path
        case .booted(let bundleIdentifier), .device(_, let bundleIdentifier): bundleIdentifier
        }
    }
}

/// The form of an input.
package enum InputKind: String, Sendable, CaseIterable {
    /// A directory with Documents, Library or tmp.
    case container
    /// The directory of a macOS app in `~/Library/Containers`, with the container in `Data`.
    case macOSContainer = "macos-container"
    /// A package that Xcode downloads from a device, with the container in `AppData`.
    case xcappdata
    /// The directory of a simulated device, or its `data`.
    case simulatorDevice = "simulator-device"
    /// A directory with containers below it.
    case folder
    /// An app in the booted simulator.
    case booted
    /// A copy of a container from a device.
    case device
    /// A zip or tar.
    case archive
    /// A backup that Finder, iTunes or another program made of a device, or a directory of such backups.
    case backup
}

/// A container in an input.
package struct InputContainer: Sendable {
    package typealias Role = DeviceLayout.Role

    /// The reason for which a container counts as one of an app.
    package enum Membership: String, Sendable {
        /// The container records the app's identifier.
        case own
        /// The simulator lists the group as one of the app.
        case recorded
        /// The app's bundle lists the group in its entitlements, or contains the extension.
        case bundle
        /// The identifier contains the app's identifier.
        case identifier
        /// No other app in the input has an identifier with this beginning.
        case vendor
        /// None: the container is not known to belong to an app.
        case unknown
    }

    package let container: Container
    package let role: Role
    package let membership: Membership
    /// The name for reports; nil for a container that the user specified by its path.
    package internal(set) var label: String?
    /// The path relative to the input; empty for the input itself.
    package let relativePath: String
    /// Keeps a copy until it is no longer used.
    private let scratch: ScratchFolder?

    /// Creates a container in an input. `scratch` is the private directory of a copy; nil for a container in place.
    package init(
        _ container: Container, role: Role = .data, membership: Membership = .own, label: String? = nil,
        relativePath: String = "", scratch: ScratchFolder? = nil
    ) {
        (self.container, self.role, self.membership) = (container, role, membership)
        (self.label, self.relativePath, self.scratch) = (label, relativePath, scratch)
    }

    /// True if the absence of an exclusion mark shows that an item is included in backups.
    package var isExclusionKnown: Bool {
        guard container.keepsAttributes else { return false }
        do throws(FileSystemError) {
            _ = try ExtendedAttributes.read("none", of: container.folder.descriptor, path: container.location)
            return true
        } catch { return error.errno != .notSupported && error.errno != .notSupportedOnSocket }
    }

    /// True for a copy, whose path is temporary.
    package var isCopy: Bool { scratch != nil }

    func belonging(by membership: Membership) -> InputContainer {
        InputContainer(
            container, role: role, membership: membership, label: label, relativePath: relativePath, scratch: scratch)
    }
}

/// The containers of one app, which have one budget.
package struct InputApp: Sendable {
    /// The app's identifier; nil if unknown.
    package let bundleIdentifier: String?
    /// The app's own container first, then its groups and extensions by label.
    package internal(set) var containers: [InputContainer]
}

/// The containers of an input.
package struct Input: Sendable {
    package let source: InputSource
    package let kind: InputKind
    /// The apps, by identifier.
    package internal(set) var apps: [InputApp]
    /// Notes for the user, one sentence each.
    package let notes: [String]
    /// The parts of the input that could not be searched, one or two sentences each.
    package let gaps: [String]
    /// The containers of all apps.
    package var containers: [InputContainer] { apps.flatMap(\.containers) }

    /// Finds and opens the containers of an input. An app on a device is copied; an archive or a backup is extracted. If the
    /// only container of a path records no identifier, it gets that of `bundleIdentifiers`, if there is one.
    ///
    /// - Parameters:
    ///   - source: The input.
    ///   - bundleIdentifiers: The apps to take; empty for all.
    ///   - bundle: The app's bundle, which lists its groups and extensions.
    ///   - reason: The reason for which only directories in place are taken, and nothing is copied or extracted: the
    ///     beginning of the message of the error `notInPlace`, such as “only a directory can be changed”. Nil for all inputs.
    ///   - password: Returns the password of an encrypted backup, by its name; nil without one.
    /// - Throws: `InputError` if no container is found, or if it cannot be read.
    package init(
        _ source: InputSource, only bundleIdentifiers: [String] = [], bundle: AppContents? = nil,
        inPlaceBecause reason: String? = nil, password: @escaping BackupPassword = { _ in nil }
    ) throws(InputError) {
        try self.init(
            source,
            reader: InputReader(
                shown: source.name, bundleIdentifiers: bundleIdentifiers, bundle: bundle, inPlaceReason: reason,
                password: password))
    }

    init(_ source: InputSource, reader: InputReader) throws(InputError) {
        self.source = source
        switch source {
        case .path(let path):
            let found = try reader.containers(at: FilePath(path))
            let apps = AppGrouping(bundle: reader.bundle, known: found.bundles).apps(found.containers)
            kind = found.kind
            self.apps = try Self.selection(of: apps, by: reader, besides: found.others)
            gaps = Self.gaps(of: found, in: path) + found.gaps
            notes = found.notes
        case .booted(let bundleIdentifier):
            kind = .booted
            (apps, notes) = try Self.booted(bundleIdentifier, withGroups: !reader.isSingle)
            gaps = []
        case .device(let device, let bundleIdentifier):
            kind = .device
            try reader.requirePlace("on a device")
            apps = [try Self.copied(bundleIdentifier, from: device)]
            (notes, gaps) = ([], [])
        }
    }

    /// Names the containers that were found in a directory: by their identifiers, with the directory in which they are if
    /// several have the same identifier, as those of several simulated devices.
    static func labelled(_ found: ContainerSearch.Result) -> [InputContainer] {
        guard ![.container, .macOSContainer, .xcappdata].contains(found.kind) else { return found.containers }
        let byIdentifier = Dictionary(grouping: found.containers) { $0.container.bundleIdentifier ?? "" }
        return found.containers.map { container in
            var labelled = container
            guard let identifier = container.container.bundleIdentifier else {
                // The name of the archive, if it is one.
                labelled.label = [container.label, container.relativePath].compactMap(\.self).joined(separator: "/")
                return labelled
            }
            let same = byIdentifier[identifier] ?? []
            func short(_ container: InputContainer) -> String {
                "\(container.relativePath.prefix { $0 != "/" })/\(identifier)"
            }
            let isUnique = same.count { short($0) == short(container) } == 1
            labelled.label =
                same.count == 1 ? identifier : isUnique ? short(container) : "\(container.relativePath)/\(identifier)"
            return labelled
        }
    }

    private static func gaps(of found: ContainerSearch.Result, in path: String) -> [String] {
        var gaps: [String] = []
        if found.isTruncated {
            gaps.append("“\(path)” has more directories than are searched. Specify a directory below it.")
        }
        if let first = found.unreadable.min() {
            let count = found.unreadable.count
            let others = count == 1 ? "" : " and \(count - 1) more"
            gaps.append(
                "“\(first)”\(others) in “\(path)” cannot be read. Run as a user with read permission.".printable)
        }
        return gaps
    }

    private static func selection(
        of apps: [InputApp], by reader: InputReader, besides others: Set<String>
    ) throws(InputError) -> [InputApp] {
        guard !reader.bundleIdentifiers.isEmpty else { return apps }
        let wanted = Set(reader.bundleIdentifiers)
        var unused = wanted
        let selected = apps.compactMap { app -> InputApp? in
            let identifiers = [app.bundleIdentifier].compactMap(\.self)
            if !reader.isSingle, !wanted.isDisjoint(with: identifiers) {
                unused.subtract(identifiers)
                return app
            }
            var part = app
            part.containers = app.containers.filter { wanted.contains($0.container.bundleIdentifier ?? "") }
            unused.subtract(part.containers.compactMap(\.container.bundleIdentifier))
            return part.containers.isEmpty ? nil : part
        }
        guard let missing = unused.min() else { return selected }
        let known = Set(apps.flatMap { $0.containers.compactMap(\.container.bundleIdentifier) })
        throw unknown(missing, known: known.union(others).sorted(), in: reader.shown)
    }

    /// The error for an identifier that no container of an input has.
    static func unknown(_ missing: String, known: [String], in path: String) -> InputError {
        let list = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
        return InputError(
            "“\(path)” has no container of “\(missing)”",
            hint: known.isEmpty
                ? "Its containers record no identifier; omit --bundle-id." : "It has containers of \(list).")
    }

    private static func booted(
        _ bundleIdentifier: String, withGroups: Bool
    ) throws(InputError) -> ([InputApp], [String]) {
        let app = try DeveloperTools().installedApp(bundleIdentifier, withGroups: withGroups)
        do throws(ContainerError) {
            let data = try Container.open(app.data, bundleIdentifier: bundleIdentifier)
            var containers = [InputContainer(data, label: bundleIdentifier)]
            for group in app.groups {
                let container = try Container.open(known: group.path, bundleIdentifier: group.identifier, kind: .group)
                containers.append(
                    InputContainer(container, role: .group, membership: .recorded, label: group.identifier))
            }
            return ([InputApp(bundleIdentifier: bundleIdentifier, containers: containers)], app.notes)
        } catch { throw InputError(error) }
    }

    private static func copied(_ bundleIdentifier: String, from device: String) throws(InputError) -> InputApp {
        let tools = try DeveloperTools()
        let scratch = try ScratchFolder.forInput()
        try tools.copyContainer(of: bundleIdentifier, onDevice: device, to: scratch.path)
        let found: ContainerSearch.Result
        do throws(InputError) {
            found = try ContainerSearch.containers(
                in: scratch, shown: device, keepsAttributes: nil, bundleIdentifiers: [bundleIdentifier])
        } catch {
            throw InputError(
                "xcrun devicectl copied no container of “\(bundleIdentifier)” from “\(device)”",
                hint: "Launch the app once, or download the container in Xcode (Devices and Simulators) and specify it."
            )
        }
        return InputApp(bundleIdentifier: bundleIdentifier, containers: found.containers)
    }

    /// Returns sources without those that name an input again, perhaps by another spelling of its path.
    package static func distinct(_ sources: [InputSource]) -> [InputSource] {
        var seen: Set<InputSource> = []
        return sources.filter { source in
            guard let path = source.path else { return seen.insert(source).inserted }
            let physical = FilePath(path).physical(from: Invocation.current.workingDirectory.path)
            return seen.insert(.path(physical.string)).inserted
        }
    }

    /// Returns inputs without the containers that an earlier input holds as well.
    package static func withoutRepetitions(_ inputs: [Input]) -> [Input] {
        var seen: Set<FilePath> = []
        return inputs.map { input in
            var input = input
            input.apps = input.apps.compactMap { app in
                var app = app
                app.containers.removeAll { container in
                    let location = container.container.location
                    return !seen.insert(location.physical(from: Invocation.current.workingDirectory.path)).inserted
                }
                return app.containers.isEmpty ? nil : app
            }
            return input
        }
    }

    /// Returns inputs whose labels differ: one that several inputs have is preceded by the name of the input.
    package static func distinguished(_ inputs: [Input]) -> [Input] {
        var owners: [String: Set<Int>] = [:]
        for (index, input) in inputs.enumerated() {
            for label in input.containers.compactMap(\.label) { owners[label, default: []].insert(index) }
        }
        func short(_ index: Int) -> String {
            let name = inputs[index].source.name
            return FilePath(name).lastComponent?.string ?? name
        }
        return inputs.enumerated().map { index, input in
            let isUnique = inputs.indices.count { short($0) == short(index) } == 1
            var input = input
            for app in input.apps.indices {
                for container in input.apps[app].containers.indices {
                    guard let label = input.apps[app].containers[container].label, owners[label, default: []].count > 1
                    else { continue }
                    input.apps[app].containers[container].label =
                        "\(isUnique ? short(index) : input.source.name)/\(label)"
                }
            }
            return input
        }
    }
}
