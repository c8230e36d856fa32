import Foundation
@testable import PolicyTexts
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("PackageEvidence") struct PackageEvidenceTests {
    @Test("A file beside its entity tag or headers, and these, are validated by a server")
    func validators() throws {
        try withEvidence { fixture throws in
            for name in ["list.bin", "list.bin.etag", "terms.dat", "terms.headers", "own.bin", "lone.etag"] {
                try fixture.write("Documents/a/\(name)", text: "x")
            }
            let evidence = try fixture.evidence()
            for name in ["list.bin", "list.bin.etag", "terms.dat", "terms.headers"] {
                #expect(evidence["Documents/a/\(name)"]?["validator-beside"] == 1, "\(name)")
            }
            for name in ["own.bin", "lone.etag"] {
                let pieces = try #require(evidence["Documents/a/\(name)"])
                #expect(pieces["validator-beside"] == nil, "\(name)")
            }
        }
    }

    @Test("Files of a component have a manifest with fingerprints, or one below a version")
    func components() throws {
        try withEvidence { fixture throws in
            let base = "Library/Application Support"
            for path in [
                "one/manifest.json", "one/manifest.fingerprint", "one/list.pb", "two/_metadata/verified_contents.json",
                "two/sub/list.pb", "three/1.2.3.4/manifest.json", "three/1.2.3.4/list.pb", "four/manifest.json",
                "four/list.pb",
            ] { try fixture.write("\(base)/\(path)", text: "x") }
            let evidence = try fixture.evidence()
            func strength(_ path: String) -> Double? { evidence["\(base)/\(path)"]?["component-package"] }
            #expect(strength("one/list.pb") == 1)
            #expect(strength("two/sub/list.pb") == 1)
            #expect(strength("three/1.2.3.4/list.pb") == 0.7)
            #expect(evidence["\(base)/four/list.pb"] != nil && strength("four/list.pb") == nil)
        }
    }

    @Test("Releases with code of the same names lie beside each other; dated folders of documents do not")
    func releases() throws {
        try withEvidence { fixture throws in
            for release in ["2026.08.01-10.00.00", "2026.10.14-09.30.00"] {
                for file in ["index.html", "js/app.js", "img/1.png"] {
                    try fixture.write("Documents/www/\(release)/\(file)", text: "x")
                }
            }
            for day in ["2026.01.01", "2026.01.02"] {
                for file in ["entry.json", "photo.jpg", "sketch.png"] {
                    try fixture.write("Documents/diary/\(day)/\(file)", text: "x")
                }
            }
            try fixture.write("Documents/site/1.0/index.html", text: "x")
            let evidence = try fixture.evidence()
            for release in ["2026.08.01-10.00.00", "2026.10.14-09.30.00"] {
                #expect(evidence["Documents/www/\(release)/img/1.png"]?["release-beside-older"] == 1)
            }
            for path in ["diary/2026.01.01/entry.json", "site/1.0/index.html"] {
                let pieces = try #require(evidence["Documents/\(path)"])
                #expect(pieces["release-beside-older"] == nil, "\(path)")
            }
        }
    }
}
