import AppContainer
import Foundation
import TestSupport
import Testing

/// Lists of simulators as versions of Xcode print them. The names and identifiers are made up.
///
/// Source: https://github.com/calabash/run_loop/pull/706 (Xcode 10 and 10.1),
/// https://github.com/ionic-team/native-run/issues/44 (Xcode 11).
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

@Suite("Lists of simulators", .needs(.process), .timeLimit(.minutes(60))) struct XcodeListTests {
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
}
