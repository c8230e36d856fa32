import ArgumentParser
import ContainerLifecycle
import TextOutput

/// The events of `--after`, separated by commas.
struct EventList {
    let events: [LifecycleEvent]

    /// Throws an error that lists the events.
    init(_ text: String) throws {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        events = try words.map { word in
            guard let event = LifecycleEvent(rawValue: String(word)) else {
                let all = LifecycleEvent.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError(
                    "there is no event “\(ByteText.escaped(Array(word.utf8)))”. The events are: \(all).")
            }
            return event
        }
    }
}
