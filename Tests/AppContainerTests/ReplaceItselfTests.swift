import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Replacing an item with itself") struct ReplaceItselfTests {
    @Test(
        "It is refused and the item remains, also with another path",
        arguments: [("d", "d"), ("d", "way/d"), ("f", "f"), ("f", "way/f"), ("f", "twin")])
    func itself(old: String, new: String) throws {
        try withContainer { container throws in
            try container.save("kept", to: .documents / "d/x")
            try container.save("kept", to: .documents / "f")
            let folder = try container.path(.documents).string
            try FileManager.default.createSymbolicLink(atPath: folder + "/way", withDestinationPath: ".")
            try FileManager.default.linkItem(atPath: folder + "/f", toPath: folder + "/twin")
            let names = try container.list(.documents)
            let error = #expect(throws: ContainerError.self) {
                try container.replace(.documents / old, with: .documents / new)
            }
            #expect(error?.code == .notAFile)
            #expect(
                error?.description
                    == "cannot replace by itself “Documents/\(old)”: Invalid argument. "
                    + "Nothing on disk has changed.")
            #expect(try container.list(.documents) == names)
            #expect(try container.loadText(.documents / (old == "d" ? "d/x" : "f")) == "kept")
        }
    }
}
