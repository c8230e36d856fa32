import AppContainer
import ContainerLifecycle
import ContainerPreferences
import Foundation
import StoragePolicy
import StoragePolicyTesting
import SystemPackage
import TestSupport
import Testing

@testable import Passcode

@Suite("Passcode") struct PasscodeTests {
    private let now = Date(timeIntervalSinceReferenceDate: 1_000_000)

    /// Runs the body with a device on which the app is active.
    private func withDevice(_ body: (SimulatedDevice) throws -> Void) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.Passcode")
            let device = try SimulatedDevice(container)
            try device.launch()
            try body(device)
        }
    }

    private func saved(_ device: SimulatedDevice) throws -> PasscodeSettings {
        try device.container.preferences().value(for: .passcode)
    }

    @Test("The settings are one value beside the version of the app, and the container has no findings")
    func oneValue() throws {
        try withDevice { device throws in
            let lock = try PasscodeLock(on: device, savesAtOnce: true)
            try lock.change { $0.isEnabled = true }
            try lock.record(isCorrect: true, at: now)
            let values = try device.container.preferences().values()
            #expect(values.keys.sorted() == ["appVersion", "passcode"])
            #expect(values["appVersion"] == "2.0")
            let expected = PasscodeSettings(isEnabled: true, attempts: 0, checkInterval: 60, nextCheck: now + 60)
            #expect(try saved(device) == expected)
            #expect(lock.asks(at: now + 60) && !lock.asks(at: now + 59))
            expectCompliant(device.container, failOn: .note)
        }
    }

    @Test("A change is saved when the app enters the background")
    func background() throws {
        try withDevice { device throws in
            let lock = try PasscodeLock(on: device, savesAtOnce: false)
            try lock.record(isCorrect: false, at: now)
            #expect(try saved(device).attempts == 0)
            #expect(try device.enterBackground().saved == ["passcode"])
            #expect(try saved(device).attempts == 1)
            try device.terminate()
            #expect(try saved(device).attempts == 1)
        }
    }

    @Test("A change is lost if the app is terminated before it was saved, unless it is saved at once")
    func termination() throws {
        try withDevice { device throws in
            let late = try PasscodeLock(on: device, savesAtOnce: false)
            for _ in 1...3 { try late.record(isCorrect: false, at: now) }
            #expect(try device.terminate().lost == ["passcode"])
            #expect(try saved(device).attempts == 0)
            try device.launch()
            let lock = try PasscodeLock(on: device, savesAtOnce: true)
            for _ in 1...3 { try lock.record(isCorrect: false, at: now) }
            try device.terminate()
            let settings = try saved(device)
            #expect(settings.attempts == 3 && settings.nextCheck == now + 180)
        }
    }

    @Test("Settings of another type are an error with the key, and the file is unchanged")
    func wrongType() throws {
        try withDevice { device throws in
            let preferences = try device.container.preferences()
            try preferences.set("on", forKey: "passcode")
            let error = #expect(throws: PreferencesError.self) {
                _ = try PasscodeLock(on: device, savesAtOnce: true)
            }
            #expect(error?.code == .wrongType)
            #expect(error?.description.contains("passcode") == true)
            #expect(try preferences.string(forKey: "passcode") == "on")
        }
    }
}
