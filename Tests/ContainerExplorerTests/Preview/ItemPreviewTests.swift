import AppContainer
import ContainerExplorer
import Dispatch
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Previews of items", .timeLimit(.minutes(60))) struct ItemPreviewTests {
    /// Files of every format, by programs that know nothing of this package.
    private static let files = """
        import io, json, os, plistlib, sqlite3, struct, sys, wave
        from PIL import Image
        os.chdir(sys.argv[1])
        picture = Image.new('RGB', (40, 30), (1, 2, 3))
        tags = Image.Exif()
        tags[0x010f], tags[0x0110] = 'Maker', 'Model 7'
        tags.get_ifd(0x8769)[0x9003] = '2024:05:01 12:00:00'
        tags.get_ifd(0x8825)[2] = (48.0, 1.0, 2.0)
        for name in ['a.jpg', 'a.png', 'a.webp', 'a.tiff']: picture.save(name, exif=tags)
        for name in ['a.gif', 'a.bmp']: picture.save(name)
        picture.save('lossless.webp', lossless=True)
        def box(name, content): return struct.pack('>I', 8 + len(content)) + name + content
        def full(name, content, version=0): return box(name, bytes([version, 0, 0, 0]) + content)
        exif = tags.tobytes()
        exif = exif[6:] if exif.startswith(b'Exif') else exif
        def heic(offset):
            item = full(b'infe', struct.pack('>HH', 1, 0) + b'Exif' + b'\\0', 2)
            place = full(b'iloc', bytes([0x44, 0]) + struct.pack('>HHHHII', 1, 1, 0, 1, offset, 4 + len(exif)))
            size = full(b'ispe', struct.pack('>II', 4032, 3024))
            tile = full(b'ispe', struct.pack('>II', 512, 512))
            return box(b'ftyp', b'heic' + bytes(4)) + full(b'meta', full(b'iinf', struct.pack('>H', 1) + item) + place
                + box(b'iprp', box(b'ipco', tile + size)))
        head = heic(len(heic(0)) + 8)
        open('a.heic', 'wb').write(head + box(b'mdat', bytes(4) + exif))
        sound = wave.open('a.wav', 'wb')
        sound.setnchannels(2); sound.setsampwidth(2); sound.setframerate(44100); sound.writeframes(bytes(44100 * 4 * 12))
        sound.close()
        track = box(b'trak', full(b'tkhd', bytes(72) + struct.pack('>II', 1920 << 16, 1080 << 16)) + box(b'mdia',
            full(b'hdlr', bytes(4) + b'vide' + bytes(13)) + box(b'minf', box(b'stbl', full(b'stsd', bytes(4) + box(b'hvc1', bytes(70)))))))
        movie = full(b'mvhd', bytes(8) + struct.pack('>II', 600, 7200) + bytes(80))
        title = box(b'udta', full(b'meta', box(b'ilst', box(b'\\xa9nam', box(b'data', bytes(8) + b'My film')))))
        kind, data = box(b'ftyp', b'isom' + bytes(4)), box(b'mdat', b'x' * 100)
        open('a.mp4', 'wb').write(kind + box(b'moov', movie + track + title) + data)
        open('unfinished.mp4', 'wb').write(kind + data)
        tag = b'TIT2' + struct.pack('>I', 6) + b'\\0\\0\\x03Song!' + b'TPE1' + struct.pack('>I', 4) + b'\\0\\0\\0Bob'
        open('a.mp3', 'wb').write(b'ID3\\4\\0\\0' + bytes([0, 0, 0, len(tag)]) + tag + (b'\\xff\\xfb\\x90\\0' + bytes(413)) * 766)
        info = struct.pack('>HH', 4096, 4096) + bytes(6) + struct.pack('>Q', 44100 << 44 | 1 << 41 | 441000) + bytes(16)
        open('a.flac', 'wb').write(b'fLaC' + b'\\x80' + struct.pack('>I', 34)[1:] + info)
        with open('j.json', 'w') as file:
            json.dump({'a': [1, 2.5, None], 'password': 'hunter2xYz99', 'deep': {'b': {'c': {'d': {'e': {'f': {'g': 1, 'h': 2}}}}}},
                       'long': list(range(150))}, file)
        open('cut.json', 'w').write('{"a":["x","y"')
        open('no.json', 'w').write('{ this is no JSON }')
        open('lines.json', 'w').write('{"a":1}\\n{"b":2}\\n')
        open('t.txt', 'w').write('hello\\n\\tpassword = S3cretPass99x\\ncontrol \\x1b[2J\\n')
        open('key.xml', 'w').write('<a><key>password</key><string>hunter2xYz99</string></a>')
        open('wide.txt', 'wb').write('\\u00e9 hello\\nworld\\n'.encode('utf-16'))
        open('plain-wide.txt', 'wb').write('hello world\\n'.encode('utf-16-le'))
        open('latin.txt', 'wb').write('caf\\xe9 na\\xefve text\\n'.encode('latin-1'))
        open('mark.txt', 'wb').write('\\ufeffcaf\\xe9\\n'.encode())
        open('e', 'wb').close()
        open('b', 'wb').write(bytes(range(256)) * 20)
        open('s', 'wb').write(b'\\0\\1' * 50 + b'ghp_' + b'abcdefghij0123456789KLMNOPQRSTuvwxyz' + b'\\0\\1' * 9)
        plistlib.dump({'a': [1, 'x'], 'token': 'q8Zr2Lk9Xw4Vb7NmPz6Tc1Hd', 'inner': plistlib.dumps({'k': 1}, fmt=plistlib.FMT_BINARY)},
                      open('p.plist', 'wb'), fmt=plistlib.FMT_BINARY)
        plistlib.dump({'a': 1}, open('x.plist', 'wb'))
        U = plistlib.UID
        plistlib.dump({'$archiver': 'NSKeyedArchiver', '$version': 100000, '$top': {'root': U(1)}, '$objects': ['$null',
            {'$class': U(3), 'name': U(2)}, 'hi', {'$classname': 'Book', '$classes': ['Book', 'NSObject']}]}, open('k', 'wb'),
            fmt=plistlib.FMT_BINARY)
        store = sqlite3.connect('l.sqlite')
        store.execute('create table book(id integer primary key, title text, password text)')
        store.executemany('insert into book(title, password) values(?, ?)', [('t%d' % i, 'hunter2xYz99') for i in range(20)])
        store.execute('create view v as select title from book'); store.commit(); store.close()
        """

    private static func withFiles(_ body: (_ container: Container, _ folder: URL) throws -> Void) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            try Command.setUp(
                try Command.python(), ["-c", files, folder.appending(path: "c/Documents").path], in: folder)
            try body(container, folder)
        }
    }

    private static func preview(_ name: String, in container: Container, columns: Int? = nil) -> ItemPreview {
        ItemPreview.make(of: Array("Documents/\(name)".utf8), in: container, columns: columns)
    }

    /// The lines, with two blanks for each level.
    private static func text(_ preview: ItemPreview) -> String {
        preview.lines.map { String(repeating: "  ", count: $0.depth) + $0.text }.joined(separator: "\n")
    }

    @Test("The title is the format in words, and the lines are the content", .needs(.externalProgram))
    func formats() throws {
        try Self.withFiles { container, _ throws in
            let taken = "40 × 30, taken 2024-05-01 12:00:00 with Maker Model 7"
            for (name, title, content) in [
                ("a.jpg", "JPEG picture, \(taken)", "has a location"),
                ("a.png", "PNG picture, \(taken)", "has a location"),
                ("a.webp", "WebP picture, \(taken)", "has a location"), ("lossless.webp", "WebP picture, 40 × 30", ""),
                ("a.tiff", "TIFF picture, 40 × 30", "Maker Model 7"),
                ("a.gif", "GIF picture, 40 × 30", "40 × 30 pixels"),
                ("a.bmp", "bitmap picture, 40 × 30", ""),
                ("a.heic", "HEIC picture, 4032 × 3024, taken 2024-05-01 12:00:00 with Maker Model 7", "has a location"),
                ("a.wav", "sound, WAVE, 12 s", "stereo, 44100 Hz"),
                ("a.mp4", "film, MPEG-4, 12 s", "picture, hvc1, 1920 × 1080\ntitle     My film"),
                ("unfinished.mp4", "film, MPEG-4, unfinished: without an index (moov), it cannot be played", ""),
                ("a.mp3", "sound, MPEG audio layer 3 (MP3), 20 s", "title     Song!\nartist    Bob"),
                ("a.flac", "sound, FLAC, 10 s", "stereo, 44100 Hz"),
                (
                    "j.json", "JSON, object with 4 keys",
                    "  a: [3 values]\n    [0]: 1\n    [1]: 2.5\n    [2]: null\n  password: \"<password>\""
                ), ("j.json", "JSON, object with 4 keys", "f: {… 2 keys}"),
                ("j.json", "JSON, object with 4 keys", "    … 50 more values"),
                ("cut.json", "JSON, 13 bytes", "[1]: \"y\"\nends before its last value does"),
                ("no.json", "text, ASCII, 1 line", "{ this is no JSON }"),
                ("lines.json", "JSON, 2 values", "[1]: {1 key}\n  b: 2"),
                ("t.txt", "text, ASCII, 3 lines", "hello\n    password = <password>\ncontrol \u{fffd}[2J"),
                ("key.xml", "text, ASCII, 1 line", "<string><password></string>"),
                ("wide.txt", "text, UTF-16, little-endian, 2 lines", "é hello\nworld"),
                ("plain-wide.txt", "text, UTF-16 without a byte order mark, 1 line", "hello world"),
                ("latin.txt", "text, ISO 8859-1 or similar, 1 line", "café naïve text"),
                ("mark.txt", "text, UTF-8 with a byte order mark, 1 line", "café"), ("e", "empty file", ""),
                ("b", "binary file, 5.1 KB", "00000040  40 41 42 43"), ("s", "binary file, 158 bytes", "** ** **"),
                (
                    "p.plist", "property list, binary, dictionary with 3 keys",
                    "  a: [2 values]\n    [0]: 1\n    [1]: \"x\""
                ), ("p.plist", "property list, binary, dictionary with 3 keys", "token: \"<opaque value>\""),
                ("p.plist", "property list, binary, dictionary with 3 keys", "bytes of data\n    {1 key}\n      k: 1"),
                ("x.plist", "property list, XML, dictionary with 1 key", "  a: 1"),
                (
                    "k", "keyed archive, binary, NSKeyedArchiver, version 100000, 3 objects",
                    "root: Book #1\n  name: \"hi\""
                ),
                (
                    "l.sqlite", "SQLite database, 1 table, 1 view",
                    "book, 20 rows\n  id  title  password\n  1   t0     <password>"
                ),
            ] {
                let preview = Self.preview(name, in: container)
                #expect(preview.title.hasPrefix(title), "\(name): \(preview.title)")
                #expect(content.isEmpty || Self.text(preview).contains(content), "\(name): \(Self.text(preview))")
                #expect(!Self.text(preview).contains("hunter2") && !Self.text(preview).contains("48.0"), "\(name)")
                #expect(!preview.lines.contains { $0.text.unicodeScalars.contains { $0.value < 0x20 } }, "\(name)")
            }
            #expect(Self.preview("", in: container).title == "directory, 30 items")
        }
    }

    @Test("A file of 4 GB is previewed from its first bytes, and evicted content is not read")
    func large() throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            let documents = folder.appending(path: "c/Documents").path
            for (name, start) in [
                ("a.plist", "bplist00"),
                ("b.plist", "<?xml version=\"1.0\"?><plist><dict><key>a</key><string>x</string>"),
                ("c.sqlite", "SQLite format 3\0"), ("d.json", "{\"a\": [1, 2"), ("e.jpg", "\u{fffd}"), ("f", ""),
            ] {
                try Data(start.utf8).write(to: URL(fileURLWithPath: "\(documents)/\(name)"))
                #expect(truncate("\(documents)/\(name)", 4 << 30) == 0)
            }
            try Data([0xff, 0xd8, 0xff, 0xe1]).write(to: URL(fileURLWithPath: "\(documents)/e.jpg"))
            #expect(truncate("\(documents)/e.jpg", 4 << 30) == 0)
            for (name, title) in [
                ("a.plist", "property list, binary, 4.3 GB"), ("b.plist", "text, ASCII, 4.3 GB"),
                ("c.sqlite", "SQLite database, 4.3 GB"), ("d.json", "JSON, 4.3 GB"), ("e.jpg", "JPEG picture"),
            ] {
                let preview = Self.preview(name, in: container)
                #expect(preview.title == title, "\(name): \(preview.title)")
                #expect(preview.lines.count <= 1_001)
            }
            if Platform.isLinux {
                #expect(Self.preview("f", in: container).title == "file, 4.3 GB, content not on this disk")
            }
        }
    }

    @Test("Links are not followed, special files not opened, and hostile names are escaped")
    func special() throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            let documents = folder.appending(path: "c/Documents").path
            try FileManager.default.createSymbolicLink(atPath: documents + "/l", withDestinationPath: "/etc/passwd")
            #expect(mkfifo(documents + "/fifo", 0o600) == 0)
            #expect(Self.preview("l", in: container).title == "link to /etc/passwd")
            #expect(Self.preview("l", in: container).lines.isEmpty)
            #expect(Self.preview("fifo", in: container).title == "pipe, which is not opened")
            #expect(Self.preview("nothing", in: container).title == "missing")
            #expect(ItemPreview.make(of: Array("../x".utf8), in: container).title == "unreadable")
            try folder.write("x", to: "c/Documents/d/" + String(repeating: "e\u{301}", count: 60) + "\u{1b}[2J")
            let names = Self.preview("d", in: container)
            #expect(names.title == "directory, 1 item" && names.lines.first?.text.contains("%1B[2J  1 byte") == true)
            // A character of any number of marks, and a line without an end.
            try folder.write("a" + String(repeating: "\u{301}", count: 100_000), to: "c/Documents/marks.txt")
            try folder.write(String(repeating: "漢", count: 60_000), to: "c/Documents/long.txt")
            for name in ["marks.txt", "long.txt"] {
                let lines = Self.preview(name, in: container).lines
                #expect(lines.first?.text.unicodeScalars.count == 501 && lines.first?.text.hasSuffix("…") == true)
            }
            let cancelled = ItemPreview.make(of: Array("Documents/long.txt".utf8), in: container) { true }
            #expect(cancelled.lines.isEmpty)
        }
    }

    @Test("Damaged files of every format are previewed without a failure", .needs(.externalProgram))
    func damaged() throws {
        try Self.withFiles { container, folder throws in
            let documents = folder.appending(path: "c/Documents")
            var numbers = SeededNumbers(seed: 7)
            for name in try FileManager.default.contentsOfDirectory(atPath: documents.path).sorted() {
                let content = [UInt8](try Data(contentsOf: documents.appending(path: name)))
                guard !content.isEmpty, name != "l.sqlite" else { continue }
                for round in 0..<60 {
                    var bytes = Array(content.prefix(4_096))
                    if round % 3 == 0 { bytes = Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &numbers))) }
                    for _ in 0..<(round % 5) {
                        bytes[Int.random(in: 0..<bytes.count, using: &numbers)] =
                            [0, 0xff, 0x80, 0x7f].randomElement(
                                using: &numbers) ?? 0
                    }
                    try Data(bytes).write(to: documents.appending(path: "damaged"))
                    let preview = Self.preview("damaged", in: container)
                    #expect(!preview.title.isEmpty && preview.lines.count <= 1_001, "\(name), round \(round)")
                }
            }
        }
    }

    @Test("A file that grows, shrinks, is replaced or vanishes meanwhile is previewed as it is at the moment")
    func changing() throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            let file = folder.appending(path: "c/Documents/x.json")
            let contents = [
                "{\"a\": [1, 2, 3]}", String(repeating: "{\"b\": \"text\"}\n", count: 30_000), "", "bplist00",
                "SQLite format 3\0",
            ].map { Data($0.utf8) }
            let writing = DispatchGroup()
            DispatchQueue.global().async(group: writing) {
                for round in 0..<400 {
                    switch round % 4 {
                    case 3: try? FileManager.default.removeItem(at: file)
                    case 2: try? contents[round % 5].write(to: file, options: .atomic)
                    default: try? contents[round % 5].write(to: file)
                    }
                }
            }
            var titles: Set<String> = []
            repeat {
                titles.insert(Self.preview("x.json", in: container).title)
            } while writing.wait(timeout: .now()) == .timedOut
            #expect(titles.allSatisfy { !$0.isEmpty })
            #expect(Self.preview("x.json", in: container).title == "missing")
        }
    }
}
