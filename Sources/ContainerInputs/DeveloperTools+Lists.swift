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
    /// From Xcode 27 on, simulators are among them, and the members of a device are deprecated in favor of
    /// `properties`. Source: `xcrun devicectl help`, https://github.com/expo/expo/pull/48001.
    struct DeviceList: Decodable {
        struct Device: Decodable {
            struct Properties: Decodable { let name: String? }
            struct Hardware: Decodable {
                let udid: String?
                let reality: String?
            }
            let identifier: String
            let deviceProperties: Properties?
            let hardwareProperties: Hardware?

            /// The name that `--device` accepts.
            var name: String { deviceProperties?.name ?? identifier }
            var isSimulated: Bool { hardwareProperties?.reality == "simulated" }
        }
        struct Result: Decodable { let devices: [Device] }
        let result: Result

        /// Returns true if a device has this name or identifier.
        func contains(_ device: String) -> Bool {
            result.devices.contains {
                [$0.identifier, $0.name, $0.hardwareProperties?.udid].contains {
                    $0?.lowercased() == device.lowercased()
                }
            }
        }

        /// The names of the devices, without simulators.
        var names: [String] { result.devices.filter { !$0.isSimulated }.map(\.name).sorted() }
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
