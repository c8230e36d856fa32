from kit import *


@container("ships-log", "com.example.shipslog", "A logbook for sailors: the log is what the user writes; the diagnostics are called diary")
def ships(c):
    c.common()
    for i, a in enumerate(c.human(16, 210)):
        c.f("Documents/Logs/%s.log" % c.day(a), "Date %s\nWind SW %d, sea slight. Left the lock at %02d:10.\nReefed off the spit. %s\nEngine hours 1%d.4\nCrew: two, and the dog.\n" % (c.day(a), 3 + i % 4, 6 + i % 5, "Saw two porpoises, noted the buoy is off station." if i % 3 == 0 else "Nothing to report.", 40 + i), a)
        if i % 4 == 1: c.f("Documents/Logs/%s-chart.jpg" % c.day(a), jpeg(400, 300, ("chart", i), exif(when=c.day(a, "%Y:%m:%d %H:%M:%S"), gps=(53.7, 7.9))), a - 900)
    c.f("Documents/Logs/old.log", "Paper log of the first boat, typed in by hand.\n" + "".join("19%d-07-%02d  Home to the island, calm.\n" % (88 + i % 9, i + 1) for i in range(25)), "300d")
    for i in range(7): c.f("Documents/diary/%s.txt" % c.day("%dd" % i), logtext(c, "%dd" % i, 80, "NMEA", ("sentence GPRMC ok", "checksum mismatch", "socket reconnect", "ais queue 14", "bg location paused")), "%dd1h" % i)
    c.f("Library/Application Support/marks.sqlite", db(["CREATE TABLE waypoint (id INTEGER PRIMARY KEY, name TEXT, lat REAL, lon REAL, remark TEXT)", ("INSERT INTO waypoint(name,lat,lon,remark) VALUES (?,?,?,?)", [("Mooring %d" % i, 53.6 + i / 50, 7.8, "good in easterlies") for i in range(12)])]), "3d")
    ages = c.burst(40, "44d2h", .3)
    for i in range(30): c.f("Documents/Voyage/10/%d/%d.png" % (530 + i % 6, 330 + i // 6), png(128, 128, ("sea", i)), ages[i])
    c.f("Documents/Voyage/cell.json", js({"chart": "DE coast", "edition": 14, "update": 3, "server": "https://charts.example.org/raster/{z}/{x}/{y}.png", "validUntil": c.day(-90 * D), "etag": c.hex(16, "ch")}), ages[31])
    for i in range(6): c.f("Library/Application Support/tides/%d" % (100 + i), js({"station": 100 + i, "year": 2026, "source": "https://tides.example.org/api/%d" % (100 + i), "fetchedAt": c.iso("60d"), "values": [[k, 1.1 + k % 7 * .3] for k in range(200)]}), c.burst(6, "60d", 1)[i])
    c.prefs({"units": "kn", "boat": "Small sloop"})
    c.label("Documents/Logs/*", "user", "The logbook: sentences by the user at human intervals, with own pictures.")
    c.label("Documents/diary/*", "log", "Diagnostics: levels, sentences of the instruments' protocol, one text a day.")
    c.label("Library/Application Support/marks.sqlite", "user", "Waypoints with remarks.")
    c.label("Documents/Voyage/**", "regenerable", "Chart tiles with server, edition, etag; one burst.")
    c.label("Library/Application Support/tides/*", "regenerable", "Answers of a server with source and fetchedAt.")


@container("temp-logger", "com.example.temptrack", "A thermometer app: Documents/temp holds temperatures that a sensor of the user measured (Kotlin Multiplatform)")
def temperature(c):
    c.common()
    for i, a in enumerate(c.human(12, 320)):
        c.f("Documents/temp/kiln-%02d.csv" % (i + 1), "time,celsius,sensor\n" + "".join("%s,%.1f,BT-0%d\n" % (c.iso(a + 7200 - k * 60), 20 + k * 7.3, 1 + i % 2) for k in range(120)), a)
        if i % 3 == 0: c.f("Documents/temp/kiln-%02d.remark.txt" % (i + 1), "Glaze ran on the lower shelf. Next time hold ten minutes less.\n", a - 40000)
    c.f("Documents/temp/sensors.json", js({"BT-01": {"label": "top", "offset": -1.5, "calibratedByUser": c.iso("200d")}, "BT-02": {"label": "door", "offset": .7, "calibratedByUser": c.iso("200d")}, "storage": "this phone only"}), "200d")
    c.f("Documents/profiles.tmpl", js([{"name": "Cone 6 slow", "author": "me", "ramps": [[100, 120], [150, 600], [60, 1222]], "edited": c.iso("21d")}]), "21d")
    for i in range(3):
        d = c.rng("dfu", i).randbytes(3000)
        c.f("Library/Application Support/Sensors/%d.zip" % (i + 1), zipped({"manifest.json": js({"manifest": {"application": {"bin_file": "app.bin", "dat_file": "app.dat"}}}), "app.bin": d, "app.dat": d[:120]}), "%dd" % (30 + i * 40))
        c.f("Library/Application Support/Sensors/%d.zip.headers" % (i + 1), js(headers(c, "%dd" % (30 + i * 40), "https://dfu.example.com/bt0/%d.zip" % (i + 1), c.hex(12, i), "application/zip")), "%dd" % (30 + i * 40))
    for i in range(5): c.f("Library/Application Support/ble/%d" % i, "\n".join("%s I/Kable: [%02X] characteristic 0x2A6E notify %d bytes" % (c.iso("%dd" % i), k, 4 + k % 3) for k in range(100)), "%dd2h" % i)
    c.f("Documents/temp/.kiln-13.csv.%s~" % c.hex(5, "sv"), "time,celsius,sen", "44d")
    c.prefs({"unit": "C"})
    c.label("Documents/temp/.kiln-*", "temp", "Hidden, truncated leftover of a save, a month old.")
    c.label("Documents/temp/**", "user", "Measurements of the user's sensors with remarks and calibration; on this phone only.")
    c.label("Documents/profiles.tmpl", "user", "A firing profile by the user.")
    c.label("Library/Application Support/Sensors/*", "regenerable", "Firmware archives with response headers.")
    c.label("Library/Application Support/ble/*", "log", "Traces of the radio library.")


@container("household-assets", "com.example.assetbundle", "An inventory for the insurance, called Asset Bundle: assets are the user's things (React Native)")
def household(c):
    c.common()
    recs = []
    for i, a in enumerate(c.human(11, 280)):
        g = c.uuid("as", i, lower=True)
        c.f("Documents/assets/%s/photo.jpg" % g, jpeg(480, 360, ("as", i), exif(when=c.day(a, "%Y:%m:%d %H:%M:%S"), model="iPhone 12")), a)
        if i % 2: c.f("Documents/assets/%s/receipt.pdf" % g, pdf(["Receipt %d" % i], "AssetBundle scanner"), a - 200)
        c.f("Documents/assets/%s/manifest.json" % g, js({"name": ["Cello", "Lathe", "Bicycle", "Lamp", "Canoe", "Camera", "Oven", "Chest", "Radio", "Sofa", "Carpet"][i], "boughtFor": 100 + 73 * i, "serial": c.hex(8, i), "room": "attic", "createdBy": "user", "edited": c.iso(a - 300)}), a - 300)
    for i in range(2): c.f("Documents/bundle/export-%d.zip" % i, zipped({"inventory.csv": "name,value\nCello,100\n", "by.txt": "exported by the user for the insurance %d" % i}), "%dd" % (40 + 120 * i))
    c.f("Library/Application Support/{B}/RCTAsyncLocalStorage_V1/manifest.json", js({"@rooms": json.dumps(["attic", "workshop"]), "@sum": "12044", "@lastExport": c.iso("40d")}), "2d")
    dat, crc = mmkv({"https://api.example.com/categories?v=3": json.dumps({"etag": c.hex(10, 1), "fetchedAt": c.ms("9h"), "ttl": 86400, "body": ["instruments", "tools"] * 40}), "https://api.example.com/depreciation": json.dumps({"etag": c.hex(10, 2), "fetchedAt": c.ms("9h"), "ttl": 86400, "body": {"tools": .1}})})
    c.f("Documents/Valuables", dat, "9h"); c.f("Documents/Valuables.crc", crc, "9h")
    for i, a in enumerate(c.burst(24, "80d3h", .2)): c.f("Documents/Rooms/%s.svg" % c.hex(8, "svg", i), "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><!-- https://icons.example.org/set4/%d.svg --><path d='M%d 0L24 24'/></svg>" % (i, i % 24), a)
    c.f("Documents/Rooms/set.json", js({"set": 4, "base": "https://icons.example.org/set4/", "fingerprint": c.hex(40, "set")}), "80d3h")
    c.prefs({"currency": "EUR"})
    c.label("Documents/assets/**", "user", "The user's things with camera pictures, receipts and prices, over months.")
    c.label("Documents/bundle/*", "user", "Exports that the user made.")
    c.label("Library/Application Support/{B}/RCTAsyncLocalStorage_V1/*", "state", "Rooms and settings in AsyncStorage.")
    c.label("Documents/Valuables*", "regenerable", "MMKV of a server's answers by address with etag and ttl.")
    c.label("Documents/Rooms/*", "regenerable", "Icon set with base address and fingerprint, one burst.")


@container("cache-hunt", "com.example.cachehunt", "A game of hidden boxes that are called caches: finds and notes of the user in Documents/Caches")
def hunt(c):
    c.common()
    c.f("Documents/Caches/finds.sqlite", coredata({"Find": {"code": "VARCHAR", "foundat": "TIMESTAMP", "note": "VARCHAR", "uploaded": "INTEGER"}, "Ownhide": {"title": "VARCHAR", "lat": "FLOAT", "lon": "FLOAT", "published": "INTEGER"}},
        {"Find": [("XC%04d" % (i * 37), c.apple(a), "Under the third plank, dry, took nothing", 0) for i, a in enumerate(c.human(30, 200))], "Ownhide": [("Behind the weir", 53.21, 8.11, 0)]}), "2d3h")
    for i, a in enumerate(c.human(7, 150, key="ph")): c.f("Documents/Caches/spoiler %d.jpg" % (i + 1), jpeg(400, 300, ("sp", i), exif(when=c.day(a, "%Y:%m:%d %H:%M:%S"), gps=(53.2, 8.1))), a)
    c.f("Documents/Caches/field-notes.txt", "".join("XC%04d,%s,Found it,\"%s\"\n" % (i * 37, c.iso("%dd" % (200 - i * 9)), "quick find with the children") for i in range(20)), "5d")
    ages = c.burst(12, "7d3h", 2)
    for i in range(8): c.f("Documents/Finds/%d.gpx" % i, '<?xml version="1.0"?>\n<gpx version="1.0" creator="boxes.example.org api v2"><url>https://boxes.example.org/query/%d.gpx</url><time>%s</time>' % (i, c.iso("7d3h")) + "".join('<wpt lat="53.%03d" lon="8.%03d"><name>XC%04d</name><desc>by the server</desc></wpt>' % (k, k, k) for k in range(50)) + "</gpx>", ages[i])
    c.f("Documents/Finds/.state", js({"queries": [{"id": i, "url": "https://boxes.example.org/query/%d.gpx" % i, "etag": c.hex(12, i), "nextRefresh": c.iso(-D)} for i in range(8)]}), ages[9])
    for i, a in enumerate(c.burst(36, "7d2h", .3)): c.f("Library/Application Support/Trips/13/%d/%d.pbf" % (4280 + i % 6, 2650 + i // 6), mvt("path", ("ch", i)), a)
    c.f("Library/Application Support/Trips/source.json", js({"tiles": ["https://tiles.example.org/v4/{z}/{x}/{y}.pbf"], "tilejson": "3.0.0"}), "7d2h")
    c.exclude("Library/Application Support/Trips")
    c.f("Library/Caches/tracks/%s.gpx" % c.day("4d"), gpx(c, "4d", 5, "CacheHunt 2 (recorded)"), "4d")
    c.f("Library/Caches/tracks/about.json", js({"recordedBy": "phone", "exported": False, "copies": 0}), "4d")
    for i in range(3): c.f("Documents/CocoaLumberjack-%d" % i, logtext(c, "%dd" % i, 60, "DDLog"), "%dd4h" % i)
    c.prefs({"radius": 5})
    c.label("Documents/Caches/*", "user", "The user's finds, notes and pictures, not uploaded; caches are boxes here.")
    c.label("Documents/Finds/*", "regenerable", "Lists of a server with address, etag and refresh time.")
    c.label("Library/Application Support/Trips/**", "regenerable", "Vector tiles of a server, correctly excluded.")
    c.label("Library/Caches/tracks/*", "loss", "A recorded track with no other copy (copies 0, exported false), in Library/Caches.")
    c.label("Documents/CocoaLumberjack-*", "log", "Rotated text logs with levels.")


@container("ride-computer", "com.example.ridefiles", "A bicycle computer: rides wait for upload in tmp, raw data is excluded, segments of a server in Best Rides")
def rides(c):
    c.common()
    q = []
    for i, a in enumerate(c.human(4, 25)):
        fit = bytes([14, 32]) + struct.pack("<HI", 2140, 4000) + b".FIT" + b"\0\0" + b"\x40\0\0\0\0\5\0\1\0\1\2\x84\2\2\x84\3\4\x8c\4\4\x86" + c.rng("fit", i).randbytes(3980)
        c.f("tmp/upload/ride-%s.fit" % c.day(a, "%Y%m%d-%H%M"), fit, a)
        q.append({"file": "ride-%s.fit" % c.day(a, "%Y%m%d-%H%M"), "uploaded": False, "error": "account signed out", "onlyCopy": True})
    c.f("tmp/upload/queue.json", js(q), "1d")
    A = "Library/Application Support/"
    for i, a in enumerate(c.human(6, 160, key="raw")): c.f(A + "Sensor/%s.hrv" % c.day(a, "%Y-%m-%d"), "\n".join("%.3f,%d" % (k * .8, 780 + c.rng(i, k).randrange(90)) for k in range(400)), a)
    c.f(A + "Sensor/README.json", js({"what": "beat-to-beat intervals of the chest strap", "source": "own sensor", "derivedFrom": None, "synced": False}), "160d")
    c.exclude(A + "Sensor")
    for i, a in enumerate(c.human(12, 240, key="done")): c.f("Documents/old downloads/%s.gpx" % c.day(a, "%Y-%m-%d"), gpx(c, a, ("ride", i), "RideFiles 8 (recorded)"), a)
    for i, a in enumerate(c.burst(30, "10h", .6)): c.f("Documents/Best Rides/%d.json" % (88000 + i), js({"segment_id": 88000 + i, "leaderboard": [{"rank": k, "time": 300 + k} for k in range(20)], "polyline": "_p~iF~ps|U_ulLnnqC", "fetched_at": c.iso("10h"), "cache_for": 43200, "next": "https://api.example.com/segments/%d/board?page=2" % (88000 + i)}), a)
    clips = {"%02d.m4a" % i: filled(mp4(1 + i % 3, 5000 + 40 * i, 1750000000, audio=True, tags={"nam": "prompt %d" % i}), 5000 + 40 * i) for i in range(30)}
    c.f(A + "voices/en.pack", zipped(clips), "140d"); c.f(A + "voices/en.pack.etag", '"%s"' % c.hex(32, "v"), "140d")
    for i, a in enumerate(c.burst(30, "140d", .1)): c.f(A + "voices/en/%02d.m4a" % i, clips["%02d.m4a" % i], a)
    c.f(A + "router.graph", b"GRPH\1\0\0\0" + struct.pack("<QQ", 812000, 1904000) + b"https://routing.example.org/coast-2026-10.graph\0" + c.rng("gr").randbytes(2000), "38d", size=64 * MB, excluded=True)
    c.f(A + "power.db", db(["CREATE TABLE record (kind TEXT PRIMARY KEY, watts INTEGER, at INTEGER)", "CREATE TABLE ftp_test (id INTEGER PRIMARY KEY, watts INTEGER, remark TEXT)", ("INSERT INTO record VALUES (?,?,?)", [("%dmin" % m, 400 - m * 3, c.ms("%dd" % m)) for m in (1, 5, 20, 60)]), ("INSERT INTO ftp_test(watts, remark) VALUES (?,?)", [(241, "felt good"), (238, "after the flu")])]), "8d")
    c.prefs({"wheel": 2105})
    c.label("tmp/upload/*", "loss", "Rides not uploaded, of which queue.json says that they are the only copy, in tmp.")
    c.label(A + "Sensor/*", "loss", "Raw data of the user's own sensor, derived from nothing and not synced, excluded from backup.")
    c.label("Documents/old downloads/*", "user", "Recorded rides over months; not downloads.")
    c.label("Documents/Best Rides/*", "regenerable", "Boards of a server with fetched_at, cache_for and next page.")
    c.label(A + "voices/**", "regenerable", "A voice pack with etag and its unpacked copy.")
    c.label(A + "router.graph", "regenerable", "A routing graph that names its address, correctly excluded.")
    c.label(A + "power.db", "user", "Records and tests with remarks.")


@container("dictation-caches", "com.example.dictate", "A dictation app: audio in Library/Caches, text in Model.store (SwiftData), speech models partly excluded")
def dictation(c):
    c.common()
    A = "Library/Application Support/"
    rows = []
    for i, a in enumerate(c.human(9, 70)):
        n = c.uuid("d", i) + ".caf"
        c.f("Library/Caches/audio/" + n, caf((5 + i) * MB, ("dict", i)), a, size=(5 + i) * MB)
        rows.append(("Dictation %d" % i, "The text as corrected by the speaker, with two commas", n, c.apple(a), 1, "microphone"))
    c.f(A + "Model.store", coredata({"Dictation": {"title": "VARCHAR", "text": "VARCHAR", "audiofile": "VARCHAR", "recorded": "TIMESTAMP", "keepaudio": "INTEGER", "input": "VARCHAR"}, "Term": {"word": "VARCHAR", "sounds": "VARCHAR"}}, {"Dictation": rows, "Term": [("Jetty %d" % i, "dschetti") for i in range(8)]}), "4h")
    ggml = struct.pack("<IIIIIIIIIIII", 0x67676D6C, 51865, 1500, 768, 12, 12, 448, 768, 12, 12, 80, 1)
    c.f(A + "Speech/base.bin", ggml + c.rng("gg").randbytes(2000), "50d", size=148 * MB)
    c.f(A + "Speech/base.bin.json", js({"url": "https://models.example.com/whisper/ggml-base.bin", "sha1": c.hex(40, "gg"), "etag": c.hex(20, "gg")}), "50d")
    c.f(A + "Kept/large.bin", ggml + c.rng("gl").randbytes(2000), "20d", size=900 * MB)
    c.f(A + "Kept/large.bin.json", js({"url": "https://models.example.com/whisper/ggml-large.bin", "sha1": c.hex(40, "gl"), "etag": c.hex(20, "gl")}), "20d")
    c.exclude(A + "Kept")
    c.f("Documents/ggml/vocabulary.txt", "# own words, one a line\n" + "\n".join("Weirkeeper%d" % i for i in range(60)) + "\n", "12d")
    c.f("Documents/model/letterhead.docx", zipped({"[Content_Types].xml": "<?xml version='1.0'?><Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>", "_rels/.rels": "<?xml version='1.0'?><Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='r1' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument' Target='word/document.xml'/></Relationships>", "word/document.xml": "<?xml version='1.0'?><w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body><w:p><w:r><w:t>My letterhead</w:t></w:r></w:p></w:body></w:document>"}), "66d")
    c.f("tmp/decoder-%s.wav" % c.hex(6, "w"), wav(2 * MB, "dec", rate=16000), "5h", size=2 * MB)
    c.f("Documents/whisper.out", "\n".join("whisper_full: progress = %3d%%\nwhisper_print_timings: total time = %d ms" % (k, k * 311) for k in range(0, 100, 2)), "4h")
    c.prefs({"language": "de", "keepAudio": True})
    c.label("Library/Caches/audio/*", "loss", "Recordings of the microphone that the store keeps (keepaudio 1), with no other copy, in Library/Caches.")
    c.label(A + "Model.store", "user", "Corrected texts and own terms.")
    c.label(A + "Speech/*", "regenerable", "A ggml model with its address and digest beside it, in backups.")
    c.label(A + "Kept/*", "regenerable", "A ggml model with its address, correctly excluded.")
    c.label("Documents/ggml/*", "user", "A list of the user's own words.")
    c.label("Documents/model/*", "user", "A document of the user's.")
    c.label("tmp/*", "temp", "Input of the decoder in tmp.")
    c.label("Documents/whisper.out", "log", "Output of the runtime.")
