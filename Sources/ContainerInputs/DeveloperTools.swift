internal import AppContainer
package import ExternalPrograms
internal import FileSystem
internal import Foundation
internal import SystemPackage
internal import TextOutput

/// Xcode's tools for the containers of apps: `simctl` for simulators and `devicectl` for devices.
///
/// Source: `xcrun simctl help get_app_container`, `xcrun devicectl help device copy from`.
package struct DeveloperTools: Sendable {
    /// The directories of an app in a simulator.
    struct InstalledApp: Sendable {
        let data: FilePath
        let groups: [(identifier: String, path: FilePath)]
        /// Notes on groups that could not be found.
        let notes: [String]
    }

    private static let mostLines = 10_000
    /// The lines that are kept, and their length.
    private static let keptLines = 100
    private static let longestLine = 4_096

    private let xcrun: ExternalProgram
    private let questionLimit: Duration
    private let copyLimit: Duration

    /// Creates the tools with an `xcrun`.
    ///
    /// - Parameters:
    ///   - xcrun: The program.
    ///   - questionLimit: The time for a question to a simulator.
    ///   - copyLimit: The time for a copy of a container.
    package init(
        xcrun: ExternalProgram, questionLimit: Duration = .seconds(120), copyLimit: Duration = .seconds(1800)
    ) {
        (self.xcrun, self.questionLimit, self.copyLimit) = (xcrun, questionLimit, copyLimit)
    }

    /// Finds `xcrun`.
    ///
    /// - Throws: `InputError` if it is not installed.
    package init() throws(InputError) {
        do throws(ExternalProgramError) { self.init(xcrun: try ExternalProgram("xcrun")) } catch {
            throw InputError(
                error.description,
                hint: "It is part of Xcode, on macOS. On another system, copy the container there and specify its path."
            )
        }
    }

    /// Returns the directories of an app in the booted simulator. Without `withGroups`, those of its groups are not
    /// looked up. Of several booted simulators, it is the one in which the app is installed.
    ///
    /// - Throws: `InputError` if no simulator is booted, or the app is not installed, or in several booted simulators.
    func installedApp(_ bundleIdentifier: String, withGroups: Bool = true) throws(InputError) -> InstalledApp {
        try Self.check(bundleIdentifier)
        let (simulator, remarks) = try bootedSimulator(with: bundleIdentifier)
        let question = ["simctl", "get_app_container", simulator, bundleIdentifier]
        let answer = try run(question + ["data"], within: questionLimit)
        guard answer.code == 0 else { throw Self.simulatorError(answer, bundleIdentifier: bundleIdentifier) }
        guard let line = answer.output.last, let data = Self.path(line) else {
            throw InputError(
                "xcrun simctl printed no path for “\(bundleIdentifier)”: \(Self.quotation(answer.output))",
                hint: "Check which program xcrun is on the search path.")
        }
        guard FileManager.default.fileExists(atPath: data.string) else {
            throw InputError(
                "xcrun simctl printed “\(data)”, which does not exist",
                hint: "Launch the app once: `xcrun simctl launch booted \(bundleIdentifier)`.")
        }
        guard withGroups else { return InstalledApp(data: data, groups: [], notes: remarks) }
        let found = try run(question + ["groups"], within: questionLimit)
        guard found.code == 0 else {
            let reason = Self.quotation(found.errors)
            return InstalledApp(
                data: data, groups: [],
                notes: remarks + ["the app groups of \(bundleIdentifier) are not read: xcrun simctl printed \(reason)"])
        }
        var (groups, notes): ([(identifier: String, path: FilePath)], [String]) = ([], remarks)
        for line in found.output {
            let words = line.split(separator: "\t", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard words.count == 2, Container.isIdentifier(words[0]), let path = Self.path(words[1]) else {
                notes.append("a line about app groups was not understood: \(Self.quotation([line]))")
                continue
            }
            groups.append((words[0], path))
        }
        return InstalledApp(data: data, groups: groups.sorted { $0.identifier < $1.identifier }, notes: notes)
    }

    /// Returns the booted simulator with an app, and notes. `simctl` itself would choose any of several booted ones.
    private func bootedSimulator(with bundleIdentifier: String) throws(InputError) -> (name: String, notes: [String]) {
        let answer = try run(
            ["simctl", "list", "devices", "booted", "--json"], within: questionLimit, keeping: Self.mostLines)
        // The next question has the error message.
        guard answer.code == 0 else { return ("booted", []) }
        let json = Data(answer.output.joined(separator: "\n").utf8)
        guard let booted = Self.list(SimulatorList.self, in: json)?.booted else {
            return (
                "booted",
                ["xcrun simctl printed an unknown list of simulators; if several are booted, simctl has chosen one"]
            )
        }
        guard !booted.isEmpty else { throw Self.noSimulator }
        guard booted.count > 1 else { return ("booted", []) }
        var found: [SimulatorList.Simulator] = []
        for simulator in booted {
            let question = ["simctl", "get_app_container", simulator.udid, bundleIdentifier, "data"]
            if try run(question, within: questionLimit).code == 0 { found.append(simulator) }
        }
        guard found.count <= 1 else {
            let names = found.map { "“\(ByteText.printable($0.name))” (\($0.udid))" }.joined(separator: ", ")
            throw InputError(
                "“\(bundleIdentifier)” is installed in \(found.count) booted simulators: \(names)",
                hint: "Shut down the others: `xcrun simctl shutdown UDID`.")
        }
        return (found.first?.udid ?? booted[0].udid, [])
    }

    /// Copies the data container of an app from a device.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: The app, which must be signed for development.
    ///   - device: The identifier or name of the device.
    ///   - target: An empty directory.
    /// - Throws: `InputError` if the copy fails or takes too long.
    func copyContainer(
        of bundleIdentifier: String, onDevice device: String, to target: FilePath
    ) throws(InputError) {
        try Self.check(bundleIdentifier)
        guard !device.isEmpty, !device.hasPrefix("-"), !device.utf8.contains(0) else {
            throw InputError("“\(device)” is not a device", hint: Self.deviceHint)
        }
        let answer = try run(
            [
                "devicectl", "device", "copy", "from", "--device", device, "--domain-type", "appDataContainer",
                "--domain-identifier", bundleIdentifier, "--source", "/", "--destination", target.string,
            ], within: copyLimit)
        guard answer.code == 0 else {
            let known = try knownDevices(without: device, in: target)
            throw InputError(
                "the container of “\(bundleIdentifier)” cannot be copied from “\(device)”: xcrun devicectl exited with "
                    + "\(answer.code) and printed \(Self.quotation(answer.errors))",
                hint: "\(known ?? Self.deviceHint) The device must be unlocked and the app signed for development.")
        }
    }

    /// Returns a sentence about the known devices if `device` is not one of them. Writes their list to a directory.
    private func knownDevices(without device: String, in folder: FilePath) throws(InputError) -> String? {
        try? FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: false)
        let file = folder.appending("devices.json").string
        let answer = try run(["devicectl", "list", "devices", "--json-output", file], within: questionLimit)
        guard answer.code == 0, let json = FileManager.default.contents(atPath: file),
            let list = Self.list(DeviceList.self, in: json), !list.contains(device)
        else { return nil }
        guard !list.names.isEmpty else { return "No device is known to Xcode: connect one and trust this computer." }
        let names = list.names.prefix(8).map { "“\(ByteText.printable($0))”" }.joined(separator: ", ")
        return "“\(device)” is not a known device. Known devices: \(names)."
    }

    private static let deviceHint = "`xcrun devicectl list devices` lists devices."

    /// The end of a run and the beginning of its output.
    private struct Answer {
        let code: Int32
        let output: [String]
        let errors: [String]
    }

    private func run(
        _ arguments: [String], within limit: Duration, keeping mostKept: Int = Self.keptLines
    ) throws(InputError) -> Answer {
        let command = "xcrun " + arguments.prefix(2).joined(separator: " ")
        var output: [String] = []
        do {
            let ended = try Invocation.current.interruption.during {
                try xcrun.run(arguments, timeLimit: limit, mostLines: Self.mostLines, on: .ends) { line in
                    let text = String(decoding: line.prefix(Self.longestLine), as: UTF8.self)
                        .trimmingCharacters(in: .whitespaces)
                    if !text.isEmpty, output.count < mostKept { output.append(text) }
                }
            }
            // The handler of the signal ends the process.
            Host.waitIfTerminating()
            guard !ended.hasTimedOut else {
                throw InputError(
                    "\(command) did not end within \(Int(limit / .seconds(60))) minutes and was stopped",
                    hint: "Check the simulator or device in Xcode, and run the command again.")
            }
            return Answer(code: ended.code, output: output, errors: ended.errors)
        } catch let error as InputError { throw error } catch {
            Host.waitIfTerminating()
            throw InputError(
                (error as? ExternalProgramError)?.description ?? "\(command) failed: \(error)",
                hint: "Check which program xcrun is on the search path.")
        }
    }

    /// Checks an identifier, which must not be read as an option.
    private static func check(_ bundleIdentifier: String) throws(InputError) {
        guard Container.isIdentifier(bundleIdentifier), !bundleIdentifier.hasPrefix("-") else {
            throw InputError(
                "“\(bundleIdentifier)” is not a bundle identifier",
                hint: "Use letters, digits, “.” and “-”, as in com.example.app.")
        }
    }

    private static let noSimulator = InputError(
        "no simulator is booted",
        hint: "Start one in Xcode or with `xcrun simctl boot`, and launch the app in it.")

    /// Known messages get their own solution; others are quoted.
    private static func simulatorError(_ answer: Answer, bundleIdentifier: String) -> InputError {
        let said = answer.errors.joined(separator: " ")
        if said.contains("No devices are booted") {
            return noSimulator
        }
        if said.contains("unable to find utility") {
            return InputError(
                "xcrun has no simctl: \(quotation(answer.errors))",
                hint: "Select Xcode: `sudo xcode-select --switch /Applications/Xcode.app`.")
        }
        if said.contains("NSPOSIXErrorDomain, code=2") {
            return InputError(
                "“\(bundleIdentifier)” is not installed in the booted simulator",
                hint: "`xcrun simctl listapps booted` lists the installed apps.")
        }
        return InputError(
            "xcrun simctl exited with \(answer.code) and printed \(quotation(answer.errors))",
            hint: "Check that a simulator is booted and that the app is installed: `xcrun simctl listapps booted`.")
    }

    /// Returns an absolute path without parent directories, as the tools print it.
    private static func path(_ text: String) -> FilePath? {
        let path = FilePath(text)
        guard path.isAbsolute, text.utf8.count < longestLine, !path.components.contains("..") else { return nil }
        return path
    }

    /// Returns the last lines in quotation marks.
    private static func quotation(_ lines: [String]) -> String {
        let text = lines.suffix(4).joined(separator: " | ")
        guard !text.isEmpty else { return "nothing" }
        return "“\(text.count > 500 ? "…" : "")\(ByteText.printable(String(text.suffix(500))))”"
    }
}
