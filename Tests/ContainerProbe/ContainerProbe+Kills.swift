import AppContainer
import Foundation
import SystemPackage

/// Operations without end, for tests that kill this process. Each line that is printed was done before.
extension ContainerProbe {
    /// The counters of several processes in one file, with a text that shows a torn file.
    struct Counters: Codable, Sendable, Equatable {
        var counts: [String: Int] = [:]
        var text = ""
    }

    /// Increments the counter of a name, flushes it and prints it.
    static func flushCounters(_ path: FilePath, _ item: String, name: String) throws {
        let file = try FileValue(
            ContainerPath(item), in: Container.open(path), default: Counters(), autosave: nil
        ) { _, own, other in
            Counters(counts: own.counts.merging(other.counts, uniquingKeysWith: max), text: own.text)
        }
        try say("begun")
        while true {
            let count = file.update { counters in
                counters.counts[name, default: 0] += 1
                counters.text = String(repeating: name, count: .random(in: 0..<5_000))
                return counters.counts[name] ?? 0
            }
            try file.flush()
            try say("\(count)")
        }
    }

    /// Adds files to an inbox and prints their names. The content is a multiple of the name.
    static func addToInbox(_ path: FilePath, _ directory: String, prefix: String) throws {
        let inbox = try Inbox(ContainerPath(directory), in: Container.open(path))
        try say("begun")
        for number in 0... {
            let name = "\(prefix).\(number)"
            try inbox.add(
                Data(String(repeating: "\(name) ", count: 500).utf8), named: name, options: .init(durability: .none))
            try say("added \(name)")
        }
    }

    /// Takes and finishes the files of an inbox, and prints the name of each before and after.
    static func finishInbox(_ path: FilePath, _ directory: String) throws {
        let inbox = try Inbox(ContainerPath(directory), in: Container.open(path))
        try say("begun")
        while true {
            for item in try inbox.take(limit: .random(in: 1...5)) {
                guard try item.load() == Data(String(repeating: "\(item.name) ", count: 500).utf8) else {
                    try say("torn \(item.name)")
                    continue
                }
                try say("finishing \(item.name)")
                try item.finish()
                try say("finished \(item.name)")
            }
        }
    }

    /// Writes files to a directory, as `URLSession` does, and stores them as downloads. Five of them share one name. The
    /// content is a multiple of the number.
    static func storeDownloads(_ path: FilePath, from directory: String, first: Int) throws {
        let container = try Container.open(path)
        guard let origin = URL(string: "https://example.com/film") else { throw Errno.invalidArgument }
        try say("begun")
        for number in first... {
            let file = URL(filePath: directory).appending(path: "CFNetworkDownload_\(number).tmp")
            let content = Data(String(repeating: "\(number) ", count: 2_000).utf8)
            try content.write(to: file)
            try say("ready \(number)")
            try container.store(
                downloadAt: file, named: "films/\(number % 5)", from: origin,
                checks: [.size(UInt64(content.count))])
            try say("stored \(number)")
        }
    }
}
