import AppContainer
import Foundation
import SystemPackage

/// The reason why this system does not support a file system.
struct Obstacle: Error { let reason: String }

/// A trial of one file system: one run of saves with power cuts at each of its moments.
struct Trial {
    private(set) var cuts = 0
    private(set) var images = 0
    /// The number of acknowledged steps.
    private(set) var steps = 0
    /// The number of comparisons with the promise.
    private(set) var checks = 0
    private(set) var losses = 0
    private(set) var tears = 0
    /// The first faults, for the report.
    private(set) var examples: [String] = []
    private(set) var seconds = 0.0

    /// Records at least `count` cuts, then checks the medium of each.
    ///
    /// - Throws: `Obstacle` if the file system cannot be created or mounted here; other errors of the trial.
    init(_ kind: FileSystemKind, cuts count: Int, _ sabotage: Sabotage?, in workplace: Workplace) throws {
        let start = ContinuousClock.now
        let volume: Volume
        do { volume = try Volume(making: kind, in: workplace) } catch let error as ProgramFailure {
            throw Obstacle(reason: error.description)
        }
        let (recorder, script) = try volume.whileMounted { try Self.play(on: $0, sabotage, until: count) }
        let moments = Dictionary(grouping: recorder.cuts, by: \.image)
        // Checking costs more than recording, so of a round with more cuts than requested, some are checked, from all
        // steps. The interval is odd, because most steps have two images, which must alternate.
        let interval = (recorder.cuts.count / count - 1) | 1
        for (index, image) in recorder.images.enumerated() where index % interval == 0 {
            guard let cuts = moments[index] else { continue }
            images += 1
            try look(at: image, of: kind, cuts, script, in: workplace)
        }
        steps = recorder.acknowledged
        seconds = (ContinuousClock.now - start) / .seconds(1)
    }

    /// Runs the script on a mounted volume until it has enough cuts.
    private static func play(
        on volume: Volume, _ sabotage: Sabotage?, until count: Int
    ) throws -> (Recorder, Script) {
        let path = volume.directory.appending("container")
        _ = try Container.create(at: path, bundleIdentifier: Script.bundleIdentifier)
        let disk = try Disk(of: volume)
        try disk.writeBack()
        let recorder = Recorder(disk, start: Promise(try Found(in: path).entries), sabotage)
        let container = try Container.open(path, bundleIdentifier: Script.bundleIdentifier, calls: recorder.calls)
        var script = Script()
        var round = 0
        while recorder.cuts.count < count {
            let done = script.steps.count
            script.addRound(round)
            // A medium with only the requested flushes shows losses; one with more shows torn files.
            recorder.writesBack(round % 2 == 1)
            for step in script.steps[done...] { try recorder.run(step) { try step.run(container) } }
            round += 1
        }
        try disk.close()
        return (recorder, script)
    }

    private mutating func look(
        at image: Image, of kind: FileSystemKind, _ cuts: [Cut], _ script: Script, in workplace: Workplace
    ) throws {
        let found = try Volume(mounting: image, of: kind, in: workplace).whileMounted { volume in
            Result { try Found(in: volume.directory.appending("container")).entries }
        }
        self.cuts += cuts.count
        for cut in cuts {
            var faults: [Fault] = []
            switch found {
            case .success(let entries): faults = cut.promise.faults(in: entries, given: script.given)
            case .failure(let error): faults = [Fault(kind: .tear, description: "\(error)")]
            }
            checks += cut.promise.settled.count
            for fault in faults {
                if fault.kind == .loss { losses += 1 } else { tears += 1 }
                if examples.count < 10 { examples.append("\(cut.moment): \(fault)") }
            }
        }
    }
}

extension Trial: CustomStringConvertible {
    var description: String {
        "\(cuts) cuts, \(images) images, \(steps) acknowledged steps, \(checks) checks, \(losses) losses, "
            + "\(tears) torn, \(String(format: "%.1f", seconds)) s"
    }

    /// Returns the faults, or after a sabotage their absence.
    func faults(after sabotage: Sabotage?) -> [String] {
        switch sabotage?.fault {
        case nil: examples
        case .loss: losses == 0 ? ["the harness is blind: it must find losses"] : []
        case .tear: tears == 0 ? ["the harness is blind: it must find what is torn"] : []
        }
    }
}
