internal import Foundation

// The lists of Xcode's tools in JSON. Only what is used is decoded, because each version of Xcode adds, renames and
// deprecates other members.
extension DeveloperTools {
    /// The simulators, as `xcrun simctl list devices --json` prints them.
    ///
    /// The keys are the names of systems (`iOS 12.1`) up to Xcode 10.1, and identifiers later.
    /// Source: https://github.com/calabash/run_loop/pull/706, https://github.com/ionic-team/native-run/issues/44.
    struct SimulatorList: Decodable {
        struct Simulator: Decodable {
            let udid: String
            let name: String
            let state: String
        }
        let devices: [String: [Simulator]]

        /// The booted simulators, in the order of their names and identifiers.
        var booted: [Simulator] {
            devices.values.joined().filter { $0.state == "Booted" && DeveloperTools.isUDID($0.udid) }
                .sorted { ($0.name, $0.udid) < ($1.name, $1.udid) }
        }
    }

    /// The devices, as `xcrun devicectl list devices --json-output` writes them.
    ///
    /// Each version of the form has a device's members in `deviceProperties`, `hardwareProperties` and
    /// `connectionProperties`. From version 5 (Xcode 27) on, these are deprecated in favor of `properties`, and simulators
    /// are in the list. A device that was never prepared for development may have only an identifier, with empty members.
    /// Source: `xcrun devicectl help`, the release notes of Xcode 27, and lists of Xcode 15 (tst_devicectlutils.cpp in
    /// https://github.com/qt-creator/qt-creator), Xcode 16 (https://github.com/tauri-apps/cargo-mobile2/pull/443,
    /// https://github.com/sweetpad-dev/sweetpad/issues/223) and Xcode 27 (https://github.com/expo/expo/issues/46662,
    /// https://github.com/expo/expo/pull/48001).
    struct DeviceList: Decodable {
        private struct Info: Decodable { let outcome: String? }
        private struct Result: Decodable { let devices: [Device] }
        private enum Keys: CodingKey { case info, result }
        private let devices: [Device]

        /// Decodes the list.
        ///
        /// - Throws: `DecodingError` if it is not a list, or if `devicectl` reports that it has failed.
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Keys.self)
            devices = try members.decode(Result.self, forKey: .result).devices
            let outcome = try? members.decode(Info.self, forKey: .info).outcome
            guard outcome == nil || outcome == "success" else {
                throw DecodingError.dataCorruptedError(forKey: .info, in: members, debugDescription: "the list failed")
            }
        }

        /// Returns true if `--device` could mean one of the devices: by identifier, UDID, serial number, ECID, name or
        /// host name.
        func contains(_ device: String) -> Bool {
            devices.contains { $0.names.contains { $0.lowercased() == device.lowercased() } }
        }

        /// The names of the devices, without simulators.
        var names: [String] { devices.filter { !$0.isSimulated }.compactMap(\.names.first).sorted() }
    }

    /// A device in the list.
    private struct Device: Decodable {
        private enum Keys: CodingKey {
            case identifier, properties, deviceProperties, hardwareProperties, connectionProperties
            // In `properties`.
            case state, hardware, connection
        }
        /// All that `--device` accepts. The first is the name that the user gave the device, or else an identifier.
        let names: [String]
        let isSimulated: Bool

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Keys.self)
            let nested = try? members.nestedContainer(keyedBy: Keys.self, forKey: .properties)
            var parts = [Keys.state, .hardware, .connection].compactMap { try? nested?.decode(Part.self, forKey: $0) }
            parts += [Keys.deviceProperties, .hardwareProperties, .connectionProperties].compactMap {
                try? members.decode(Part.self, forKey: $0)
            }
            let identifier = try? members.decode(String.self, forKey: .identifier)
            let names = parts.compactMap(\.name) + [identifier].compactMap(\.self) + parts.flatMap(\.identifiers)
            self.names = names.filter { !$0.isEmpty }
            isSimulated = parts.contains(where: \.isSimulated)
        }
    }

    /// A dictionary with members of a device. A member of another type is ignored.
    private struct Part: Decodable {
        private enum Keys: CodingKey {
            case name, udid, serialNumber, ecid, potentialHostnames, reality, transportType
        }
        let name: String?
        let identifiers: [String]
        let isSimulated: Bool

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Keys.self)
            func text(_ key: Keys) -> String? { try? members.decode(String.self, forKey: key) }
            name = text(.name)
            let hosts = (try? members.decode([String].self, forKey: .potentialHostnames)) ?? []
            let number = try? members.decode(UInt64.self, forKey: .ecid)
            let numbers = number.map { ["\($0)", "0x" + String($0, radix: 16)] } ?? []
            identifiers = [text(.udid), text(.serialNumber)].compactMap(\.self) + numbers + hosts
            isSimulated = text(.reality) == "simulated" || text(.transportType) == "sameMachine"
        }
    }

    /// Returns a list, or nil if a tool has printed something else.
    static func list<List: Decodable>(_ type: List.Type, in json: Data) -> List? {
        try? JSONDecoder().decode(type, from: json)
    }

    /// Returns true for an identifier that cannot be read as an option.
    static func isUDID(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix("-") && text.utf8.count <= 64
            && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Character(Unicode.Scalar($0)).isHexDigit }
    }
}
