import AppContainer
import Foundation
import TestSupport
import Testing

/// Lists of simulators and devices as versions of Xcode print them. The names and identifiers are made up.
///
/// Source: https://github.com/calabash/run_loop/pull/706 (Xcode 10 and 10.1),
/// https://github.com/ionic-team/native-run/issues/44 (Xcode 11), https://github.com/expo/expo/pull/48001 (Xcode 27).
enum XcodeVersion: String, CaseIterable, Sendable {
    case xcode10 = "Xcode 10"
    case xcode10_1 = "Xcode 10.1"
    case xcode26 = "Xcode 26"

    /// A list of booted simulators.
    func simulators(_ simulators: [(udid: String, name: String)]) throws -> String {
        let entries = simulators.map { udid, name in
            var entry: [String: Any] = ["state": "Booted", "name": name, "udid": udid]
            switch self {
            case .xcode10: entry["availability"] = "(available)"
            case .xcode10_1: entry.merge(["isAvailable": "YES", "availabilityError": ""]) { $1 }
            case .xcode26:
                entry.merge([
                    "isAvailable": true, "dataPath": "/data/\(udid)", "dataPathSize": 4096, "logPath": "/logs/\(udid)",
                    "deviceTypeIdentifier": "com.apple.CoreSimulator.SimDeviceType.iPhone-17",
                    "lastBootedAt": "2026-01-01T00:00:00Z",
                ]) { $1 }
            }
            return entry
        }
        let system = self == .xcode10 ? "iOS 12.0" : "com.apple.CoreSimulator.SimRuntime.iOS-26-0"
        return try json(["devices": [system: entries, "com.apple.CoreSimulator.SimRuntime.tvOS-26-0": []]])
    }
}

private func json(_ object: Any) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted]), as: UTF8.self)
}

@Suite("Lists of Xcode's tools", .needs(.process), .timeLimit(.minutes(60))) struct XcodeListTests {
    private static let (first, second) = (
        "00000000-0000-0000-0000-00000000000A", "00000000-0000-0000-0000-00000000000B"
    )
    private static let both = [(udid: first, name: "iPhone 17"), (udid: second, name: "iPhone 17 Pro")]

    /// A stand-in for `simctl` with a list. The app is in the simulators `installed`.
    private static func simctl(_ list: String, installed: [String]) -> String {
        """
        case "$*" in
        "simctl list devices booted --json") cat <<'END'
        \(list)
        END
        ;;
        \(installed.map { "\"simctl get_app_container \($0) com.example.app data\") echo $PWD/container ;;" }.joined(separator: "\n"))
        *"com.example.app groups") : ;;
        "simctl get_app_container "*) echo '(domain=NSPOSIXErrorDomain, code=2)' >&2; exit 2 ;;
        *) echo "unexpected arguments: $*" >&2; exit 64 ;;
        esac
        """
    }

    @Test("Of two booted simulators, that with the app is read", arguments: XcodeVersion.allCases)
    func two(version: XcodeVersion) throws {
        try withXcrunSample { sample throws in
            try sample.install(Self.simctl(try version.simulators(Self.both), installed: [Self.second]))
            let report = try sample.report("--booted", "com.example.app")
            #expect(report.run.code == 1 && report.run.errors.isEmpty, "\(report.run.errors)")
            #expect(report.inputs.map { $0["bundleID"] as? String } == ["com.example.app"])
        }
    }

    @Test("An app in two booted simulators is an error that names both", arguments: XcodeVersion.allCases)
    func ambiguous(version: XcodeVersion) throws {
        try withXcrunSample { sample throws in
            try sample.install(Self.simctl(try version.simulators(Self.both), installed: [Self.first, Self.second]))
            let run = try sample.lint("--booted", "com.example.app")
            #expect(run.code == 3)
            #expect(
                run.errors.contains(
                    "is installed in 2 booted simulators: “iPhone 17” (\(Self.first)), “iPhone 17 Pro” (\(Self.second))"
                ),
                "\(run.errors)")
        }
    }

    @Test("One booted simulator is that of the app, none is an error", arguments: XcodeVersion.allCases)
    func oneAndNone(version: XcodeVersion) throws {
        try withXcrunSample { sample throws in
            try sample.install(Self.simctl(try version.simulators([Self.both[0]]), installed: ["booted"]))
            let run = try sample.lint("--booted", "com.example.app")
            #expect(run.code == 1 && run.errors.isEmpty, "\(run.errors)")
            try sample.install(Self.simctl(try version.simulators([]), installed: ["booted"]))
            let none = try sample.lint("--booted", "com.example.app")
            #expect(none.code == 3 && none.errors.contains("no simulator is booted. Start one"), "\(none.errors)")
        }
    }

    @Test("An app in neither of two booted simulators is not installed")
    func neither() throws {
        try withXcrunSample { sample throws in
            try sample.install(Self.simctl(try XcodeVersion.xcode26.simulators(Self.both), installed: []))
            let run = try sample.lint("--booted", "com.example.app")
            #expect(run.code == 3 && run.errors.contains("is not installed in the booted simulator"), "\(run.errors)")
        }
    }

    @Test(
        "With an unknown list, simctl chooses the simulator, and a note says so",
        arguments: [
            "hello", "{}", "{\"devices\": []}", "{\"devices\": {\"a\": [{\"udid\": 1}]}}", "{\"devices\": {\"a\": [",
            "",
        ])
    func unknown(list: String) throws {
        try withXcrunSample { sample throws in
            try sample.install(Self.simctl(list, installed: ["booted"]))
            let run = try sample.lint("--booted", "com.example.app")
            #expect(run.code == 1 && run.errors.contains("an unknown list of simulators"), "\(run.errors)")
        }
    }

    @Test(
        "An unknown device is an error with the known ones, without simulators",
        arguments: [
            // The last is that of Xcode 27, which lists simulators, too, and renames members.
            ["jsonVersion": "2", "simulated": ""], ["jsonVersion": "3", "simulated": ""],
            ["jsonVersion": "5", "simulated": "simulated"],
        ])
    func devices(form: [String: String]) throws {
        try withXcrunSample { sample throws in
            var devices: [[String: Any]] = [
                [
                    "identifier": Self.first, "deviceProperties": ["name": "Phone of a tester"],
                    "hardwareProperties": ["udid": "00008130-000000000000001C", "reality": "physical"],
                    "connectionProperties": ["tunnelState": "connected"],
                ]
            ]
            if form["simulated"] == "simulated" {
                devices.append([
                    "identifier": Self.second, "deviceProperties": ["name": "A simulator"], "properties": [:],
                    "hardwareProperties": ["reality": "simulated"],
                ])
            }
            let list = try json([
                "info": ["jsonVersion": Int(form["jsonVersion"] ?? "") ?? 0, "outcome": "success"],
                "result": ["devices": devices],
            ])
            try sample.install(Self.devicectl(list))
            for (device, isKnown) in [("iPhone", false), ("phone of a tester", true), (Self.first, true)] {
                let run = try sample.lint("--device", device, "--bundle-id", "com.example.app")
                #expect(run.code == 3)
                let says =
                    isKnown ? "`xcrun devicectl list devices` lists devices" : "Known devices: “Phone of a tester”."
                #expect(run.errors.contains(says), "\(run.errors)")
                #expect(!run.errors.contains("A simulator"))
                #expect(try sample.leftovers == [])
            }
        }
    }

    @Test(
        "With an unknown list of devices, the message names the command that lists them",
        arguments: ["", "hello", "{}"])
    func unknownDevices(list: String) throws {
        try withXcrunSample { sample throws in
            try sample.install(Self.devicectl(list))
            let run = try sample.lint("--device", "iPhone", "--bundle-id", "com.example.app")
            #expect(
                run.code == 3 && run.errors.contains("`xcrun devicectl list devices` lists devices"), "\(run.errors)")
        }
    }

    /// A stand-in for `devicectl` that finds no device, and writes a list.
    private static func devicectl(_ list: String) -> String {
        """
        case "$*" in
        "devicectl device copy from"*) echo 'ERROR: The specified device was not found.' >&2; exit 1 ;;
        "devicectl list devices --json-output "*) cat >"${@: -1}" <<'END'
        \(list)
        END
        ;;
        *) echo "unexpected arguments: $*" >&2; exit 64 ;;
        esac
        """
    }
}
