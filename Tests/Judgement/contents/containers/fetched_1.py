from kit import *


@container("podcasts-files", "com.example.earshot", "A podcast player (SwiftData): episodes under Documents/Files with UUID names")
def podcasts(c):
    c.common()
    A = "Library/Application Support/"
    eps, feeds = [], []
    for f in range(4):
        items = []
        for i in range(12):
            u = "https://media.example.org/show%d/e%03d.mp3" % (f, i)
            items.append(("Episode %d" % i, "https://example.org/show%d/%d" % (f, i), c.http("%dd" % (7 * i + f)), "About locks and weirs", (u, 21000000 + i)))
            if i < 4:
                a = c.burst(1, "%dd%dh" % (7 * i + f, 2 + f))[0]
                n = c.uuid("ep", f, i)
                c.f("Documents/Files/" + n, mp3((f, i), TIT2="Episode %d" % i, TALB="Show %d" % f, WOAF="https://example.org/show%d" % f), a, size=(21 + i) * MB + f)
                eps.append(("Episode %d" % i, u, n, c.apple(a), 2, 1800 + i, i % 2, .25 * i))
        a = "%dh" % (2 + f)
        c.f(A + "Items/%d.dat" % (f + 1), rss("Show %d" % f, "https://example.org/show%d/feed" % f, items), a)
        c.f(A + "Items/%d.headers" % (f + 1), js(headers(c, a, "https://example.org/show%d/feed" % f, c.hex(14, f), "application/rss+xml")), a)
        c.f(A + "Items/%d.jpg" % (f + 1), jpeg(300, 300, ("art", f)), "%dd" % (30 + f))
        feeds.append(("Show %d" % f, "https://example.org/show%d/feed" % f, c.apple("%dd" % (200 - 20 * f)), "user"))
    c.f(A + "default.store", coredata({"Subscription": {"title": "VARCHAR", "feedurl": "VARCHAR", "subscribedat": "TIMESTAMP", "addedby": "VARCHAR"}, "Episode": {"title": "VARCHAR", "enclosureurl": "VARCHAR", "filename": "VARCHAR", "downloadedat": "TIMESTAMP", "state": "INTEGER", "duration": "INTEGER", "played": "INTEGER", "position": "FLOAT"}},
        {"Subscription": feeds, "Episode": eps}), "35m")
    c.f("Documents/Files/.%s.partial" % c.uuid("part"), mp3("part", TIT2="Episode 0"), "3d", size=5 * MB)
    c.f("Documents/Files/.%s.resume" % c.uuid("part"), plist({"NSURLSessionDownloadURL": "https://media.example.org/show1/e000.mp3", "NSURLSessionResumeBytesReceived": 5 * MB, "NSURLSessionResumeEntityTag": c.hex(12, "rs"), "NSURLSessionResumeInfoVersion": 4}), "3d")
    c.prefs({"speed": 1.2, "skipForward": 30})
    c.label("Documents/Files/.*", "temp", "A partial download and its resume data.")
    c.label("Documents/Files/*", "regenerable", "Episodes that the table of episodes lists with enclosure address and file name.")
    c.label(A + "Items/*", "regenerable", "Feeds with response headers beside them, and their artwork.")
    c.label(A + "default.store", "state", "Subscriptions, positions and played marks of the user.")


@container("offline-maps-data", "com.example.paths", "Offline maps: vector tiles under Documents/data, the user's places under cache")
def maps(c):
    c.common()
    ages = iter(c.burst(90, "18d4h", .15))
    for x in range(8):
        for y in range(8): c.f("Documents/data/14/%d/%d.pbf" % (8560 + x, 5280 + y), mvt("road", (x, y)), next(ages))
    c.f("Documents/data/style.json", js({"version": 8, "name": "Paths", "sources": {"base": {"type": "vector", "tiles": ["https://tiles.example.org/v4/{z}/{x}/{y}.pbf"], "maxzoom": 14}}, "glyphs": "https://tiles.example.org/fonts/{fontstack}/{range}.pbf", "layers": []}), next(ages))
    for r in ("0-255", "256-511"): c.f("Documents/data/fonts/Sans Regular/%s.pbf" % r, mvt("glyph", r, gz=False), next(ages))
    c.f("Documents/data/sprite.png", png(128, 128, "sprite"), next(ages))
    c.f("Documents/Coast", db(["CREATE TABLE metadata (name TEXT, value TEXT)", "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)", "CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)",
        ("INSERT INTO metadata VALUES (?,?)", [("name", "Coast"), ("format", "pbf"), ("version", "2026-09"), ("attribution", "Example Tiles"), ("source", "https://tiles.example.org/regions/coast.mbtiles"), ("minzoom", "0"), ("maxzoom", "14")]),
        ("INSERT INTO tiles VALUES (14,?,?,?)", [(x, y, mvt("water", (x, y, 9))) for x in range(6) for y in range(10)])]), "47d")
    c.f("Documents/cache/places.geojson", js({"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [8.1 + i / 50, 53.2]}, "properties": {"title": t, "note": "mine", "added": c.iso("%dd" % (i * 11 + 2))}} for i, t in enumerate(["Quiet bench", "Good bakery", "Where we met", "Spring"])]}), "2d")
    c.f("Documents/cache/routes.json", js([{"name": "To work without hills", "via": [[8.1, 53.2], [8.15, 53.25]], "drawnByHand": True, "edited": c.iso("6d")}]), "6d")
    c.f("Library/Application Support/poi.sqlite", db(["CREATE TABLE poi (osm_id INTEGER PRIMARY KEY, name TEXT, kind TEXT, lat REAL, lon REAL, fetched_at INTEGER)", "CREATE VIRTUAL TABLE poi_rtree USING rtree(id, a, b, c, d)", "CREATE VIRTUAL TABLE poi_fts USING fts5(name)", "CREATE TABLE source (url TEXT, etag TEXT, fetched_at INTEGER)",
        ("INSERT INTO source VALUES (?,?,?)", [("https://poi.example.org/export/coast.csv.gz", c.hex(12, "p"), c.ms("47d"))]), ("INSERT INTO poi VALUES (?,?,?,?,?,?)", [(9000 + i, "Place %d" % i, "cafe", 53 + i / 900, 8 + i / 800, c.ms("47d")) for i in range(300)]), ("INSERT INTO poi_fts VALUES (?)", [("Place %d" % i,) for i in range(300)])]), "47d")
    c.f("Documents/Moor.zip.download", zipped({"14/1/1.pbf": mvt("x", 1)})[:700], "12d", size=11 * MB)
    c.prefs({"units": "km", "lastRegion": "Coast"})
    c.label("Documents/data/**", "regenerable", "z/x/y tiles, glyphs and a style that names their server, written in one burst.")
    c.label("Documents/Coast", "regenerable", "MBTiles with version and source address in its metadata.")
    c.label("Documents/cache/*", "user", "Places and routes that the user made (note mine, drawn by hand).")
    c.label("Library/Application Support/poi.sqlite", "regenerable", "Places of a server's export with address and etag, r-tree and full-text index.")
    c.label("Documents/*.download", "temp", "Truncated archive of a download that ended days ago.")


@container("weather-plain-json", "com.example.skylib", "A weather app with the answers of its server under Library/Application Support/data")
def weather(c):
    c.common()
    A = "Library/Application Support/"
    for i in range(7):
        a = "%dm" % (40 + i)
        c.f(A + "data/%d" % (2890000 + i), js({"location": {"id": 2890000 + i, "name": "Station %d" % i}, "issuedAt": c.iso(a), "expires": c.iso(-1200), "ttl": 3600, "model": "icon-eu", "hourly": [{"t": k, "temp": 4 + k % 9, "rain": .1 * (k % 5)} for k in range(72)]}), a)
    for i, a in enumerate(c.burst(24, "50m", .5)):
        c.f("Documents/frames/%s.png" % c.day(3600 * 3 + i * 300, "%Y%m%d%H%M"), png(128, 128, ("radar", i), text={"Source": "https://radar.example.org/v2/composite", "Valid": c.iso(3600 * 3 + i * 300)}), a)
    c.f("Documents/frames/index.json", js({"base": "https://radar.example.org/v2/composite/", "generated": c.iso("55m"), "expires": c.iso("45m"), "frames": [c.day(3600 * 3 + i * 300, "%Y%m%d%H%M") for i in range(24)]}), "50m")
    c.f(A + "Stations.plist", plist({"version": 44, "etag": c.hex(20, "s"), "url": "https://api.example.org/stations.plist", "stations": [{"id": 2890000 + i, "lat": 53.0 + i / 100, "lon": 8.0 + i / 100} for i in range(400)]}), "60d")
    c.f(A + "cache.json", js({"favourites": [2890001, 2890004], "order": "manual", "home": 2890001, "alarms": [{"if": "frost", "at": "21:00", "createdByUser": True}]}), "3d")
    for i in range(30): c.f(A + "history/%s.txt" % c.day("%dd" % i), logtext(c, "%dd" % i, 14, "BGAppRefresh", ("task scheduled", "fetch 200 31 KB", "expired before completion", "widget reloaded")), "%dd1h" % i)
    c.f("Documents/Flags", js({"configVersion": "2026-11-20.3", "experiments": {"new_radar": {"variant": "B", "rollout": .5}, "kill_maps": False}, "minimumFetchInterval": 43200, "fetchTime": c.ms("9h"), "etag": c.hex(14, "rc")}), "9h")
    c.prefs({"unit": "C", "wind": "Bft"})
    c.label(A + "data/*", "regenerable", "Forecasts of a server with issuedAt, expires and ttl.")
    c.label("Documents/frames/*", "regenerable", "Radar pictures of an address, valid for hours; one burst.")
    c.label(A + "Stations.plist", "regenerable", "List of stations with address, version and etag.")
    c.label(A + "cache.json", "state", "Favourites, their order, alarms that the user made.")
    c.label(A + "history/*", "log", "A text a day with levels: the log of the background task.")
    c.label("Documents/Flags", "regenerable", "Remote configuration: experiments, rollout, fetch interval, etag.")


@container("magazine-library", "com.example.mylibrary", "A magazine reader (Capacitor): issues under Library/NoCloud and My Library as archive and unpacked")
def magazine(c):
    c.common(webkit=True)
    rows = []
    for n in range(3):
        files = {"index.html": "<!doctype html><html><head><title>Issue %d</title><link rel=stylesheet href=c.css></head><body>%s</body></html>" % (n, "<article><h2>On weirs</h2><p>The water stood. </p></article>" * 60), "c.css": "body{font:17px serif}" * 20, "p1.jpg": jpeg(400, 300, ("mag", n, 1)), "p2.jpg": jpeg(400, 300, ("mag", n, 2)), "toc.json": js({"issue": n, "articles": 60})}
        z = zipped(files)
        a = seconds("%dd5h" % (20 + 30 * n))
        c.f("Documents/My Library/bundle%d.zip" % (42 + n), z, a)
        for k, ((fn, v), b) in enumerate(zip(files.items(), c.burst(5, a - 3, .02))): c.f("Documents/My Library/bundle%d/%s" % (42 + n, fn), v if isinstance(v, bytes) else v.encode(), b)
        rows.append((42 + n, "https://issues.example.com/2026/%02d.zip" % (n + 1), len(z), sha256(z), c.ms(a), "My Library/bundle%d" % (42 + n)))
    c.f("Documents/My Library/shelf.db", db(["CREATE TABLE issue (id INTEGER PRIMARY KEY, url TEXT, bytes INTEGER, sha256 TEXT, downloaded_at INTEGER, dir TEXT)", ("INSERT INTO issue VALUES (?,?,?,?,?,?)", rows)]), "20d4h")
    c.f("Documents/My Library/cached-pages.plist", archive([{"$class": "MLBookmark", "issue": 42, "page": 3, "comment": "show this to the choir", "created": c.iso("8d")}, {"$class": "MLBookmark", "issue": 43, "page": 19, "comment": "the map!", "created": c.iso("31d")}]), "8d")
    c.f("Library/WebKit/WebsiteData/Default/%s/LocalStorage/localstorage.sqlite3" % c.hex(8, "o"), db(["CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB NOT NULL ON CONFLICT FAIL)", ("INSERT INTO ItemTable VALUES (?,?)", [("fontScale", "1.2".encode("utf-16-le")), ("lastIssue", "42".encode("utf-16-le"))])]), "1d")
    c.f("Library/NoCloud/ionic_built_snapshots/2.4.1-a/index.html", "<!doctype html><script src=main.js></script>", "64d")
    c.f("Library/NoCloud/ionic_built_snapshots/2.4.1-a/main.js", "/*! deploy build 2.4.1-a */" + "!function(){}();" * 400, "64d")
    c.f("Library/NoCloud/ionic_built_snapshots/2.4.1-a/pro-manifest.json", js([{"href": n, "integrity": "sha256-" + sha256(n), "size": 100} for n in ("index.html", "main.js")]), "64d")
    c.f("Library/NoCloud/ionic_built_snapshots/2.3.0-b/main.js", "/*! deploy build 2.3.0-b */" + "!function(){}();" * 300, "150d")
    c.f("Library/NoCloud/ionic_built_snapshots/current.json", js({"current": "2.4.1-a", "previous": None, "channel": "https://deploy.example.com/apps/mag/channels/Production"}), "64d")
    c.prefs({"CapacitorStorage.account": "reader@example.org", "CapacitorStorage.night": "1"})
    c.label("Documents/My Library/bundle*.zip", "regenerable", "Archives of issues with address and digest in shelf.db; also unpacked beside them.")
    c.label("Documents/My Library/bundle*/**", "regenerable", "Unpacked copies of those archives.")
    c.label("Documents/My Library/cached-pages.plist", "user", "Keyed archive of bookmarks with comments.")
    c.label("Documents/My Library/shelf.db", "open", "The register of what is downloaded.")
    c.label("Library/WebKit/**", "state", "LocalStorage of the web view and system files.")
    c.label("Library/NoCloud/ionic_built_snapshots/2.3.0-b/**", "orphan", "A web build that current.json no longer names.")
    c.label("Library/NoCloud/ionic_built_snapshots/2.4.1-a/**", "regenerable", "The deployed web build with its manifest.")


@container("museum-items", "com.example.gallerywalk", "A museum guide (.NET MAUI): audio stops and pictures under Documents/Items")
def museum(c):
    c.common()
    ages = iter(c.burst(80, "13d2h", 1))
    comp = {}
    for i in range(9):
        g = c.uuid("stop", i, lower=True)
        files = {"audio.m4a": mp4(90, 1200 * KB, 1750000000, audio=True, tags={"cpy": "Example Museum", "nam": "Stop %d" % i}), "picture.jpg": jpeg(320, 240, ("museum", i), comment="(c) Example Museum"), "text.html": b"<p>Oil on oak. Acquired 1911.</p>" * 12}
        for fn, v in files.items():
            a = next(ages)
            c.f("Documents/Items/%s/%s" % (g, fn), v, a, size=1200 * KB + i if fn == "audio.m4a" else None)
            c.f("Documents/Items/%s/%s.etag" % (g, fn), '"%s"' % c.hex(32, g, fn), a - .05)
        comp[g] = {"version": 3, "fingerprint": c.hex(40, g), "files": {k: sha1(filled(v, 1200 * KB + i) if k == "audio.m4a" else v) for k, v in files.items()}}
    c.f("Documents/Items/manifest.json", js({"tour": "Main collection", "endpoint": "https://guide.example.org/api/tours/1", "components": comp, "lastSync": c.iso("13d")}), next(ages))
    c.f("Documents/guide.db3", db(["CREATE TABLE \"Stop\" (\"Id\" varchar primary key not null, \"Title\" varchar, \"AudioUrl\" varchar, \"Hall\" integer, \"UpdatedAt\" varchar, \"ETag\" varchar)", "CREATE TABLE \"SyncState\" (\"Entity\" varchar primary key not null, \"Cursor\" varchar, \"SyncedAt\" varchar)",
        ("INSERT INTO Stop VALUES (?,?,?,?,?,?)", [(c.uuid("stop", i, lower=True), "Stop %d" % i, "https://guide.example.org/a/%d.m4a" % i, i % 3, c.iso("40d"), c.hex(12, i)) for i in range(9)]), ("INSERT INTO SyncState VALUES (?,?,?)", [("Stop", c.hex(30, "cur"), c.iso("13d"))])]), "13d2h")
    c.f("Documents/assets.json", js({"visits": [{"stop": c.uuid("stop", i, lower=True), "at": c.iso("%dh" % (290 - i * 2)), "rating": i % 5 + 1, "remark": "come back with Father" if i == 3 else ""} for i in range(7)]}), "11d20h")
    for i in range(3): c.f("Documents/.__override__/net9.0-ios/part%d.dll.tmp" % i, b"MZ\x90\0" + c.rng(i).randbytes(1500), "100d")
    c.f("Documents/nlog-archive.2.txt", logtext(c, "14d", 60, "NLog"), "14d"); c.f("Documents/nlog-archive.1.txt", logtext(c, "13d", 60, "NLog"), "13d"); c.f("Documents/nlog.txt", logtext(c, "11d", 60, "NLog"), "11d")
    c.prefs({"language": "de", "hearingLoop": False})
    c.label("Documents/Items/**", "regenerable", "Components with fingerprints, .etag beside each file and the endpoint in the manifest.")
    c.label("Documents/guide.db3", "regenerable", "Mirror of the server's stops with ETag and a sync cursor; nothing of the user's.")
    c.label("Documents/assets.json", "user", "The visitor's own ratings and remarks.")
    c.label("Documents/.__override__/**", "temp", "Temporary copies of assemblies.")
    c.label("Documents/nlog*", "log", "Rotated text logs with levels.")


@container("models-chat-gguf", "com.example.pocketmodels", "A chat with language models on the device: downloaded models in Documents/Things, chats in temp")
def models(c):
    c.common()
    reg = []
    for i, (n, arch, size) in enumerate((("tern-3b-q4", "llama", 1900), ("plover-1b-q8", "qwen2", 1300))):
        f = gguf(n, arch, **{"general.license": "apache-2.0", "%s.context_length" % arch: 8192})
        c.f("Documents/Things/%s.bin" % c.hex(12, n), f, "%dd3h" % (22 - i), size=size * MB)
        reg.append({"id": n, "file": "%s.bin" % c.hex(12, n), "url": "https://models.example.com/%s/resolve/main/%s.gguf" % (n, n), "etag": c.hex(64, n), "size": size * MB, "state": "complete", "downloadedAt": c.iso("%dd" % (22 - i))})
    st, total = safetensors(["encoder.w%d" % k for k in range(6)], {"format": "pt"})
    c.f("Documents/Things/%s.bin" % c.hex(12, "st"), st, "21d", size=total)
    reg.append({"id": "embed-small", "file": "%s.bin" % c.hex(12, "st"), "url": "https://models.example.com/embed-small/model.safetensors", "etag": c.hex(64, "st"), "size": total, "state": "complete", "downloadedAt": c.iso("21d")})
    c.f("Documents/Things/%s.bin.incomplete" % c.hex(12, "inc"), gguf("whimbrel-7b", "llama"), "15d", size=700 * MB)
    c.f("Documents/Things/registry.json", js({"models": reg}), "21d")
    c.f("Documents/My Models/own-voice.safetensors", safetensors(["lora_up.%d" % k for k in range(4)], {"trained_on": "device", "ss_dataset": "41 recordings by the user", "base": "embed-small", "ss_training_finished_at": c.iso("5d")}, (64, 768))[0], "5d", size=safetensors(["lora_up.%d" % k for k in range(4)], {"trained_on": "device", "ss_dataset": "41 recordings by the user", "base": "embed-small", "ss_training_finished_at": c.iso("5d")}, (64, 768))[1])
    for i, a in enumerate(c.human(10, 22)): c.f("Documents/temp/chat-%s.json" % c.uuid("c", i, lower=True)[:8], js({"model": reg[i % 2]["id"], "messages": [{"role": r, "content": "Explain why the lock fills from below, in plain words."} for r in ("user", "assistant") * 5], "editedTitle": "Locks %d" % i, "updated": c.iso(a)}), a)
    c.f("Library/Application Support/Kernels/ggml-metal.metallib", b"MTLB" + c.rng("k").randbytes(3000), "22d", size=2 * MB)
    c.exclude("Library/Application Support/Kernels")
    c.f("Documents/llama.txt", "\n".join("llama_model_loader: - kv %3d: general.architecture str = llama" % k for k in range(90)) + "\nmain: n_ctx = 8192\n", "6h")
    c.prefs({"systemPrompt": "Be brief.", "temperature": 0.7})
    c.label("Documents/Things/*.incomplete", "temp", "A partial model, abandoned two weeks ago and not in the registry.")
    c.label("Documents/Things/**", "regenerable", "Models (GGUF, safetensors heads) that registry.json lists with address, etag and size.")
    c.label("Documents/My Models/*", "user", "An adapter trained on the device from the user's recordings.")
    c.label("Documents/temp/*", "user", "Chats with titles edited by the user.")
    c.label("Library/Application Support/Kernels/*", "regenerable", "Compiled kernels, correctly excluded.")
    c.label("Documents/llama.txt", "log", "Output of the runtime.")


def unityfs(c, seed, n=3000):
    return b"UnityFS\0" + struct.pack(">I", 8) + b"5.x.x\0" + b"2022.3.40f1\0" + struct.pack(">QIII", n + 100, 60, 91, 0x43) + c.rng(seed).randbytes(n)


@container("dungeon-addressables", "com.example.deepassets", "A game in Unity: asset bundles in Documents/Content, a save called download.dat")
def unity(c):
    c.common()
    ages = iter(c.burst(40, "24d5h", .8))
    keys = []
    for i in range(9):
        name, h = "%s_scenes_%d" % (c.hex(8, "b", i), i), c.hex(32, "h", i)
        b = "Documents/Content/%s/%s/" % (name, h)
        a = next(ages)
        c.f(b + "__data", unityfs(c, i), a, size=(3 + i) * MB)
        c.f(b + "__info", "-1\n%d\n1\n__data\n" % int(c.at(a)), a - .1)
        keys.append("https://cdn.example.com/ios/%s.bundle" % name)
    c.f("Documents/com.unity.addressables/catalog_2026.11.hash", c.hex(32, "cat"), next(ages))
    c.f("Documents/com.unity.addressables/catalog_2026.11.json", js({"m_LocatorId": "AddressablesMainContentCatalog", "m_BuildResultHash": c.hex(32, "cat"), "m_InternalIds": keys, "m_resourceTypes": []}), next(ages))
    c.f("Documents/Content-old/%s/__data" % c.hex(32, "old"), unityfs(c, "old"), "170d", size=14 * MB)
    c.f("Documents/Content-old/%s/__info" % c.hex(32, "old"), "-1\n%d\n1\n__data\n" % int(c.at("170d")), "170d")
    c.f("Documents/download.dat", b"\0\1\0\0\0\xff\xff\xff\xff\1\0\0\0\0\0\0\0\x0c\2\0\0\0FAssembly-CSharp, Version=0.0.0.0\5\1\0\0\0\x08SaveGame\4\0\0\0\5level\4gold\6seconds\4name" + c.rng("sv").randbytes(600), "7h")
    c.f("Documents/download.dat.bak", b"\0\1\0\0\0\xff\xff\xff\xff\1\0\0\0\0\0\0\0\x0c\2\0\0\0FAssembly-CSharp, Version=0.0.0.0\5\1\0\0\0\x08SaveGame" + c.rng("sv2").randbytes(600), "8h")
    for i, a in enumerate(c.human(5, 60, key="lv")): c.f("Documents/assets/level_%d.json" % i, js({"author": "me", "uploaded": False, "tiles": [[c.rng(i, y, x).randrange(6) for x in range(20)] for y in range(12)], "edited": c.iso(a)}), a)
    c.f("Library/Application Support/Unity/%s/Analytics/values" % c.hex(36, "u"), js({"user_id": c.hex(32, "uid"), "session": 812}), "7h")
    for i in range(6): c.f("Library/Application Support/Unity/%s/Analytics/ArchivedEvents/%d.g" % (c.hex(36, "u"), 17000 + i), js({"type": "analytics.appRunning.v1", "ts": c.ms("%dh" % (7 + i)), "msg": {"duration": 300}}), "%dh" % (7 + i))
    c.f("Documents/Player-prev", "Mono path[0] = '/private/var/containers'\nInitialize engine version: 2022.3.40f1\n" + "Unloading 12 unused Assets / (0.6 MB)\n" * 90, "2d")
    c.prefs({"Screenmanager Resolution Width": 2556, "musicVolume": 0.4, "unity.cloud_userid": c.hex(32, "uid")})
    c.label("Documents/Content-old/**", "orphan", "A bundle that the catalogue does not name, months older than the others.")
    c.label("Documents/Content/**", "regenerable", "Asset bundles (UnityFS) with __info, whose addresses are in the Addressables catalogue.")
    c.label("Documents/com.unity.addressables/*", "regenerable", "The catalogue of remote content and its hash.")
    c.label("Documents/download.dat*", "user", "Serialised SaveGame and its backup.")
    c.label("Documents/assets/*", "user", "Levels that the player built (author me, not uploaded).")
    c.label("Library/Application Support/Unity/**", "open", "Events of an analytics SDK in waiting.")
    c.label("Documents/Player-prev", "log", "Log of the previous run of the player.")


@container("courses-my-courses", "com.example.skillitems", "Courses with offline lessons (Flutter, drift): films under My Courses, the learner's notes beside them")
def courses(c):
    c.common()
    lessons, ages = [], None
    for k in range(2):
        ages = c.burst(8, "%dd6h" % (9 + k * 12), 14)
        for i, a in enumerate(ages):
            n = "%s.mp4" % c.hex(16, k, i)
            c.f("Documents/My Courses/%d/%s" % (300 + k, n), mp4(420, (30 + i) * MB, 1760000000, tags={"enc": "HandBrake 1.7 for streaming", "cpy": "Example Academy"}), a, size=(30 + i) * MB)
            c.f("Documents/My Courses/%d/%s.vtt" % (300 + k, n[:-4]), "WEBVTT\n\n" + "".join("00:%02d:00.000 --> 00:%02d:09.000\nNow close the lower gate.\n\n" % (m, m) for m in range(7)), a - 1)
            lessons.append((k * 100 + i, 300 + k, "Lesson %d" % i, "https://video.example.com/c/%d/%d.mp4?sig=%s" % (300 + k, i, c.hex(20, k, i)), "My Courses/%d/%s" % (300 + k, n), int(c.at(a)), int(c.at(a)) + 30 * D))
    c.f("Documents/app.sqlite", db(["CREATE TABLE lessons (id INTEGER NOT NULL PRIMARY KEY, course_id INTEGER, title TEXT, video_url TEXT, local_path TEXT, downloaded_at INTEGER, licence_expires_at INTEGER)", "CREATE TABLE progress (lesson_id INTEGER NOT NULL PRIMARY KEY, seconds INTEGER, completed INTEGER, dirty INTEGER)", "CREATE TABLE answers (id INTEGER PRIMARY KEY, lesson_id INTEGER, text TEXT, submitted INTEGER)",
        ("INSERT INTO lessons VALUES (?,?,?,?,?,?,?)", lessons), ("INSERT INTO progress VALUES (?,?,?,1)", [(l[0], 60 * i, i % 2) for i, l in enumerate(lessons)]), ("INSERT INTO answers(lesson_id, text, submitted) VALUES (?,?,0)", [(l[0], "I think the sluice must be opened first because") for l in lessons[:5]])], user_version=9), "14h")
    for i, a in enumerate(c.human(6, 20)): c.f("Documents/My Courses/cache/%d.md" % (i + 1), "# My notes on lesson %d\n\n- lower gate first\n- ask about the culvert\n" % i, a)
    c.f("Documents/My Courses/cache/sketch-1.png", png(200, 150, "sk", text={"Software": "handwriting canvas"}), "4d")
    c.f("Documents/catalogue.json", js({"data": [{"id": 300 + i, "type": "courses", "attributes": {"title": "Course %d" % i, "poster": "https://img.example.com/%d.jpg" % i}} for i in range(80)], "meta": {"page": 1, "pages": 7, "cached_at": c.iso("8h"), "max_age": 3600}, "links": {"next": "https://api.example.com/courses?page=2"}}), "8h")
    for i in range(40): c.f("Documents/posters/%s" % md5("https://img.example.com/%d.jpg" % i), jpeg(120, 80, ("po", i)), c.burst(40, "8h", .2)[i])
    c.f("Documents/flutter_logs/app_%s.log" % c.day("1d"), logtext(c, "1d", 80, "flutter"), "1d")
    c.f("Documents/flutter_logs/app_%s.log" % c.day("2d"), logtext(c, "2d", 80, "flutter"), "2d")
    c.prefs({"flutter.autoDownload": True})
    c.label("Documents/My Courses/cache/*", "user", "The learner's own notes and sketch at human times.")
    c.label("Documents/My Courses/**", "regenerable", "Films and subtitles whose signed addresses the table lessons lists.")
    c.label("Documents/app.sqlite", "user", "Answers not submitted and progress marked dirty beside the lessons.")
    c.label("Documents/catalogue.json", "regenerable", "First page of a server's answer with cached_at and next link.")
    c.label("Documents/posters/*", "regenerable", "Pictures named by MD5 of the posters' addresses in catalogue.json.")
    c.label("Documents/flutter_logs/*", "log", "Daily logs.")


@container("shop-model-sqlite", "com.example.shopfront", "A shop: mirror of the catalogue in Core Data, pictures under Items, a basket in Cache.plist")
def shop(c):
    c.common()
    A = "Library/Application Support/"
    prods, ages, pics = [], c.burst(30, "6h", .5), []
    for i in range(400): prods.append(("sku-%05d" % i, "Lamp %d" % i, 9.9 + i, "https://img.example.com/sku/%d.jpg" % i, c.hex(10, i), c.apple("6h"), "A lamp for the jetty, salt-proof."))
    for i, a in enumerate(ages):
        h = sha1("https://img.example.com/sku/%d.jpg" % i)
        c.f(A + "Items/%s/%s" % (h[:2], h), jpeg(160, 160, ("sku", i), comment="imgix q=60"), a)
    c.f(A + "Model.sqlite", coredata({"Product": {"sku": "VARCHAR", "name": "VARCHAR", "price": "FLOAT", "imageurl": "VARCHAR", "etag": "VARCHAR", "fetchedat": "TIMESTAMP", "blurb": "VARCHAR"}, "Category": {"remoteid": "INTEGER", "name": "VARCHAR", "cursor": "VARCHAR"}},
        {"Product": prods, "Category": [(i, "Category %d" % i, c.hex(24, "cu", i)) for i in range(12)]}), "6h")
    c.f(A + "Library", db(["CREATE VIRTUAL TABLE product_search USING fts5(sku UNINDEXED, name, blurb)", ("INSERT INTO product_search VALUES (?,?,?)", [(p[0], p[1], p[6]) for p in prods])]), "6h")
    c.f("Documents/Cache.plist", plist({"basket": [{"sku": "sku-00031", "qty": 2, "giftNote": "For the new house, from all of us"}], "savedForLater": ["sku-00007"], "updated": c.date("5h"), "guest": True}), "5h")
    c.f("Documents/data/strings.json", js({"locale": "de", "version": "881", "etag": c.hex(16, "str"), "fetchedAt": c.iso("30h"), "strings": {"key.%d" % i: "Text %d" % i for i in range(300)}}), "30h")
    c.f("Documents/data/stores.json", js({"stores": [{"id": i, "lat": 53 + i / 10, "opens": "09:00"} for i in range(60)], "pagination": {"offset": 0, "limit": 60, "total": 311}, "generated_at": c.iso("31h"), "expires_in": 86400}), "31h")
    c.f("Library/Application Support/com.crash.example/reports/%s.ips" % c.uuid("c1"), ips(c, "11d"), "11d")
    c.f("Library/Application Support/com.crash.example/reports/%s.ips" % c.uuid("c2"), ips(c, "34d"), "34d")
    c.f("Library/Application Support/Model.sqlite-migration-%s" % c.hex(6, "m"), coredata({"Product": {"sku": "VARCHAR"}}, {"Product": [(p[0],) for p in prods]}), "95d")
    c.prefs({"country": "DE", "newsletter": False})
    c.label(A + "Items/**", "regenerable", "Pictures named by SHA-1 of the image addresses in the catalogue.")
    c.label(A + "Model.sqlite", "regenerable", "Mirror of the catalogue: sku, etag, fetchedat, cursors; no table of the user's.")
    c.label(A + "Library", "regenerable", "Only a full-text index of the catalogue.")
    c.label("Documents/Cache.plist", "user", "A guest's basket with a note.")
    c.label("Documents/data/*", "regenerable", "Server answers with etag, expiry, pagination.")
    c.label(A + "com.crash.example/reports/*", "log", "Crash reports in .ips format.")
    c.label(A + "Model.sqlite-migration-*", "orphan", "An older store left by a migration, not used for months.")
