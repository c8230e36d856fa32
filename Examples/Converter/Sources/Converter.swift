internal import AppContainer
internal import ContainerPreferences
internal import Foundation
internal import SystemPackage

/// `Converter DIRECTORY [LANGUAGE]` creates the container of a unit converter, shows its settings, and converts.
@main
struct Converter {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let path = arguments.first, arguments.count <= 2 else {
            FileHandle.standardError.write(Data("usage: Converter DIRECTORY [LANGUAGE]\n".utf8))
            exit(2)
        }
        let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.Converter")
        let app = try Converter(in: container, language: arguments.dropFirst().first)
        for setting in app.settings {
            print("\(setting.title): \(setting.defaultValue.map { "\($0)" } ?? "no default")")
        }
        var changes = app.preferences.changes(of: .decimals).makeAsyncIterator()
        print(try app.convert(100))
        try app.preferences.set(1, for: .decimals)
        if let change = await changes.next() { print("decimals: \(change.old) → \(change.new)") }
        print(try app.convert(100))
    }

    /// The settings of the settings bundle with titles in the user's language.
    let settings: [Setting]
    let preferences: Preferences

    /// Opens the preferences in a container, and registers the defaults of the settings bundle.
    init(in container: Container, language: String? = nil) throws {
        preferences = try container.preferences()
        // The Settings app writes only values that the user changes. Until then, the defaults of the bundle apply, which
        // are not stored: they are registered at each launch.
        settings = try preferences.register(
            settingsBundle: Bundle.module.bundleURL.appending(path: "Settings.bundle"), localization: language)
    }

    /// Returns a length as text, in the units and with the number of decimals that the user selected.
    func convert(_ meters: Double) throws -> String {
        let unit = try preferences.value(for: .unit)
        let (value, symbol) = try preferences.value(for: .isImperial) ? (meters / 0.3048, "ft") : (meters, unit)
        return "\(value.formatted(decimals: Int(try preferences.value(for: .decimals)))) \(symbol)"
    }
}

extension Preferences.Keys {
    /// The symbol of the unit, a text field.
    static let unit = Preferences.Key<String>("unit", default: "m")
    /// True for feet, a switch.
    static let isImperial = Preferences.Key<Bool>("imperial", default: false)
    /// The number of decimals, a slider. Sliders store fractions.
    static let decimals = Preferences.Key<Double>("decimals", default: 2)
}

extension Double {
    /// Returns the number with a number of decimals from 0 to 6.
    fileprivate func formatted(decimals: Int) -> String {
        String(format: "%.\(min(6, max(0, decimals)))f", self)
    }
}
