import AppContainer
import ContainerLifecycle
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("States of an app", .timeLimit(.minutes(60))) struct AppStateTests {
    /// The legal transitions, written out a second time.
    private static let legal: Set<String> = [
        "not-running>inactive", "not-running>background", "inactive>active", "inactive>background", "active>inactive",
        "background>inactive", "background>suspended", "suspended>background", "inactive>not-running",
        "active>not-running", "background>not-running", "suspended>not-running",
    ]

    /// The steps from an app that is not running to each state.
    private static func bring(_ device: SimulatedDevice, to state: AppState) throws {
        let steps: [AppState] =
            switch state {
            case .notRunning: []
            case .inactive: [.inactive]
            case .active: [.inactive, .active]
            case .background: [.background]
            case .suspended: [.background, .suspended]
            }
        for step in steps { try device.transition(to: step) }
    }

    @Test(
        "Of all pairs of states only the documented transitions are possible, and an error lists them",
        arguments: AppState.allCases, AppState.allCases)
    func transitions(from: AppState, to: AppState) throws {
        try withContainer { container throws in
            let device = try SimulatedDevice(container)
            try Self.bring(device, to: from)
            guard Self.legal.contains("\(from.rawValue)>\(to.rawValue)") else {
                let error = #expect(throws: DeviceError.self) { try device.transition(to: to) }
                #expect(error?.code == .illegalTransition && device.state == from)
                for state in AppState.allCases {
                    let isListed = error?.description.contains("“\(state)”") == true
                    #expect(isListed == Self.legal.contains("\(from.rawValue)>\(state.rawValue)"), "\(state)")
                }
                return
            }
            let transition = try device.transition(to: to)
            #expect(transition.from == from && transition.to == to && device.state == to)
        }
    }

    @Test("The state persists on the container, also for another process, and termination removes the record")
    func record() throws {
        try withContainer { container throws in
            let attribute = { try AttributeTool.attributes(of: container.location.string) }
            let before = try attribute()
            try SimulatedDevice(container).launch()
            #expect(try attribute()["user.appcontainer.device-state"] == Data("active".utf8))
            let other = try SimulatedDevice(Container.open(container.location))
            #expect(other.state == .active)
            try other.terminate()
            #expect(try attribute() == before && SimulatedDevice(container).state == .notRunning)
        }
    }

    @Test("An unknown recorded state is an error that names the attribute")
    func unknown() throws {
        try withContainer { container throws in
            try AttributeTool.set(
                "user.appcontainer.device-state", to: "dreaming", of: container.location.string)
            let error = #expect(throws: DeviceError.self) { _ = try SimulatedDevice(container) }
            #expect(error?.code == .unknownState)
            #expect(error?.description.contains("appcontainer.device-state") == true)
        }
    }

    @Test("A backup of a running app does not contain the recorded state")
    func backup() throws {
        try withContainer { container throws in
            try container.put("Documents/a.txt")
            try SimulatedDevice(container).launch()
            let parent = container.location.removingLastComponent()
            let (store, target) = (parent.appending("store").string, parent.appending("target").string)
            try sandboxbackup(["create", container.location.string, "--repository", store]).succeeded()
            try sandboxbackup(["restore", "1", "--repository", store, "--to", target]).succeeded()
            let found = try AttributeTool.listing(below: URL(filePath: target))
            #expect(!found.contains("device-state"), "\(found)")
            #expect(FileManager.default.fileExists(atPath: target + "/Documents/a.txt"))
        }
    }
}

@Suite("Registered values", .timeLimit(.minutes(60))) struct RegisteredValueTests {
    private struct Settings: Codable, Equatable, Sendable { var volume = 1 }
    private static let path = ContainerPath.documents / "settings.json"

    private func register(
        _ device: SimulatedDevice, _ name: String = "settings"
    ) throws -> RegisteredValue<Settings> {
        try device.register(name, Settings()) { try $1.save($0, to: Self.path) }
    }

    @Test("A changed value is saved by its handler on entering the background, an unchanged one is not")
    func save() throws {
        try withContainer { container throws in
            let device = try SimulatedDevice(container)
            try device.launch()
            let (settings, unchanged) = (try register(device), try register(device, "unchanged"))
            settings.value.volume = 7
            #expect(settings.isUnsaved && !unchanged.isUnsaved && device.unsavedNames == ["settings"])
            let transition = try device.enterBackground()
            #expect(transition.saved == ["settings"] && transition.failures.isEmpty && !settings.isUnsaved)
            #expect(try container.load(Settings.self, from: Self.path) == Settings(volume: 7))
            #expect(try device.terminate().lost.isEmpty)
        }
    }

    @Test(
        "A value that no handler saved is lost when the app is terminated, and termination reports it",
        arguments: [AppState.inactive, .active])
    func loss(state: AppState) throws {
        try withContainer { container throws in
            let device = try SimulatedDevice(container)
            try device.transition(to: .inactive)
            if state == .active { try device.transition(to: .active) }
            let settings = try register(device)
            settings.change { $0.volume += 1 }
            #expect(try device.terminate().lost == ["settings"])
            #expect(!FileManager.default.fileExists(atPath: try container.path(Self.path).string))
            #expect(device.unsavedNames.isEmpty)
        }
    }

    @Test("A change in the background is lost with a suspended app")
    func changeInBackground() throws {
        try withContainer { container throws in
            let device = try SimulatedDevice(container)
            try device.launch()
            let settings = try register(device)
            settings.value.volume = 2
            try device.enterBackground()
            settings.value.volume = 3
            try device.transition(to: .suspended)
            #expect(try device.terminate().lost == ["settings"])
            #expect(try container.load(Settings.self, from: Self.path).volume == 2)
        }
    }

    @Test("A handler that fails is reported, the other handlers run, and the value remains unsaved")
    func failure() throws {
        try withContainer { container throws in
            let device = try SimulatedDevice(container)
            try device.launch()
            let broken = try device.register("broken", 1) { _, _ in throw CocoaError(.fileWriteUnknown) }
            let settings = try register(device)
            (broken.value, settings.value.volume) = (2, 5)
            let transition = try device.enterBackground()
            #expect(transition.failures.map(\.name) == ["broken"] && transition.saved == ["settings"])
            #expect(device.state == .background && device.unsavedNames == ["broken"])
        }
    }

    @Test("A handler that changes the state of the device gets an error instead of a deadlock")
    func reentry() throws {
        try withContainer { container throws in
            let device = try SimulatedDevice(container)
            try device.launch()
            let value = try device.register("value", 1) { [weak device] _, _ in try device?.terminate() }
            value.value = 2
            let transition = try device.enterBackground()
            #expect((transition.failures.first?.error as? DeviceError)?.code == .busy)
            #expect(device.state == .background)
        }
    }
}

@Suite("Events of a device", .timeLimit(.minutes(60))) struct DeviceEventsTests {
    private func collected(_ events: DeviceEvents) async -> [DeviceEvent] {
        var all: [DeviceEvent] = []
        for await event in events { all.append(event) }
        return all
    }

    @Test("Every observer gets all events in order, until the device ends")
    func observers() async throws {
        let (first, second) = try withContainer { container throws in
            let device = try SimulatedDevice(container)
            let (first, second) = (device.events(), device.events())
            try device.launch()
            let value = try device.register("value", 1) { _, _ in }
            value.value = 2
            try device.enterBackground()
            value.value = 3
            try device.terminate()
            try device.purge()
            device.end()
            return (first, second)
        }
        let expected: [DeviceEvent.Kind] = [
            .transition(from: .notRunning, to: .inactive), .transition(from: .inactive, to: .active),
            .transition(from: .active, to: .inactive), .transition(from: .inactive, to: .background),
            .saved(name: "value"), .transition(from: .background, to: .notRunning), .lost(name: "value"),
            .container(.purge),
        ]
        let (one, other) = (await collected(first), await collected(second))
        #expect(one.map(\.kind) == expected && one.map(\.number) == Array(1...8) && one == other)
    }

    @Test("A sequence ends when the device is released, and a device that ended refuses calls")
    func end() async throws {
        let events = try withContainer { container throws in
            let events = try SimulatedDevice(container).events()
            let device = try SimulatedDevice(container)
            device.end()
            #expect(throws: DeviceError.self) { try device.launch() }
            #expect(throws: DeviceError.self) { try device.purge() }
            return events
        }
        #expect(await collected(events).isEmpty)
    }

    @Test("An observer that does not read keeps the newest events, and the numbers show the gap")
    func bound() async throws {
        let events = try withContainer { container throws in
            let device = try SimulatedDevice(container)
            let events = device.events()
            for _ in 0..<200 {
                try device.transition(to: .background)
                try device.terminate()
            }
            device.end()
            return events
        }
        let all = await collected(events)
        #expect(all.count == DeviceEvents.capacity)
        #expect(all.first?.number == UInt64(400 - DeviceEvents.capacity + 1) && all.last?.number == 400)
    }

    @Test("An iterator whose task is cancelled ends")
    func cancellation() async throws {
        try await withCheckedDevice { device in
            let events = device.events()
            let task = Task {
                var iterator = events.makeAsyncIterator()
                return await iterator.next()
            }
            task.cancel()
            #expect(await task.value == nil)
        }
    }

    private func withCheckedDevice(_ body: (SimulatedDevice) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try Container.create(
            at: folder.appending(path: "c"), bundleIdentifier: "com.example.app")
        try await body(try SimulatedDevice(container))
    }
}
