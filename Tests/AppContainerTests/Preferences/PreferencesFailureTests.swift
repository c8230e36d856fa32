import AppContainer
import ContainerPreferences
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Preferences on a failing disk") struct PreferencesFailureTests {
    /// A call that fails, and the error for the caller.
    enum Failing: CaseIterable {
        case write, sync, rename, lock

        var calls: Syscalls {
            var calls = Syscalls.live
            switch self {
            case .write: calls.write = { _, _, _ in -Int(Errno.noSpace.rawValue) }
            case .sync: calls.sync = { _ in -Errno.ioError.rawValue }
            case .rename: calls.rename = { _, _, _, _ in -Errno.readOnlyFileSystem.rawValue }
            case .lock: calls.lock = { _, _ in -Errno.notSupported.rawValue }
            }
            return calls
        }

        var code: PreferencesError.Code {
            switch self {
            case .write: .noSpace
            case .sync, .lock: .failed
            case .rename: .permissionDenied
            }
        }
    }

    @Test(
        "A change that fails leaves file and values unchanged, and no observer is notified", arguments: Failing.allCases
    )
    func failed(step: Failing) throws {
        try withContainer { container throws in
            try container.preferences().set("old", forKey: "a")
            let place = ContainerPath.preferences / "com.example.app.plist"
            let before = try container.load(place)
            let dying = try Container.open(
                container.location.appending("."), bundleIdentifier: nil, calls: step.calls)
            let preferences = try dying.preferences()
            let told = Counter()
            let observation = preferences.observe { _ in told.add(1) }
            defer { observation.cancel() }
            let error = #expect(throws: PreferencesError.self) { try preferences.set("new", forKey: "a") }
            #expect(error?.code == step.code)
            #expect(error?.description.contains("Nothing on disk has changed") == true)
            #expect(try preferences.string(forKey: "a") == "old")
            #expect(try container.load(place) == before)
            #expect(try container.list(.preferences) == [place])
            #expect(told.value == 0)
        }
    }

    @Test("If only the sync of the directory fails, the change is visible, the error says so, and it is reported once")
    func durabilityUnknown() throws {
        try withContainer { container throws in
            try container.preferences().set("old", forKey: "a")
            var calls = Syscalls.live
            let count = Counter()
            calls.sync = { count.add(1) == 2 ? -5 : Syscalls.live.sync($0) }
            let dying = try Container.open(container.location.appending("."), bundleIdentifier: nil, calls: calls)
            let preferences = try dying.preferences()
            let told = Counter()
            let observation = preferences.observe { _ in told.add(1) }
            defer { observation.cancel() }
            let error = #expect(throws: PreferencesError.self) { try preferences.set("new", forKey: "a") }
            #expect(error?.code == .durabilityUnknown)
            // The watch or this read reports the change.
            #expect(try preferences.string(forKey: "a") == "new")
            let end = ContinuousClock.now + .seconds(60)
            while told.value == 0, ContinuousClock.now < end { usleep(1_000) }
            #expect(told.value == 1)
        }
    }
}
