import AppContainer
import Foundation
import SystemPackage

/// This system cannot have that file system.
struct Obstacle: Error { let reason: String }

/// One file system under one run of saves, its power cut at each of their moments.
struct Trial {
    private(set) var cuts = 0
    private(set) var images = 0
    /// Steps that were acknowledged.
    private(set) var steps = 0
    /// How often a name was compared with what was promised of it.
    private(set) var checks = 0
    private(set) var losses = 0
    private(set) var tears = 0
    /// The first faults, for a person.
    private(set) var examples: [String] = []
    private(set) var seconds = 0.0

    /// Records at least `count` cuts, then looks at the medium of each.
    ///
    /// - Throws: `Obstacle` where the file system cannot be made or mounted here; what else went wrong with the trial.
    init(_ kind: FileSystemKind, cuts count: Int, _ sabotage: Sabotage?, in workplace: Workplace) throws {
        let start = ContinuousClock.now
        let volume: Volume
        do { volume = try Volume(making: kind, in: workplace) } catch let error as ProgramFailure {
            throw Obstacle(reason: error.description)
        }
        let (recorder, script) = try volume.whileMounted { try Self.play(on: $0, sabotage, until: count) }
        let moments = Dictionary(grouping: recorder.cuts, by: \.image)
        // To look costs more than to record: of a round that gives more cuts than asked for, some, of all its steps.
        // An odd interval, since most steps give two images, which must take turns.
        let interval = (recorder.cuts.count / count - 1) | 1
        for (index, image) in recorder.images.enumerated() where index % interval == 0 {
            guard let cuts = moments[index] else { continue }
            images += 1
            try look(at: image, of: kind, cuts, script, in: workplace)
        }
        steps = recorder.acknowledged
        seconds = (ContinuousClock.now - start) / .seconds(1)
    }

    /// Runs the script on a mounted volume until it has given enough cuts.
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
            // A medium that holds no more than was asked for shows what is lost; one that holds more, what is torn.
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

    /// What a person must be told of how it came out: faults, or after a sabotage that there were none.
    func faults(after sabotage: Sabotage?) -> [String] {
        switch sabotage?.fault {
        case nil: examples
        case .loss: losses == 0 ? ["the harness is blind: it must find losses"] : []
        case .tear: tears == 0 ? ["the harness is blind: it must find what is torn"] : []
        }
    }
}
