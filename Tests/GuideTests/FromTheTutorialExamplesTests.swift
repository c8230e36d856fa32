import AppContainer
import AutoArchived
import ContainerArchives
import ContainerLifecycle
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Agenda

// shown in from-the-tutorial.md
@AutoArchived(name: "Pupil")
final class Pupil: NSObject {
    let name: String
    var grades: [Int] = []
    @NotArchived var isSelected = false

    init(name: String) { self.name = name }
}
// end

@Suite("Guide: from the tutorial to the app, with the examples", .timeLimit(.minutes(60)))
struct FromTheTutorialExamplesTests {
    @Test("A macro archives every property but those that are left out")
    func autoArchived() throws {
        try withContainer { container throws in
            let pupil = Pupil(name: "Ana")
            (pupil.grades, pupil.isSelected) = ([1, 2], true)
            // shown in from-the-tutorial.md
            try container.archive(pupil, to: .documents / "pupil.archive")
            let copy = try container.unarchive(Pupil.self, from: .documents / "pupil.archive")
            // end
            #expect(copy.name == "Ana" && copy.grades == [1, 2] && !copy.isSelected)
        }
    }

    @Test("A value is saved when the app enters the background, and its later change is lost with the app")
    func lifecycle() throws {
        try withContainer { container throws in
            // shown in from-the-tutorial.md
            let device = try SimulatedDevice(container)
            let draft = try device.register("draft", "") { text, container in
                try container.save(text, to: .documents / "draft.txt")
            }
            try device.launch()
            draft.value = "Dear reader"
            let saved = try device.enterBackground().saved
            draft.value = "Dear reader, one more thing"
            let lost = try device.terminate().lost
            // end
            #expect(saved == ["draft"] && lost == ["draft"])
            #expect(try container.loadText(.documents / "draft.txt") == "Dear reader")
        }
    }

    @Test("An event with a recurrence and an alarm is saved in a batch, found by its date, and exported")
    func calendars() throws {
        try withContainer { container throws in
            let start = try #require(CivilTime("2026-03-02T09:00"))
            let end = try #require(CivilTime("2026-03-02T10:00"))
            let from = Date(timeIntervalSince1970: 1_772_323_200)  // 2026-03-01
            let to = from + 14 * 86_400
            // shown in from-the-tutorial.md
            let store = try EventStore(in: container)
            try store.requestAccess { true }
            var event = Event("Planning", from: start, to: end, timeZone: "Europe/Berlin")
            event.recurrence = try RecurrenceRule(.weekly)
            event.alarms = [.relative(-15 * 60)]
            try store.save(event, commit: false)
            try store.commit()
            let found = try store.occurrences(matching: store.predicate(from: from, to: to)).map(\.event.title)
            let file = try store.export()
            // end
            #expect(found == ["Planning", "Planning"])
            #expect(try container.loadText(file).contains("SUMMARY:Planning"))
        }
    }
}
