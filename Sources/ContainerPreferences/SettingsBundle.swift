internal import FileSystem
public import Foundation
public import SystemPackage

/// A reader for an app's settings bundle: its panes, and the tables of strings for their titles.
///
/// Source: Apple, Settings Application Schema Reference.
struct SettingsBundle {
    private static let paneLimit = 100
    private static let depthLimit = 10
    private static let fileLimit = 1 << 20
    private static let budget = PreferenceValue.Budget(values: 20_000, bytes: 4 << 20)

    private let path: FilePath
    private let folder: Folder
    /// The directories with tables of strings, in order of preference.
    private let languages: [String]
    private var panes: Set<String> = []
    private var found: [Setting] = []

    init(_ path: FilePath, localization: String?) throws(PreferencesError) {
        self.path = path
        do throws(FileSystemError) { folder = try Folder(opening: path) } catch { throw PreferencesError(error) }
        languages = localization.map { Self.languages(for: $0) } ?? []
        for language in languages { try check(language, of: path, is: "a language") }
    }

    /// `zh-Hans-CN`, `zh_Hans_CN`, `zh-Hans`, `zh_Hans`, `zh`, `Base`.
    private static func languages(for localization: String) -> [String] {
        let parts = localization.split(whereSeparator: { $0 == "-" || $0 == "_" })
        let names = (0..<parts.count).reversed().flatMap { last in
            ["-", "_"].map { parts[...last].joined(separator: $0) }
        }
        return names + ["Base"]
    }

    mutating func settings() throws(PreferencesError) -> [Setting] {
        try read(pane: "Root", depth: 0)
        return found
    }

    private mutating func read(pane: String, depth: Int) throws(PreferencesError) {
        let name = FilePath("\(pane).plist")
        guard panes.insert(pane).inserted else { return }
        guard panes.count <= Self.paneLimit, depth < Self.depthLimit else {
            throw PreferencesError(
                .tooLarge, file(name),
                "“\(file(name))” exceeds the limits of \(Self.paneLimit) panes, \(Self.depthLimit) levels deep. "
                    + "Nothing is registered. Use fewer panes.")
        }
        let values = try dictionary(try contents(name), name: name)
        guard case .array(let specifiers) = values["PreferenceSpecifiers"] else {
            throw damaged(name, reason: "the array PreferenceSpecifiers is missing")
        }
        let strings = try strings(of: values, name)
        for specifier in specifiers {
            guard case .dictionary(let specifier) = specifier else {
                throw damaged(name, reason: "a specifier is not a dictionary")
            }
            let type = try text("Type", of: specifier, name: name)
            if type == "PSChildPaneSpecifier" {
                guard let child = try text("File", of: specifier, name: name) else {
                    throw damaged(name, reason: "a child pane has no file")
                }
                try check(child, of: file(name), is: "a pane")
                try read(pane: child, depth: depth + 1)
            } else if let kind = type.flatMap({ Setting.Kind(rawValue: $0) }),
                // A title value without a key only displays text.
                let key = try text("Key", of: specifier, name: name)
            {
                let title = try text("Title", of: specifier, name: name) ?? ""
                found.append(
                    Setting(
                        key: key, title: strings[title] ?? title, kind: kind, defaultValue: specifier["DefaultValue"]))
            }
        }
    }

    /// Returns the titles in the requested language. Empty if the pane has no table, or the bundle does not have the
    /// language.
    private func strings(
        of pane: [String: PreferenceValue], _ name: FilePath
    ) throws(PreferencesError) -> [String: String] {
        guard let table = try text("StringsTable", of: pane, name: name) else { return [:] }
        try check(table, of: file(name), is: "a table of strings")
        for language in languages {
            let name = FilePath("\(language).lproj/\(table).strings")
            let bytes: [UInt8]
            do throws(PreferencesError) { bytes = try contents(name) } catch {
                if error.code == .notFound { continue }
                throw error
            }
            do throws(UnfitForPreferences) { return try StringsTable.read(bytes, within: Self.budget) } catch {
                throw damaged(name, reason: error.reason)
            }
        }
        return [:]
    }

    private func text(
        _ key: String, of values: [String: PreferenceValue], name: FilePath
    ) throws(PreferencesError) -> String? {
        guard let value = values[key] else { return nil }
        guard case .string(let text) = value else { throw damaged(name, reason: "its \(key) is not a string") }
        return text
    }

    private func dictionary(
        _ bytes: [UInt8], name: FilePath
    ) throws(PreferencesError) -> [String: PreferenceValue] {
        do throws(UnfitForPreferences) {
            return try PreferenceValue.dictionary(reading: bytes, within: Self.budget)
        } catch { throw damaged(name, reason: error.reason) }
    }

    private func contents(_ name: FilePath) throws(PreferencesError) -> [UInt8] {
        do throws(FileSystemError) {
            let file = try folder.open(name)
            guard try file.status().kind == .file else {
                throw FileSystemError("read", path: name, errno: .invalidArgument)
            }
            return try file.contents(limit: Self.fileLimit)
        } catch {
            switch error.errno {
            case .improperLink:
                throw PreferencesError(
                    .leavesContainer, file(name), errno: error.errno,
                    "“\(file(name))” leads out of the settings bundle. Nothing is registered. "
                        + "Replace the link with the file.")
            case .fileTooLarge:
                throw PreferencesError(
                    .tooLarge, file(name), errno: error.errno,
                    "“\(file(name))” has more than \(Self.fileLimit) bytes. Nothing is registered. "
                        + "Split it into child panes.")
            default: throw PreferencesError(FileSystemError(error.operation, path: file(name), errno: error.errno))
            }
        }
    }

    private func file(_ name: FilePath) -> FilePath { path.appending(name.components) }

    private func damaged(_ name: FilePath, reason: String) -> PreferencesError {
        PreferencesError(
            .damaged, file(name),
            "“\(file(name))” is not a valid part of a settings bundle: \(reason). Nothing is registered. "
                + "Mend the bundle.")
    }

    /// A name in the bundle must not be a path.
    private func check(_ name: String, of item: FilePath, is what: String) throws(PreferencesError) {
        guard name.isEmpty || name.utf8.contains(UInt8(ascii: "/")) || name.utf8.contains(0) else { return }
        throw PreferencesError(
            .invalidName, item,
            "“\(item)” contains “\(name)” as the name of \(what), which must be a name without “/”. "
                + "Nothing is registered. Use the name of a file in the bundle without its extension.")
    }
}

/// A setting of a settings bundle.
public struct Setting: Sendable, Hashable {
    /// The kind of control. Source: Apple, Settings Application Schema Reference.
    public enum Kind: String, Sendable, CaseIterable {
        case toggleSwitch = "PSToggleSwitchSpecifier"
        case textField = "PSTextFieldSpecifier"
        case slider = "PSSliderSpecifier"
        case multiValue = "PSMultiValueSpecifier"
        case radioGroup = "PSRadioGroupSpecifier"
        case titleValue = "PSTitleValueSpecifier"
    }

    /// The key of the preference.
    public let key: String
    /// The title in the requested language, or an empty string if the entry has no title.
    public let title: String
    /// The kind of control.
    public let kind: Kind
    /// The default value. Nil if the bundle has none.
    public let defaultValue: PreferenceValue?
}

extension Preferences {
    /// Registers the defaults of an app's settings bundle, which the system does not do for the app.
    ///
    /// Reads `Root.plist` and all child panes, each once. If several settings have the same key, the first one is used.
    /// If any part of the bundle cannot be read, nothing is registered.
    ///
    /// - Parameters:
    ///   - bundle: The directory `Settings.bundle`. No pane, table or link in it leads out of it.
    ///   - localization: The language of the titles, such as `pt-BR`. If the bundle does not have it, `pt` or `Base` is
    ///     used. Without a match, or for nil, the titles are those of the panes.
    /// - Returns: The settings, in the order of the panes.
    /// - Throws: `notFound`, `damaged`, `tooLarge` (more than 100 panes, panes 10 levels deep, a file of more than 1
    ///   MiB), `invalidName`, `leavesContainer`, `notAFile`, `permissionDenied`, `failed`.
    @discardableResult
    public func register(
        settingsBundle bundle: FilePath, localization: String? = nil
    ) throws(PreferencesError) -> [Setting] {
        var reader = try SettingsBundle(bundle, localization: localization)
        let settings = try reader.settings()
        var defaults: [String: PreferenceValue] = [:]
        for setting in settings where defaults[setting.key] == nil { defaults[setting.key] = setting.defaultValue }
        register(defaults: defaults)
        return settings
    }

    /// Registers the defaults of a settings bundle at a file URL, as `Bundle.main.url(forResource:withExtension:)`
    /// returns it.
    ///
    /// - Throws: The errors of registration at a path; `notFound` for a URL that is not a file URL.
    @discardableResult
    public func register(settingsBundle bundle: URL, localization: String? = nil) throws(PreferencesError) -> [Setting]
    {
        let path = bundle.withUnsafeFileSystemRepresentation { $0.map { FilePath(platformString: $0) } }
        guard bundle.isFileURL, let path else {
            throw PreferencesError(
                .notFound, FilePath(bundle.absoluteString),
                "“\(bundle.absoluteString)” is not a directory on disk. Nothing is registered. Use a file URL.")
        }
        return try register(settingsBundle: path, localization: localization)
    }
}
