from kit import *


@container("letters-media-cache", "com.example.letters", "An end-to-end encrypted messenger (Swift, SQLite); the server deletes media after delivery")
def letters(c):
    c.common()
    A = "Library/Application Support/"
    rows, msgs = [], []
    for i, age in enumerate(c.human(26, 210)):
        u, chat = c.uuid("att", i), c.uuid("chat", i % 5)
        data = c.rng("enc", i).randbytes(6000 + 611 * (i % 7))
        size = [180, 2400, 640, 9100][i % 4] * KB + 313 * i
        c.f(A + "MediaCache/%s/%s/%s.enc" % (chat, u[:2], u), data, age, size=size)
        rows.append((u, chat, "MediaCache/%s/%s/%s.enc" % (chat, u[:2], u), c.rng("key", i).randbytes(32), sha256(data), ["image/jpeg", "video/mp4", "audio/ogg", "image/heic"][i % 4],
                     "https://drop.example.org/v2/blob/" + c.hex(32, i), c.ms(age) + 14 * D * 1000, c.ms(age + 3), i % 3 == 0))
    for i, age in enumerate(c.human(160, 210)):
        msgs.append((c.uuid("m", i), c.uuid("chat", i % 5), i % 2, c.ms(age), ["on my way", "did you see the heron again", "photo from the lock gates", "ok, tuesday then", "call me when you are up"][i % 5]))
    c.f(A + "letters.sqlite", db([
        "CREATE TABLE message(id TEXT PRIMARY KEY, chat TEXT, outgoing INTEGER, sent_at INTEGER, body TEXT)",
        "CREATE TABLE attachment(id TEXT PRIMARY KEY, chat TEXT, path TEXT, key BLOB NOT NULL, plaintext_digest TEXT, mime TEXT, remote_url TEXT, remote_expires_at INTEGER, acknowledged_at INTEGER, outgoing INTEGER)",
        "CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT)",
        ("INSERT INTO note VALUES (?, ?)", [(1, "remote_expires_at: the relay keeps a blob 14 days, and deletes it once acknowledged_at is set")]),
        "CREATE TABLE ratchet_session(peer TEXT PRIMARY KEY, state BLOB, updated_at INTEGER)",
        ("INSERT INTO message VALUES (?,?,?,?,?)", msgs), ("INSERT INTO attachment VALUES (?,?,?,?,?,?,?,?,?,?)", rows),
        ("INSERT INTO ratchet_session VALUES (?,?,?)", [(c.uuid("chat", i), c.rng("st", i).randbytes(120), c.ms("2h")) for i in range(5)])], user_version=41), "50m")
    for i, age in enumerate(c.human(7, 20)):
        url = "https://news.example.org/story/%d" % (4000 + i)
        c.f(A + "Previews/%s.json" % sha1(url), js({"url": url, "og:title": "Story %d" % i, "og:image": url + "/lead.jpg", "fetchedAt": c.iso(age), "ttl": 604800}), age)
        c.f(A + "Previews/%s.jpg" % sha1(url), jpeg(240, 160, ("prev", i)), age - 1)
    for i in range(5):
        c.f(A + "Trace/letters%s.log" % ("" if i == 0 else ".%d" % i), logtext(c, "%dh" % (1 + 9 * i), 60, "Net"), "%dh" % (1 + 9 * i))
    c.f("Library/Caches/compose/unsent.json", js({"drafts": [{"chat": c.uuid("chat", 2), "text": "I have thought about what you said on the ferry, and", "updatedAt": c.iso("3h"), "sent": False},
                                                            {"chat": c.uuid("chat", 4), "text": "The key is under the third", "updatedAt": c.iso("26h"), "sent": False}]}), "3h")
    c.prefs({"readReceipts": False, "passcodeEnabled": True, "lastBackupReminder": c.date("12d")})
    c.label(A + "MediaCache/**", "user", "Encrypted attachments whose keys are in the table attachment; the relay has deleted them (remote_expires_at, acknowledged_at).")
    c.label(A + "letters.sqlite", "user", "Messages and ratchet state that only this device has.")
    c.label(A + "Previews/**", "regenerable", "Link previews with url, fetchedAt and ttl; named by SHA-1 of the address.")
    c.label(A + "Trace/**", "log", "Rotated text logs with levels.")
    c.label("Library/Caches/compose/unsent.json", "loss", "Unsent drafts of messages in a directory that no backup has.")


@container("voice-downloads", "com.example.downloadsrecorder", "A voice recorder in Flutter that keeps its recordings in a folder called downloads")
def voice(c):
    c.common()
    rows = []
    titles = ["Lecture tidal power", "Interview harbour master", "Idea for chorus", "Doctor's instructions", "Birds at five", "Meeting minutes", "Reading aloud", "Grandfather on the war"]
    for i, age in enumerate(c.human(15, 150)):
        sec, size = 60 + 97 * (i % 9), int((1.1 + .7 * (i % 5)) * MB) + 17 * i
        n = "rec_%s.m4a" % c.day(age, "%Y%m%d_%H%M%S")
        c.f("Documents/downloads/" + n, mp4(sec, size, int(c.at(age)) - sec, audio=True, tags={"nam": titles[i % 8], "too": "com.example.downloadsrecorder 3.1 (microphone)"}), age, size=size)
        rows.append((i + 1, n, titles[i % 8], sec, c.ms(age), "mic", "the transcript of %s was corrected by hand" % titles[i % 8] if i % 3 == 0 else None, i % 4 == 0))
    c.f("Documents/downloads.db", db(["CREATE TABLE recordings (id INTEGER PRIMARY KEY, file TEXT NOT NULL, title TEXT, duration INTEGER, recorded_at INTEGER, input TEXT, transcript TEXT, favourite INTEGER)",
        "CREATE TABLE android_metadata (locale TEXT)", ("INSERT INTO recordings VALUES (?,?,?,?,?,?,?,?)", rows)], user_version=6), "9h")
    c.f("tmp/take/flutter_sound_%s.wav" % c.hex(8, "x"), wav(31 * MB, "take", info={"ISFT": "com.example.downloadsrecorder", "ICRD": c.day("2d")}), "2d1h", size=31 * MB)
    c.f("tmp/take/pending.json", js({"state": "recorded, not saved: storage was full", "file": "flutter_sound_%s.wav" % c.hex(8, "x"), "title": "Choir rehearsal, whole evening", "recordedAt": c.iso("2d1h"), "duration": 368}), "2d1h")
    for n, a in (("NotoSans", 1), ("NotoSerif", 2)):
        c.f("Library/Application Support/google_fonts/%s_%s.ttf" % (n, sha256(n)), ttf(n.replace("Noto", "Noto "), "SIL Open Font License 1.1", n, "GOOG"), "40d1h%ds" % a)
    c.f("Library/Application Support/assets/vosk-small-en/am/final.mdl", b"\0B<TransitionModel> <TopologyEntry> " + c.rng("mdl").randbytes(900), "33d", size=15 * MB)
    c.f("Library/Application Support/assets/vosk-small-en/conf/model.conf", "--sample-frequency=16000\n--beam=13.0\n", "33d")
    c.f("Library/Application Support/assets/vosk-small-en/README", "Downloaded from https://models.example.org/vosk/vosk-small-en.zip\nsha256 " + sha256("vosk") + "\n", "33d")
    c.f("Library/Application Support/assets/vosk-small-en.zip.part", b"PK\3\4" + c.rng("part").randbytes(3000), "33d1h", size=9 * MB)
    c.prefs({"flutter.quality": "high", "flutter.folder": "downloads", "flutter.onboarded": True})
    c.label("Documents/downloads/**", "user", "Recordings of the microphone: creation dates in mvhd, rows in recordings with input=mic.")
    c.label("Documents/downloads.db", "user", "Titles and hand-corrected transcripts of the recordings; no address in it.")
    c.label("tmp/take/*.wav", "loss", "A recording that pending.json says was not saved elsewhere, in tmp.")
    c.label("Library/Application Support/google_fonts/*", "regenerable", "Fonts fetched by google_fonts, named by family and digest.")
    c.label("Library/Application Support/assets/*.part", "temp", "Partial download beside its finished, unpacked form.")
    c.label("Library/Application Support/assets/vosk-small-en/**", "regenerable", "Speech model with the address it was downloaded from and its digest.")


@container("sketchbook-assets", "com.example.sketchassets", "A drawing app (Swift) with layers in asset folders and a shop of brush packs")
def sketch(c):
    c.common()
    for i, age in enumerate(c.human(8, 120)):
        b = "Documents/assets/%s/" % c.uuid("doc", i)
        for k in range(2 + i % 3):
            c.f(b + "layers/%d.png" % k, png(256, 192, (c.name, i, k), palette=k == 0, alpha=True, text={"Software": "SketchAssets 5.2", "Layer": "Ink" if k else "Paper"}), age - k * 1200)
        c.f(b + "strokes.json", js({"canvas": [2048, 1536], "undo": 14, "strokes": [{"tool": "ink", "w": 3.5, "pts": [[c.rng(i, q).randrange(2048), c.rng(i, q, 1).randrange(1536), .4] for q in range(60)]} for _ in range(3)], "modified": c.iso(age - 9000)}), age - 9000)
        c.f(b + "preview.jpg", jpeg(320, 240, ("pv", i)), age - 9002)
    for i, (n, day) in enumerate((("charcoal-set", 50), ("wet-ink", 50), ("halftones", 17))):
        b, ages = "Documents/My Brushes/%s/" % n, c.burst(8, "%dd3h" % day)
        files = {"tip%d.png" % k: png(96, 96, (n, k)) for k in range(6)}
        c.f(b + "manifest.json", js({"id": n, "version": "1.%d.0" % i, "baseUrl": "https://packs.example.com/brushes/%s/" % n, "downloadedAt": c.iso(ages[0]), "files": [{"name": k, "bytes": len(v), "sha256": sha256(v)} for k, v in files.items()]}), ages[0])
        c.f(b + ".etag", '"%s"' % c.hex(32, n), ages[1])
        for k, (fn, v) in enumerate(files.items()): c.f(b + fn, v, ages[2 + k])
    for i, age in enumerate(c.human(4, 80, key="own")):
        c.f("Documents/remote/brush-%d.json" % (i + 1), js({"name": ["Reed", "Old marker", "Scraper", "Fog"][i], "author": "me", "basedOn": None, "spacing": .12, "jitter": .3, "tip": "data:image/png;base64," + __import__("base64").b64encode(png(32, 32, ("own", i))).decode(), "createdAt": c.iso(age), "uploaded": False}), age)
    c.f("Documents/cache.plist", archive({"$class": "SKPalette", "name": "Harbour in fog", "colors": ["#2e3b44", "#8aa1ab", "#d9d3c3", "#b4552d"], "madeBy": "user", "edited": c.iso("4d")}), "4d")
    c.prefs({"pencilOnly": True, "lastBrush": "Reed"})
    c.label("Documents/assets/*/preview.jpg", "open", "A preview that the app makes from the layers; small and part of the document.")
    c.label("Documents/assets/**", "user", "Layers and strokes of drawings, written at human intervals; nothing names a server.")
    c.label("Documents/My Brushes/**", "regenerable", "Packs with manifest (baseUrl, digests that match) and .etag, written within seconds.")
    c.label("Documents/remote/*", "user", "Brushes that the user made: author me, uploaded false.")
    c.label("Documents/cache.plist", "user", "Keyed archive of a palette that the user made.")


@container("terminal-remote-cache", "com.example.remotecache", "An SSH terminal called Remote Cache with a local shell home and copies of remote files being edited")
def terminal(c):
    c.common()
    A = "Library/Application Support/"
    c.f("Documents/home/.ssh/known_hosts", "build.example.org ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI%s\n" % c.hex(40, 1), "30d")
    c.f("Documents/home/.ssh/config", "Host build\n  HostName build.example.org\n  User dev\n  ForwardAgent no\n", "61d")
    c.f("Documents/home/.bash_history", "\n".join(["ls -la", "vim deploy.sh", "git log --oneline", "scp report.csv build:", "make test"] * 30) + "\n", "8h")
    c.f("Documents/home/tmp/deploy.sh", "#!/bin/sh\nset -e\nrsync -a site/ build:/srv/www/\necho done\n", "14d")
    c.f("Documents/home/tmp/report.csv", "day,visits\n" + "".join("%s,%d\n" % (c.day("%dd" % (30 - i)), 100 + i * 7) for i in range(30)), "6d")
    for i, age in enumerate(c.human(6, 60)):
        c.f("Documents/home/downloads/session-%s.cast" % c.day(age, "%Y%m%d-%H%M"), json.dumps({"version": 2, "width": 100, "height": 30, "timestamp": int(c.at(age)), "title": "kept by the user: migration %d" % i}) + "\n" + "".join('[%.2f, "o", "$ step %d\\r\\n"]\n' % (k * .8, k) for k in range(80)), age)
    for i, (n, age) in enumerate((("nginx.conf", "5h"), ("crontab.txt", "3d"), ("motd", "9d"))):
        c.f(A + "remote/build.example.org/etc/%s" % n, "# edited on the phone\n" + "setting_%d on;\n" % i * 40, age)
    c.f(A + "remote/index.json", js([{"path": "/etc/nginx.conf", "openedFrom": "build.example.org", "baseHash": sha1("a"), "localHash": sha1("b"), "dirty": True, "uploadState": "waiting: host unreachable", "editedAt": c.iso("5h")},
                                     {"path": "/etc/crontab.txt", "openedFrom": "build.example.org", "dirty": True, "uploadState": "conflict", "editedAt": c.iso("3d")},
                                     {"path": "/etc/motd", "openedFrom": "build.example.org", "dirty": True, "uploadState": "waiting: host unreachable", "editedAt": c.iso("9d")}], 1), "5h")
    c.f(A + "ServerCache.sqlite", db(["CREATE TABLE host (id TEXT PRIMARY KEY, label TEXT, address TEXT, port INTEGER, username TEXT, key_ref TEXT, created_by TEXT, created_at INTEGER)",
        "CREATE TABLE snippet (id INTEGER PRIMARY KEY, title TEXT, command TEXT, used INTEGER)", "CREATE TABLE port_forward (id INTEGER PRIMARY KEY, host TEXT, local INTEGER, remote INTEGER)",
        ("INSERT INTO host VALUES (?,?,?,?,?,?,'user',?)", [(c.uuid("h", i), n, n + ".example.org", 22, "dev", "keychain:%d" % i, c.ms("%dd" % (90 - i * 9))) for i, n in enumerate(["build", "web", "nas", "pi", "relay"])]),
        ("INSERT INTO snippet(title, command, used) VALUES (?,?,?)", [("disk", "df -h | sort", 41), ("tail", "journalctl -fu site", 12)])]), "7h")
    for i in range(9):
        c.f(A + "Output/out-%03d.txt" % i, logtext(c, "%dd" % (9 - i), 90, "libssh2", ("kex algorithms negotiated", "channel 0 open", "window change 100x30", "keepalive sent", "recv EAGAIN")), "%dd" % (9 - i))
    for i, n in enumerate(("solarized", "gruvbox", "tomorrow")):
        c.f(A + "Themes/%s.json" % n, js({"name": n, "source": "https://themes.example.com/v1/%s.json" % n, "etag": c.hex(16, n), "fetchedAt": c.iso("22d"), "palette": ["#%s" % c.hex(6, n, k) for k in range(16)]}), c.burst(3, "22d2h")[i])
    c.prefs({"theme": "gruvbox", "fontSize": 13, "bell": False})
    c.label("Documents/home/.ssh/**", "state", "The user's own ssh configuration and known hosts.")
    c.label("Documents/home/**", "user", "The home of the local shell: history, scripts, recorded sessions that the user kept.")
    c.label(A + "remote/**", "user", "Edits of remote files that index.json calls dirty and not uploaded.")
    c.label(A + "ServerCache.sqlite", "user", "Hosts and snippets that the user entered (created_by user).")
    c.label(A + "Output/*", "log", "Debug output of the SSH library, numbered text with levels.")
    c.label(A + "Themes/*", "regenerable", "Themes of a catalogue with source, etag and fetchedAt.")


@container("reader-temp-imports", "com.example.pagelibrary", "An e-book reader: imported books in Library/temp, books of a shop under a plain name")
def reader(c):
    c.common()
    words = ["The Low Harbour", "Salt Accounts", "A Winter of Locks", "Weir and Mole", "Notes on Ice"]
    for i, age in enumerate(c.human(7, 300)):
        if i % 3 == 2:
            c.f("Documents/temp/scan of %s.pdf" % words[i % 5].lower(), pdf(["Chapter %d" % i, "scanned pages"], "Example Scanner 2.0", title=words[i % 5], box_=(0, 0, 612, 792)), age, size=(4 + i) * MB)
        else:
            c.f("Documents/temp/%s (%d).epub" % (words[i % 5], i), epub(words[i % 5], "Unknown", "urn:uuid:" + c.uuid("e", i, lower=True), date=(2021 + i % 4, 2, 3, 4, 5, 6)), age)
    shop = []
    for i, age in enumerate(c.burst(9, "26d4h", 5)):
        u = "https://shop.example.com/opds/acquire/%d.epub" % (7000 + i)
        data = epub("Tales, volume %d" % i, "Example House", "urn:isbn:97800000%05d" % i, source=u)
        c.f("Documents/bundle42/%d.epub" % (7000 + i), data, age)
        c.f("Documents/bundle42/%d.jpg" % (7000 + i), jpeg(300, 450, ("cover", i)), age - .3)
        shop.append({"id": 7000 + i, "title": "Tales, volume %d" % i, "acquisition": u, "rel": "http://opds-spec.org/acquisition/open-access", "bytes": len(data), "md5": md5(data), "etag": c.hex(20, i), "file": "bundle42/%d.epub" % (7000 + i), "downloadedAt": c.iso(age)})
    c.f("Documents/bundle42/index.json", js({"feed": "https://shop.example.com/opds/shelf", "updated": c.iso("26d"), "entries": shop}, 1), "26d3h")
    c.f("Library/Application Support/{B}/remote.sqlite", coredata({"Annotation": {"book": "VARCHAR", "cfi": "VARCHAR", "text": "VARCHAR", "color": "INTEGER", "created": "TIMESTAMP"}, "Position": {"book": "VARCHAR", "progress": "FLOAT", "opened": "TIMESTAMP"}},
        {"Annotation": [("%s (%d).epub" % (words[i % 5], i % 5), "/6/4[c1]!/4/%d" % i, "why does nobody speak here? compare p. %d" % i, i % 4, c.apple(a)) for i, a in enumerate(c.human(40, 200))],
         "Position": [(w, .1 * i, c.apple("%dd" % i)) for i, w in enumerate(words)]}), "1d2h")
    c.f("Library/Application Support/{B}/Search/fts.db", db(["CREATE VIRTUAL TABLE pages USING fts5(book, body)", ("INSERT INTO pages VALUES (?,?)", [("bundle42/%d.epub" % (7000 + i), "water rose over the steps weir lamps " * 30) for i in range(9)])]), "25d")
    c.f("Documents/Inbox/catalogue.pdf", pdf(["Sent by mail"], "Example Mail"), "11m")
    c.prefs({"font": "Serif", "size": 17, "night": False})
    c.label("Documents/temp/**", "user", "Books imported one by one over months (scans, own identifiers), known to no catalogue.")
    c.label("Documents/bundle42/**", "regenerable", "index.json lists the acquisition address, digest and etag of each book.")
    c.label("Library/Application Support/{B}/remote.sqlite", "user", "Annotations and positions that the reader wrote.")
    c.label("Library/Application Support/{B}/Search/fts.db", "regenerable", "Only a full-text index over books on this device.")
    c.label("Documents/Inbox/*", "open", "Just arrived from another app.")


@container("darkroom-originals", "com.example.darkroom", "A photo editor with its own camera; the originals are excluded from backup and exist nowhere else")
def darkroom(c):
    c.common()
    A = "Library/Application Support/Originals/"
    rows = []
    for i, age in enumerate(c.human(14, 90)):
        n = "DR%04d" % (i + 31)
        when = c.day(age, "%Y:%m:%d %H:%M:%S")
        tiff = exif(when=when, gps=(53.2 + i / 90, 8.1 + i / 70), software="Darkroom Camera 2.4")
        if i % 4 == 3: c.f(A + n + ".HEIC", heic(("d", i), tiff), age, size=1900 * KB + i * 777)
        else: c.f(A + n + ".JPG", jpeg(640, 480, ("d", i), tiff), age, size=3100 * KB + i * 999)
        c.f("Documents/cache/%s.edit.json" % n, js({"original": n, "crop": [0, .1, 1, .8], "exposure": round(.1 * i - .5, 2), "mask": {"brush": [[.1, .2], [.3, .4]]}, "editedAt": c.iso(age - 5000), "rating": i % 6}), age - 5000)
        rows.append((n, "in-app camera", 0, c.ms(age), when))
    c.exclude("Library/Application Support/Originals")
    c.f("Documents/library.db", db(["CREATE TABLE photo (name TEXT PRIMARY KEY, source TEXT, saved_to_photo_library INTEGER, taken_at INTEGER, exif_date TEXT)", "CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT)", "CREATE TABLE sync_state (k TEXT, v TEXT)",
        ("INSERT INTO photo VALUES (?,?,?,?,?)", rows), ("INSERT INTO sync_state VALUES (?,?)", [("cloud", "off"), ("account", "none")])]), "20h")
    for i, n in enumerate(("kodachrome-like", "agfa-like", "bleach", "tungsten", "mono-60", "cross", "faded", "noir")):
        cube = "TITLE \"%s\"\n# Downloaded from https://luts.example.com/v3/%s.cube  etag %s\nLUT_3D_SIZE 4\n" % (n, n, c.hex(16, n)) + "".join("%.4f %.4f %.4f\n" % (a / 3, b / 3, d / 3) for a in range(4) for b in range(4) for d in range(4))
        c.f("Documents/My Looks/%s.cube" % n, cube, c.burst(8, "44d1h")[i])
    c.f("Documents/My Looks/catalog.json", js({"endpoint": "https://luts.example.com/v3/", "version": 118, "expires": c.iso("40d"), "items": ["kodachrome-like", "agfa-like", "bleach", "tungsten", "mono-60", "cross", "faded", "noir"]}), "44d1h")
    c.f("Library/Application Support/Proofs/render-cache.dat", c.rng("r").randbytes(4000), "2d", size=60 * MB)
    c.exclude("Library/Application Support/Proofs/render-cache.dat")
    c.f("Library/Application Support/Proofs/render-cache.json", js({"data": "render-cache.dat", "slots": [{"original": "DR%04d" % (i + 31), "editHash": c.hex(16, "slot", i), "offset": i * 4 * MB, "renderedAt": c.iso("2d")} for i in range(14)], "note": "rebuilt from the edits if missing"}), "2d", excluded=True)
    c.prefs({"rawEnabled": False, "saveToPhotoLibrary": False})
    c.label(A + "**", "loss", "Photographs of the app's own camera (EXIF Software), source in-app camera, saved_to_photo_library 0, no cloud; excluded from backup.")
    c.label("Documents/cache/*", "user", "Edits with crops, masks and ratings at human times.")
    c.label("Documents/library.db", "user", "Which photographs and albums there are.")
    c.label("Documents/My Looks/**", "regenerable", "LUTs of a catalogue: endpoint, version, expiry, address and etag in each.")
    c.label("Library/Application Support/Proofs/*", "regenerable", "Rendered proofs that the app rebuilds from the edits, correctly excluded.")


@container("scanner-tmp-scans", "com.example.papertemp", "A document scanner whose pages are in Documents/tmp_scans (Xamarin)")
def scanner(c):
    c.common()
    ents = []
    for i, age in enumerate(c.human(9, 180)):
        for p in range(1 + i % 3):
            c.f("Documents/tmp_scans/scan_%04d_%d.jpg" % (i + 1, p), jpeg(480, 640, ("scan", i, p), exif(make="Apple", model="iPhone 14", when=c.day(age, "%Y:%m:%d %H:%M:%S"), software="PaperTemp 9")), age - p * 14)
        ents.append((i + 1, ["Invoice heating", "Lease", "Vaccination card", "Receipt bicycle", "Letter from school", "Warranty", "Tax 2025", "Recipe card", "Passport copy"][i], 1 + i % 3, c.day(age, "%Y-%m-%dT%H:%M:%S"), "recognised text of page one, total 48.20", "camera"))
        if i % 2 == 0:
            c.f("Documents/export.cache/%s.pdf" % ents[-1][1], pdf([ents[-1][1]], "PaperTemp 9 (iOS Quartz)", title=ents[-1][1], jpg=jpeg(640, 480, ("scan", i))), age - 300)
    c.f("Documents/tmp_scans.db3", db(["CREATE TABLE \"ScanDocument\" (\"Id\" integer primary key autoincrement not null, \"Title\" varchar, \"Pages\" integer, \"ScannedAt\" varchar, \"OcrText\" varchar, \"Source\" varchar)",
        "CREATE TABLE \"Tag\" (\"Id\" integer primary key not null, \"Name\" varchar)", ("INSERT INTO ScanDocument VALUES (?,?,?,?,?,?)", ents), ("INSERT INTO Tag VALUES (?,?)", [(1, "2025"), (2, "house")])]), "1d3h")
    ages = c.burst(4, "71d5h", 9)
    for i, l in enumerate(("deu", "eng", "osd")):
        c.f("Library/Data/%s.traineddata" % l, struct.pack("<I", 24) + c.rng(l).randbytes(2000), ages[i], size=(4 + i * 3) * MB)
    c.f("Library/Data/files.json", js({"base": "https://ocr.example.org/tessdata_fast/4.1.0/", "files": {l + ".traineddata": {"sha256": sha256(l), "bytes": (4 + i * 3) * MB} for i, l in enumerate(("deu", "eng", "osd"))}, "checked": c.iso("71d")}), ages[3])
    for i in range(6): c.f("Documents/.crop-%s.tmp" % c.hex(6, i), jpeg(160, 120, ("crop", i))[:1500 + i * 90], "%dd" % (i * 6 + 3))
    c.f("Library/.config/.mono/certs/new-certs.log", logtext(c, "80d", 12, "mono"), "80d")
    c.prefs({"pdfQuality": 2, "autoCrop": True})
    c.label("Documents/tmp_scans/*", "user", "Scans taken with the camera (EXIF) over months, listed with source camera.")
    c.label("Documents/tmp_scans.db3", "user", "Titles, tags and text of the scans.")
    c.label("Documents/export.cache/*", "user", "PDF documents that the app made from scans at the user's wish.")
    c.label("Documents/.crop-*.tmp", "temp", "Hidden, truncated intermediate pictures left after cropping.")
    c.label("Library/Data/**", "regenerable", "OCR languages with base address and digests, written within a minute.")
    c.label("Library/.config/.mono/certs/new-certs.log", "log", "Log of the runtime.")


@container("trails-maps-recorded", "com.example.trailmaps", "A hiking recorder: tracks under Documents/maps, tiles under My Areas (Kotlin Multiplatform)")
def trails(c):
    c.common()
    rows = []
    for i, age in enumerate(c.human(14, 260)):
        n = "map_%s" % c.hex(8, i)
        c.f("Documents/maps/recorded/%s.gpx" % n, gpx(c, age, i, "TrailMaps 3 (recorded)"), age)
        rows.append((n, "Walk %d" % i, c.ms(age + 7000), c.ms(age), 8400 + i * 331, "rainy, met the ferryman" if i % 3 == 0 else None))
        if i % 4 == 0: c.f("Documents/maps/recorded/%s-1.jpg" % n, jpeg(480, 360, ("trail", i), exif(when=c.day(age, "%Y:%m:%d %H:%M:%S"), gps=(53.3, 8.4))), age - 200)
    c.f("Library/Application Support/databases/tiles.db", db(["CREATE TABLE recorded_track (id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, started_at INTEGER, ended_at INTEGER, metres INTEGER, remark TEXT)", "CREATE TABLE waypoint (id INTEGER PRIMARY KEY, lat REAL, lon REAL, title TEXT)",
        ("INSERT INTO recorded_track VALUES (?,?,?,?,?,?)", rows), ("INSERT INTO waypoint VALUES (?,?,?,?)", [(i, 53.1 + i / 40, 8.2, "spring %d" % i) for i in range(8)])], user_version=4), "2d2h")
    ages = iter(c.burst(60, "35d6h", .3))
    for z, x, y in [(12, 2140 + i % 4, 1320 + i // 4) for i in range(16)] + [(13, 4280 + i % 5, 2640 + i // 5) for i in range(25)]:
        c.f("Documents/My Areas/Ammerland/%d/%d/%d.png" % (z, x, y), png(128, 128, (z, x, y)), next(ages))
    c.f("Documents/My Areas/Ammerland/area.json", js({"template": "https://tiles.example.org/outdoor/{z}/{x}/{y}.png", "minzoom": 12, "maxzoom": 13, "bounds": [8.1, 53.1, 8.4, 53.3], "complete": True, "finishedAt": c.iso("35d6h")}), next(ages))
    c.f("Library/Application Support/elevation/N53E008.hgt", c.rng("hgt").randbytes(2000), "35d", size=1201 * 1201 * 2)
    c.f("Library/Application Support/elevation/N53E008.hgt.headers", js(headers(c, "35d", "https://dem.example.org/srtm3/N53E008.hgt", c.hex(12, "hgt"), "application/octet-stream")), "35d")
    c.f("Documents/maps/active.partial.gpx", gpx(c, "40m", 99, "TrailMaps 3 (recording)"), "40m")
    c.prefs({"units": "metric", "autoPause": True})
    c.label("Documents/maps/recorded/**", "user", "Recorded tracks with heart rates and own pictures over months.")
    c.label("Documents/maps/active.partial.gpx", "user", "The track that is being recorded.")
    c.label("Library/Application Support/databases/tiles.db", "user", "Table of recorded tracks with remarks, and waypoints; no tile in it.")
    c.label("Documents/My Areas/**", "regenerable", "z/x/y tiles with the template of their server in area.json, written within a minute.")
    c.label("Library/Application Support/elevation/**", "regenerable", "Elevation file with response headers beside it.")


@container("journal-imagepicker", "com.example.dayjournal", "A diary in React Native: entries in AsyncStorage, pictures left where the picker put them")
def journal(c):
    c.common(urlcache=False)
    S = "Library/Application Support/{B}/RCTAsyncLocalStorage_V1/"
    man, entries = {}, []
    for i, age in enumerate(c.human(22, 200)):
        pic = None
        if i % 2:
            u = c.uuid("pic", i)
            pic = "file:///var/mobile/Containers/Data/Application/%s/Library/Caches/ImagePicker/%s.jpg" % (c.uuid("app"), u)
            c.f("Library/Caches/ImagePicker/%s.jpg" % u, jpeg(480, 360, ("j", i), exif(when=c.day(age, "%Y:%m:%d %H:%M:%S"), software="26.1")), age)
        e = {"id": i, "date": c.iso(age), "mood": i % 5, "text": "Slept badly, walked to the mole before breakfast. " * (1 + i % 6), "photo": pic, "photoSource": "camera" if pic else None}
        key = "@journal:entry:%d" % i
        v = json.dumps(e)
        if len(v) > 1024: raise SystemExit("entry too long")
        man[key] = v if len(v) < 260 else None
        if len(v) >= 260: c.f(S + md5(key), v, age)
    man["@journal:streak"] = "12"
    c.f(S + "manifest.json", js(man), "11h")
    ages = c.burst(4, "19d1h")
    for i, p in enumerate(("evening", "gratitude", "travel")):
        c.f("Documents/prompts-%s.json" % p, js({"data": [{"id": "%s-%d" % (p, k), "attributes": {"text": "What did you hear today? (%d)" % k}} for k in range(40)], "meta": {"etag": c.hex(16, p), "fetchedAt": c.iso(ages[i]), "ttl": 86400}, "links": {"self": "https://api.example.com/prompts?pack=%s&page=1" % p, "next": "https://api.example.com/prompts?pack=%s&page=2" % p}}), ages[i])
    c.f("Documents/main.jsbundle.log", logtext(c, "8h", 50, "ReactNativeJS"), "8h")
    c.prefs({"RCTI18nUtil_allowRTL": True, "reminder": "21:30"})
    c.label("Library/Caches/ImagePicker/*", "loss", "Pictures of the camera that entries point to by path; no other copy, and Caches is not in backups.")
    c.label(S + "**", "user", "Values of AsyncStorage: diary entries.")
    c.label("Documents/prompts-*.json", "regenerable", "Answers of an API with etag, ttl and page links.")
    c.label("Documents/main.jsbundle.log", "log", "Log of the JavaScript side with levels.")
