internal import FileSystem

/// Formats of what users make, import or keep, by their first bytes: games and their saved states, vaults, contacts, tracks.
///
/// An app may download such a file, too, so that a format is evidence and no proof. Sources: the iNES, RVZ, WIA, WBFS, CISO and CHD
/// headers of the emulators that define them; the headers of cartridges and discs (gbdev.io, problemkaputt.de/gbatek.htm,
/// wiibrew.org); KDBX 4 (keepass.info); the specification of age (C2SP); RFC 4880, 5545 and 6350; GPX 1.1; the FIT protocol;
/// OPML 2.0; the Standard MIDI File format.
package enum UserFormat {
    private struct Signature {
        let title: String
        let offset: Int
        let bytes: [UInt8]

        init(_ title: String, _ bytes: [UInt8], at offset: Int = 0) {
            (self.title, self.offset, self.bytes) = (title, offset, bytes)
        }
        init(_ title: String, _ text: String, at offset: Int = 0) { self.init(title, Array(text.utf8), at: offset) }
    }

    private static let game = "a game image"
    private static let state = "a saved game"
    private static let vault = "an encrypted vault"

    private static let signatures: [Signature] = [
        Signature(game, Array("NES".utf8) + [0x1a]),
        Signature(game, [0xce, 0xed, 0x66, 0x66, 0xcc, 0x0d, 0x00, 0x0b], at: 0x104),
        Signature(game, [0x24, 0xff, 0xae, 0x51, 0x69, 0x9a, 0xa2, 0x21], at: 0x04),
        Signature(game, [0x24, 0xff, 0xae, 0x51, 0x69, 0x9a, 0xa2, 0x21], at: 0xc0),
        Signature(game, [0x80, 0x37, 0x12, 0x40]),
        Signature(game, [0x37, 0x80, 0x40, 0x12]),
        Signature(game, "SEGA MEGA DRIVE", at: 0x100),
        Signature(game, "SEGA GENESIS", at: 0x100),
        Signature(game, [0xc2, 0x33, 0x9f, 0x3d], at: 0x1c),
        Signature(game, [0x5d, 0x1c, 0x9e, 0xa3], at: 0x18),
        Signature(game, Array("RVZ".utf8) + [0x01]),
        Signature(game, Array("WIA".utf8) + [0x01]),
        Signature(game, "WBFS"),
        Signature(game, "CISO"),
        Signature(game, "MComprHD"),
        Signature(game, [0x00] + Array("PBP".utf8)),
        Signature(state, "RASTATE"),
        Signature(state, "DeSmuME SState"),
        Signature(vault, [0x03, 0xd9, 0xa2, 0x9a, 0x67, 0xfb, 0x4b, 0xb5]),
        Signature(vault, "age-encryption.org/"),
        Signature(vault, "-----BEGIN PGP MESSAGE"),
        Signature("a calendar", "BEGIN:VCALENDAR"),
        Signature("contacts", "BEGIN:VCARD"),
        Signature("a recorded activity", ".FIT", at: 8),
        Signature("a piece of music", "MThd"),
        Signature("a recorded session", "{\"version\": 2, \"width\""),
        Signature("a recorded session", "{\"version\":2,\"width\""),
    ]

    /// The elements of XML that such files begin with.
    private static let elements = [
        ("<gpx", "a recorded track"), ("<TrainingCenterDatabase", "a recorded activity"),
        ("<opml", "a list of subscriptions"), ("<glyph ", "a drawn glyph"),
    ]

    /// The bytes that are looked at for the first element of XML.
    private static let beginning = 1_024

    /// Returns the format that the first bytes of a file show, as a noun with its article; nil for other files.
    package static func title(of bytes: [UInt8]) -> String? {
        if let found = signatures.first(where: { bytes.dropFirst($0.offset).starts(with: $0.bytes) }) {
            return found.title
        }
        guard bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "<") else { return nil }
        return bytes.prefix(beginning).withUnsafeBytes { start in
            elements.first { start.position(of: Array($0.0.utf8)) != nil }?.1
        }
    }
}
