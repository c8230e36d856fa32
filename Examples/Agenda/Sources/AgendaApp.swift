import AppContainer
import Foundation
import SystemPackage

/// A calendar app at a terminal. `Agenda CONTAINER` plays a session; see `usage` for the other commands.
@main
struct AgendaApp {
    static let usage = """
        usage: Agenda CONTAINER                                         play a session
               Agenda CONTAINER add FILE                                add the events of a JSON file
               Agenda CONTAINER list FROM TO [--time-zone ZONE] [--json]
               Agenda CONTAINER alarms FROM TO [--time-zone ZONE]
               Agenda CONTAINER export [NAME]                           write Documents/Agenda.ics
               Agenda CONTAINER access granted|denied                   change the answer of the user
        FROM and TO are days or times: 2026-11-22 or 2026-11-22T09:30. The container is created if it is missing.
        """

    static func main() {
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            // The usage has several lines.
            for line in "error: \(error)".split(separator: "\n") { show(String(line), to: .standardError) }
            exit((error as? AgendaError)?.code == .invalidArgument ? 2 : 1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        var arguments = arguments
        let isJSON = arguments.contains("--json")
        arguments.removeAll { $0 == "--json" }
        var zone = TimeZone.current
        if let index = arguments.firstIndex(of: "--time-zone") {
            guard index + 1 < arguments.count, let known = TimeZone(identifier: arguments[index + 1]) else {
                throw AgendaError(.invalidArgument, "--time-zone needs the name of a time zone, such as Europe/Berlin.")
            }
            zone = known
            arguments.removeSubrange(index...index + 1)
        }
        guard let path = arguments.first, !path.hasPrefix("-") else { throw AgendaError(.invalidArgument, usage) }
        let store = try EventStore(in: try container(at: path), timeZone: zone)
        let rest = Array(arguments.dropFirst(2))
        switch (arguments.dropFirst().first, rest.count) {
        case (nil, _):
            try Session(store).play()
        case ("access", 1):
            guard let access = EventStore.Access(rawValue: rest[0]) else { throw AgendaError(.invalidArgument, usage) }
            try store.setAccess(access)
        case ("add", 1):
            // The user has asked for the import, so there is nothing to ask again.
            try store.requestAccess { true }
            try add(try Data(contentsOf: URL(fileURLWithPath: rest[0])), to: store)
        case ("list", 2):
            try list(store, try time(rest[0], in: zone), try time(rest[1], in: zone), isJSON)
        case ("alarms", 2):
            for alarm in try store.alarms(from: try time(rest[0], in: zone), to: try time(rest[1], in: zone)) {
                show("\(zone.civilTime(at: alarm.date))  \(alarm.occurrence.event.title)")
            }
        case ("export", 0...1):
            show(try store.container.path(try store.export(named: rest.first ?? "Agenda.ics")).string)
        default:
            throw AgendaError(.invalidArgument, usage)
        }
    }

    /// Prints text as one line, without the control characters that a title may contain.
    static func show(_ text: String, to file: FileHandle = .standardOutput) {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            let isControl = scalar.value < 32 || 127...159 ~= scalar.value
            return isControl ? "\u{FFFD}" : scalar
        }
        file.write(Data((String(String.UnicodeScalarView(scalars)) + "\n").utf8))
    }

    private static func container(at path: String) throws -> Container {
        let path = FilePath(path)
        guard FileManager.default.fileExists(atPath: path.string) else {
            return try Container.create(at: path, bundleIdentifier: "com.example.Agenda")
        }
        return try Container.open(path)
    }

    private static func time(_ text: String, in zone: TimeZone) throws -> Date {
        guard let time = CivilTime(text) else {
            throw AgendaError(.invalidArgument, "“\(text)” is not a day or a time, such as 2026-11-22T09:30.")
        }
        return zone.date(of: time)
    }

    /// An event of a list that is being added: one that cannot be decoded does not stop the others.
    private struct Candidate: Decodable {
        let result: Result<Event, any Error>

        init(from decoder: any Decoder) { result = Result { try Event(from: decoder) } }
    }

    /// Adds all valid events in one commit, and prints one line for each of the others.
    private static func add(_ json: Data, to store: EventStore) throws {
        var added = 0
        for (index, candidate) in try JSONDecoder().decode([Candidate].self, from: json).enumerated() {
            do {
                try store.save(try candidate.result.get(), commit: false)
                added += 1
            } catch { show("event \(index + 1) not added: \(error)") }
        }
        try store.commit()
        show("\(added) events added")
    }

    private static func list(_ store: EventStore, _ from: Date, _ to: Date, _ isJSON: Bool) throws {
        for problem in try store.problems() { show("warning: \(problem)", to: .standardError) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for occurrence in try store.occurrences(matching: try store.predicate(from: from, to: to)) {
            let (start, end) = (
                store.timeZone.civilTime(at: occurrence.start), store.timeZone.civilTime(at: occurrence.end)
            )
            if isJSON {
                let line = [
                    "title": occurrence.event.title, "start": occurrence.start.property, "end": occurrence.end.property,
                    "local": occurrence.originalStart.description,
                ]
                print(String(decoding: try encoder.encode(line), as: UTF8.self))
            } else if occurrence.event.isAllDay {
                show("\(start.date)           \(occurrence.event.title)")
            } else {
                show(
                    "\(start) – \(start.date == end.date ? String(end.description.suffix(8)) : end.description)  \(occurrence.event.title)"
                )
            }
        }
    }
}
