internal import AppContainer
internal import ContainerLifecycle
internal import ContainerPreferences
internal import Foundation
internal import SystemPackage

/// `Passcode DIRECTORY` creates the container of the app, changes its passcode settings, and terminates it before and after
/// they are saved.
@main
struct Passcode {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: Passcode DIRECTORY\n".utf8))
            exit(2)
        }
        let container = try Container.create(
            at: FilePath(CommandLine.arguments[1]), bundleIdentifier: "com.example.Passcode")
        let device = try SimulatedDevice(container)
        let now = Date()

        try device.launch()
        var lock = try PasscodeLock(on: device, savesAtOnce: false)
        try lock.change { $0.isEnabled = true }
        let saved = try device.enterBackground().saved
        print("saved on entering the background:", saved.joined(separator: ", "))

        try device.launch()
        try lock.record(isCorrect: false, at: now)
        let lost = try device.terminate().lost
        print("lost with the app:", lost.joined(separator: ", "))

        try device.launch()
        lock = try PasscodeLock(on: device, savesAtOnce: true)
        for _ in 1...PasscodeLock.limit { try lock.record(isCorrect: false, at: now) }
        try device.terminate()
        let settings = try container.preferences().value(for: .passcode)
        print("attempts after the next launch:", settings.attempts)
    }
}
