import AppContainer
import Foundation
import TestSupport
import Testing

@Suite("Large property lists") struct LargeListTests {
    @Test("A list beyond 64 KiB is appended to repeatedly, and one of 17 MB is loaded")
    func append() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "log.plist"
            let (encoder, decoder) = (PropertyListEncoder(), PropertyListDecoder())
            encoder.outputFormat = .binary
            func lines(_ count: Int, _ start: Int) -> [String] {
                (start..<(start + count)).map { String(repeating: "x", count: 94) + String(1_000_000 + $0) }
            }
            var all = lines(1_000, 0)
            try container.save(all, to: place, encoder: encoder)
            for (count, start) in [(10, 1_000), (168_990, 1_010), (1, 170_000)] {
                try container.append(
                    contentsOf: lines(count, start), to: place, encoder: encoder, decoder: decoder,
                    options: .init(durability: .none))
                all += lines(count, start)
                #expect(try container.load([String].self, from: place, decoder: decoder) == all)
            }
            #expect(try container.load(place).count > 17_000_000)
        }
    }
}
