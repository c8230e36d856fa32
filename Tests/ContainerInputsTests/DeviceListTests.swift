import AppContainer
import Foundation
import TestSupport
import Testing

/// Lists of devices as versions of `devicectl` write them. The names, identifiers and numbers are made up.
///
/// Sources, by the version of `devicectl`:
/// - 325, the first, without `jsonVersion`: https://github.com/flutter/flutter, core_devices_test.dart.
/// - 355 (Xcode 15), also an answer that reports a failure: https://github.com/qt-creator/qt-creator,
///   tst_devicectlutils.cpp.
/// - 397 (Xcode 16): https://github.com/tauri-apps/cargo-mobile2/pull/443 and
///   https://github.com/sweetpad-dev/sweetpad/issues/223, with devices without members.
/// - 518 (Xcode 26): version 3 of the form, with the members of version 2.
/// - 629 and 642 (Xcode 27): https://github.com/expo/expo/issues/46662, https://github.com/expo/expo/pull/48001, and
///   the release notes of Xcode 27, which say that the members outside `properties` will be removed.
enum DeviceListVersion: String, CaseIterable, Sendable {
    case first = "Xcode 15 beta"
    case xcode15 = "Xcode 15"
    case xcode16 = "Xcode 16"
    case xcode26 = "Xcode 26"
    case xcode27Beta = "Xcode 27 beta"
    case xcode27 = "Xcode 27"
    case later = "after Xcode 27"

    private var hasProperties: Bool { self == .xcode27 || self == .later }
    private var hasSimulators: Bool { self == .xcode27Beta || hasProperties }

    func list() throws -> String {
        var devices = [named, unnamed]
        if hasSimulators { devices.append(simulator) }
        return try Self.json(["info": info, "result": ["devices": devices]])
    }

    /// The answer of a command that has failed.
    func failure() throws -> String {
        var info = info
        info["outcome"] = "failed"
        let error: [String: Any] = [
            "code": 1011, "domain": "com.apple.dt.CoreDeviceError",
            "userInfo": ["NSLocalizedDescription": ["string": "The service did not answer."]],
        ]
        return try Self.json(["info": info, "error": error])
    }

    private var info: [String: Any] {
        let (form, version): (Int?, String) =
            switch self {
            case .first: (nil, "325.1")
            case .xcode15: (2, "355.1")
            case .xcode16: (2, "397.1")
            case .xcode26: (3, "518.1")
            case .xcode27Beta: (4, "629.1")
            case .xcode27: (5, "642.1")
            case .later: (6, "700.1")
            }
        var info: [String: Any] = [
            "arguments": ["devicectl", "list", "devices"], "commandType": "devicectl.list.devices",
            "environment": ["TERM": "dumb"], "outcome": "success", "version": version,
        ]
        info["jsonVersion"] = form
        return info
    }

    /// A phone that was prepared for development, and is elsewhere.
    private var named: [String: Any] {
        device(
            "00000000-0000-0000-0000-00000000000A", state: ["name": "Phone of a tester", "bootState": "booted"],
            hardware: [
                "udid": "00008130-000000000000001C", "serialNumber": "A1B2C3D4E5", "ecid": 4_660, "reality": "physical",
                "platform": "iOS", "deviceType": "iPhone", "cpuType": ["name": "arm64e", "subType": 2],
            ],
            connection: [
                "pairingState": "paired", "potentialHostnames": ["tester.coredevice.local"],
                "isMobileDeviceOnly": false,
                "transportType": "localNetwork",
            ], tunnel: "disconnected")
    }

    /// A phone that was connected once, without name and UDID.
    private var unnamed: [String: Any] {
        device(
            "00000000-0000-0000-0000-00000000000B", state: ["ddiServicesAvailable": false], hardware: [:],
            connection: ["pairingState": "unpaired", "potentialHostnames": [String]()], tunnel: "unavailable")
    }

    private var simulator: [String: Any] {
        device(
            "00000000-0000-0000-0000-00000000000C", state: ["name": "A simulator"], hardware: ["reality": "simulated"],
            connection: ["pairingState": "paired", "transportType": "sameMachine"], tunnel: "connected")
    }

    private func device(
        _ identifier: String, state: [String: Any], hardware: [String: Any], connection: [String: Any], tunnel: String
    ) -> [String: Any] {
        var device: [String: Any] = [
            "identifier": identifier, "visibilityClass": "default",
            "capabilities": [["featureIdentifier": "com.apple.coredevice.feature.unpairdevice", "name": "Unpair"]],
        ]
        if self != .later {
            device["deviceProperties"] = state
            device["hardwareProperties"] = hardware
            device["connectionProperties"] = connection.merging(["tunnelState": tunnel]) { $1 }
        }
        if self == .xcode16 || self == .xcode26 { device["tags"] = [String]() }
        if self == .xcode27 { device["_deprecationNotice"] = ["replacement": "properties"] }
        if hasProperties {
            device["properties"] = [
                "state": state, "hardware": hardware,
                "connection": connection.merging(["state": tunnel, "lastConnectionDate": 800_000_000.5]) { $1 },
                "software": ["osVersionNumber": ["stringValue": "26.1", "components": [26, 1]]],
            ]
        }
        return device
    }

    static func json(_ object: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted]), as: UTF8.self)
    }
}

@Suite("Lists of devices", .needs(.process), .timeLimit(.minutes(60))) struct DeviceListTests {
    private static let command = "`xcrun devicectl list devices` lists devices."

    /// Runs a lint of a device that cannot be copied from. `devicectl` writes the list and exits with the code.
    private func errors(device: String, list: String, code: Int = 0) throws -> String {
        var errors = ""
        try withXcrunSample { sample throws in
            try sample.install(
                """
                case "$*" in
                "devicectl device copy from"*) echo 'ERROR: The specified device was not found.' >&2; exit 1 ;;
                "devicectl list devices --json-output "*) cat >"${@: -1}" <<'END'
                \(list)
                END
                exit \(code) ;;
                *) echo "unexpected arguments: $*" >&2; exit 64 ;;
                esac
                """)
            let run = try sample.lint("--device", device, "--bundle-id", "com.example.app")
            #expect(run.code == 3)
            #expect(try sample.leftovers == [])
            errors = run.errors
        }
        return errors
    }

    @Test(
        "An unknown device is an error with the known ones, without simulators", arguments: DeviceListVersion.allCases)
    func unknown(version: DeviceListVersion) throws {
        let errors = try errors(device: "iPhone", list: try version.list())
        let known = "Known devices: “00000000-0000-0000-0000-00000000000B”, “Phone of a tester”."
        #expect(errors.contains("“iPhone” is not a known device. " + known), "\(errors)")
    }

    @Test(
        "A device is known by everything that --device accepts", arguments: DeviceListVersion.allCases,
        [
            "phone of a tester", "00000000-0000-0000-0000-00000000000a", "00000000-0000-0000-0000-00000000000B",
            "00008130-000000000000001C", "A1B2C3D4E5", "4660", "0x1234", "tester.coredevice.local",
        ])
    func known(version: DeviceListVersion, device: String) throws {
        let errors = try errors(device: device, list: try version.list())
        #expect(errors.contains(Self.command) && !errors.contains("is not a known device"), "\(errors)")
    }

    @Test("A list that has failed says nothing about the device", arguments: DeviceListVersion.allCases, [0, 1])
    func failed(version: DeviceListVersion, code: Int) throws {
        let errors = try errors(device: "iPhone", list: try version.failure(), code: code)
        #expect(errors.contains(Self.command), "\(errors)")
    }

    @Test(
        "With an unknown list, the message names the command that lists devices",
        arguments: [
            "", "hello", "{}", "[]", #"{"result": {}}"#, #"{"result": {"devices": {}}}"#,
            #"{"result": {"devices": ["iPad"]}}"#, #"{"result": {"devices": [null]}}"#,
            #"{"info": {"outcome": "failed"}, "result": {"devices": []}}"#,
        ])
    func unknownForm(list: String) throws {
        let errors = try errors(device: "iPhone", list: list)
        #expect(errors.contains(Self.command), "\(errors)")
    }

    @Test("An empty list says that no device is known")
    func empty() throws {
        let errors = try errors(device: "iPhone", list: #"{"info": {"outcome": "success"}, "result": {"devices": []}}"#)
        #expect(errors.contains("No device is known to Xcode"), "\(errors)")
    }

    @Test(
        "A member of another type is ignored",
        arguments: [
            #"{"identifier": "B1", "deviceProperties": {"name": 1}, "hardwareProperties": null}"#,
            #"{"identifier": "B1", "deviceProperties": [], "properties": "x"}"#,
            #"{"identifier": "B1", "connectionProperties": {"transportType": []}, "properties": {"state": {"name": 0}}}"#,
            #"{"identifier": "B1", "hardwareProperties": {"ecid": -1, "udid": {}}, "properties": {"state": null}}"#,
            #"{"identifier": "B1", "deviceProperties": {"name": ""}}"#,
        ])
    func otherTypes(device: String) throws {
        let errors = try errors(device: "iPhone", list: #"{"result": {"devices": [\#(device)]}}"#)
        #expect(errors.contains("Known devices: “B1”."), "\(errors)")
    }
}
