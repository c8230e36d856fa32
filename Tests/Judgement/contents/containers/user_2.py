from kit import *
import base64


@container("console-downloads", "com.example.retrodownloads", "An emulator: imported games in Documents/downloads, saves beside them, box art and shaders of a server")
def emulator(c):
    c.common()
    games = ["Tide Runner", "Lock Keeper", "Pixel Weir", "Night Ferry", "Salt Quest", "Mole Patrol"]
    rows, art = [], []
    for i, age in enumerate(c.human(6, 250)):
        head = b"NES\x1a" + bytes([8, 16, 0x41, 0]) + b"\0" * 8 + c.rng("rom", i).randbytes(3000)
        c.f("Documents/downloads/%s.nes" % games[i], head, age, size=16 + 8 * 16384 + 16 * 8192)
        rows.append((md5(filled(head, 16 + 8 * 16384 + 16 * 8192)), games[i], "downloads/%s.nes" % games[i], "imported with the Files app", c.apple(age)))
        c.f("Documents/downloads/%s.sav" % games[i], c.rng("sav", i).randbytes(8192), age / (2 + i))
        for k in range(2):
            c.f("Documents/temp/states/%s.%d.svs" % (games[i], k), b"RZIPv\1#" + zlib.compress(c.rng("st", i, k).randbytes(5000)), age / (2.5 + k))
            c.f("Documents/temp/states/%s.%d.png" % (games[i], k), png(128, 120, ("state", i, k)), age / (2.5 + k) - 1)
        u = "https://art.example.org/nes/%s.png" % games[i].replace(" ", "%20")
        art.append((u, md5(u), c.iso("90d"), c.hex(12, "art", i)))
    for i, a in enumerate(c.burst(6, "90d2h")): c.f("Library/Application Support/Games/%s.png" % art[i][1], png(180, 240, ("art", i)), a)
    c.f("Library/Application Support/Games/art.sqlite", db(["CREATE TABLE boxart (url TEXT PRIMARY KEY, md5 TEXT, fetched_at TEXT, etag TEXT)", ("INSERT INTO boxart VALUES (?,?,?,?)", art)]), "90d1h")
    c.f("Library/Application Support/Database/cache.sqlite", coredata({"Game": {"md5": "VARCHAR", "title": "VARCHAR", "path": "VARCHAR", "origin": "VARCHAR", "added": "TIMESTAMP"}, "Cheat": {"code": "VARCHAR", "name": "VARCHAR"}},
        {"Game": rows, "Cheat": [("APZLGK", "walk on water"), ("SXIOPO", "my own: endless oil")]}), "2d")
    ages = iter(c.burst(20, "60d", .2))
    for n in ("crt-royale", "lcd-grid", "scanlines", "ntsc", "phosphor"):
        for k in ("vert", "frag"): c.f("Documents/Items/%s/%s.metal" % (n, k), "// shader pack 2.4.1 https://shaders.example.org/\n#include <metal_stdlib>\nusing namespace metal;\nfragment float4 %s_%s() { return 1; }\n" % (n.replace("-", "_"), k), next(ages))
    c.f("Documents/Items/pack.json", js({"version": "2.4.1", "url": "https://shaders.example.org/pack-2.4.1.zip", "sha256": sha256("pk"), "installedAt": c.iso("60d")}), next(ages))
    c.f("Documents/controller.cfg", "a = 12\nb = 13\nturbo = off\n# layout changed by hand\n", "33d")
    c.prefs({"scale": 3, "sound": True})
    c.label("Documents/downloads/*.nes", "user", "Games that the user imported (origin: Files app), at human intervals.")
    c.label("Documents/downloads/*.sav", "user", "Battery saves of the games.")
    c.label("Documents/temp/states/*", "user", "Save states with their pictures.")
    c.label("Library/Application Support/Games/**", "regenerable", "Box art named by MD5 of the address that art.sqlite lists with etag.")
    c.label("Library/Application Support/Database/cache.sqlite", "user", "Core Data store of the library and the user's cheats.")
    c.label("Documents/Items/**", "regenerable", "Shader pack with version, address and digest, one burst.")
    c.label("Documents/controller.cfg", "state", "A controller layout that was changed by hand.")


@container("editor-temp-projects", "com.example.tempcode", "A code editor with a Git client; projects are in Documents/temp")
def editor(c):
    c.common()
    P = "Documents/temp/ferry-times/"
    files = {"README.md": "# Ferry times\n\nMy own page for the jetty display.\n", "src/app.js": "import { times } from './times.js'\n\nexport function next(now) {\n  return times.find(t => t > now)\n}\n" * 8,
             "src/times.js": "export const times = [" + ", ".join("%d" % (360 + 45 * k) for k in range(24)) + "]\n", "assets/logo.svg": "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 10'><path d='M0 5L10 5'/></svg>", "cache/strings.de.json": js({"next": "Nächste Fähre", "none": "Heute keine mehr"}).decode(),
             "package.json": js({"name": "ferry-times", "version": "0.3.0", "dependencies": {"left-pad-x": "^1.0.0"}}, 2).decode()}
    for (n, d), a in zip(files.items(), c.human(6, 40)): c.f(P + n, d, a)
    for i, d in enumerate(files.values()):
        o = b"blob %d\0" % len(d.encode()) + d.encode(); h = sha1(o)
        c.f(P + ".git/objects/%s/%s" % (h[:2], h[2:]), zlib.compress(o), "%dd" % (40 - i * 3))
    c.f(P + ".git/HEAD", "ref: refs/heads/main\n", "40d"); c.f(P + ".git/refs/heads/main", c.hex(40, "head") + "\n", "3d")
    c.f(P + ".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n", "40d")
    c.f(P + ".git/index", b"DIRC" + struct.pack(">II", 2, 0) + bytes.fromhex("39d890139ee5356c7ef572216cebcd27aa41f9df"), "3d")
    for i, a in enumerate(c.burst(24, "39d", .05)):
        c.f(P + "node_modules/left-pad-x/lib/m%02d.js" % i, "'use strict';\nmodule.exports = %d;\n" % i, a)
    c.f(P + "node_modules/.package-lock.json", js({"lockfileVersion": 3, "packages": {"node_modules/left-pad-x": {"version": "1.0.2", "resolved": "https://registry.example.org/left-pad-x/-/left-pad-x-1.0.2.tgz", "integrity": "sha512-" + base64.b64encode(c.rng("i").randbytes(64)).decode()}}}), "38d23h")
    for i, a in enumerate(c.human(5, 100, key="scratch")): c.f("Documents/temp/untitled-%d.txt" % i, "call the slipway about %d\nask for the drawing\n" % i, a)
    L = "Library/Application Support/toolchains/typescript-5.4/"
    for i, a in enumerate(c.burst(7, "55d", 1)): c.f(L + "lib/lib.es20%02d.d.ts" % (15 + i), "/// <reference no-default-lib=\"true\"/>\ninterface Array%d<T> {}\n" % i * 60, a)
    c.f(L + "tsserver.js", "/*! bundled 5.4 */\n" + "var x=0;\n" * 300, "55d", size=9 * MB)
    c.f(L + "manifest.fingerprint", "1.%s" % sha256("ts"), "54d23h")
    c.f("Library/Application Support/toolchains/registry.plist", plist({"typescript-5.4": {"URL": "https://toolchains.example.com/typescript-5.4.tar.xz", "LocalPath": "toolchains/typescript-5.4", "SHA256": sha256("ts"), "InstalledAt": c.date("55d")}}), "54d23h")
    c.f("Library/Application Support/toolchains/typescript-5.4.tar.xz", b"\xfd7zXZ\0" + c.rng("xz").randbytes(2000), "55d1h", size=6 * MB)
    c.f("Library/Application Support/Session/state.json", js({"open": ["temp/ferry-times/src/app.js"], "cursor": [41, 7], "unsaved": {"temp/ferry-times/README.md": "# Ferry times\n\nMy own page, and a note I have not saved"}}), "3h")
    c.f("Library/Caches/autosave/ferry-times~README.md", "# Ferry times\n\nMy own page, and a note I have not saved\n", "3h")
    for i in range(4): c.f("Library/Application Support/lsp/trace-%d.txt" % i, "\n".join('[Trace - %s] Received response \'textDocument/completion - (%d)\' in %dms.' % (c.day("%dd" % (i + 1), "%H:%M:%S"), k, k % 40) for k in range(120)), "%dd" % (i + 1))
    c.prefs({"tabSize": 2, "theme": "dusk"})
    c.label(P + "node_modules/**", "open", "Installed packages within the user's project: could be installed again, and belong to the project.")
    c.label("Documents/temp/**", "user", "The user's projects with Git history (no remote in .git/config), and notes.")
    c.label("Library/Application Support/toolchains/*.tar.xz", "regenerable", "The archive of an unpacked toolchain, listed with its address.")
    c.label("Library/Application Support/toolchains/**", "regenerable", "Toolchain that registry.plist lists with address and digest; manifest.fingerprint.")
    c.label("Library/Application Support/Session/state.json", "state", "Session of the editor with unsaved text.")
    c.label("Library/Caches/autosave/*", "open", "The unsaved text is in the session also.")
    c.label("Library/Application Support/lsp/*", "log", "Protocol traces of the language server.")


def kdbx(c, seed):
    h = struct.pack("<IIHH", 0x9AA2D903, 0xB54BFB67, 0, 4)
    for t, v in ((2, bytes.fromhex("31c1f2e6bf714350be5805216afc5aff")), (3, struct.pack("<I", 1)), (4, c.rng(seed, 4).randbytes(32)), (7, c.rng(seed, 7).randbytes(16)), (0, b"\r\n\r\n")):
        h += bytes([t]) + struct.pack("<I", len(v)) + v
    import hashlib as H
    return h + H.sha256(h).digest() + c.rng(seed, "b").randbytes(9000)


@container("vault-cache-db", "com.example.vaultcache", "A password manager whose vault is a file called cache.db, with favicons fetched per site")
def vault(c):
    c.common(urlcache=False)
    c.f("Documents/cache.db", kdbx(c, "now"), "1d7h")
    for i, age in enumerate(c.human(3, 90)): c.f("Documents/old/cache-%s.db" % c.day(age, "%Y%m%d"), kdbx(c, i), age)
    rows = []
    for i, a in enumerate(c.burst(18, "21d2h", 2)):
        host = "site%d.example.org" % i
        c.f("Library/Application Support/Items/%s" % sha1("https://%s/favicon.ico" % host), png(32, 32, ("fav", i)), a)
        rows.append(("https://%s/favicon.ico" % host, sha1("https://%s/favicon.ico" % host), c.ms(a), c.ms(a) + 30 * D * 1000, '"%s"' % c.hex(10, i)))
    c.f("Library/Application Support/Items.sqlite", db(["CREATE TABLE icon (url TEXT PRIMARY KEY, file TEXT, fetched_at INTEGER, expires_at INTEGER, etag TEXT)", ("INSERT INTO icon VALUES (?,?,?,?,?)", rows)]), "21d2h")
    c.f("Documents/attachments.tmp/contract.pdf.enc", b"age-encryption.org/v1\n-> X25519 " + base64.b64encode(c.rng("e").randbytes(32)) + b"\n--- " + c.rng("f").randbytes(2000), "48d")
    c.f("Documents/attachments.tmp/index.plist", plist([{"name": "contract.pdf", "entry": c.uuid("e"), "addedBy": "user", "added": c.date("48d"), "storedOnlyHere": True}]), "48d")
    c.f("Library/Application Support/breach-list.bin", struct.pack("<4sIQ", b"BLM1", 3, 88000000) + c.rng("bl").randbytes(3000), "9d", size=22 * MB)
    c.f("Library/Application Support/breach-list.json", js({"source": "https://breach.example.org/ranges/v3.bin", "etag": c.hex(20, "b"), "version": 311, "nextUpdate": c.iso("2d"), "sha256": sha256("b")}), "9d")
    c.prefs({"autoLock": 60, "lastVault": "cache.db", "biometrics": True})
    c.label("Documents/cache.db", "user", "A KDBX 4 vault (magic numbers), the last vault in the preferences.")
    c.label("Documents/old/*", "user", "Earlier versions of the vault that the app keeps as backups.")
    c.label("Documents/attachments.tmp/**", "user", "Encrypted attachments that index.plist calls stored only here.")
    c.label("Library/Application Support/Items/*", "regenerable", "Favicons named by SHA-1 of the address in Items.sqlite with expiry and etag.")
    c.label("Library/Application Support/Items.sqlite", "regenerable", "Table of fetched icons only: url, expiry, etag.")
    c.label("Library/Application Support/breach-list.*", "regenerable", "Downloaded list with source, etag and next update.")


@container("cutout-stickers-remote", "com.example.cutouts", "A sticker maker: the user's stickers under packs/remote, packs of a shop under packs/mine (Flutter)")
def stickers(c):
    c.common()
    for p in range(3):
        u = c.uuid("pack", p, lower=True)
        ages = c.human(6, 70, key=p)
        for i, a in enumerate(ages):
            c.f("Documents/packs/remote/%s/%d.webp" % (u, i), webp((p, i)), a)
            c.f("Documents/packs/remote/%s/%d.mask.png" % (u, i), png(64, 64, (p, i, "m")), a - 2)
        c.f("Documents/packs/remote/%s/pack.json" % u, js({"name": ["Our cat", "Office", "Ferry crew"][p], "publisher": "me", "createdFrom": "photo library cut-out", "createdAt": c.iso(ages[0]), "serverId": None, "published": False, "stickers": [{"file": "%d.webp" % i, "emojis": ["😀"]} for i in range(6)]}), ages[-1])
    for p, n in enumerate(("weather-moods", "tiny-boats", "good-mornings", "office-hours")):
        ages = c.burst(9, "%dd4h" % (12 + 9 * p), .4)
        files = {"%02d.webp" % i: webp((n, i)) for i in range(7)}
        for (k, v), a in zip(files.items(), ages[1:]): c.f("Documents/packs/mine/%s/%s" % (n, k), v, a)
        c.f("Documents/packs/mine/%s/pack.json" % n, js({"identifier": n, "publisher": "Example Stickers Shop", "serverId": 900 + p, "cdn": "https://cdn.example.com/stickers/%s/" % n, "image_data_version": "4", "avoid_cache": False, "etag": c.hex(18, n), "stickers": [{"file": k, "sha1": sha1(v)} for k, v in files.items()]}), ages[0])
    c.f("Documents/user.hive", hive({"favourites": ["remote/0", "mine/tiny-boats/02"], "recent": ["mine/office-hours/01.webp"], "purchased": ["tiny-boats"], "nick": "me"}), "4h")
    c.f("Documents/user.lock", b"", "4h")
    c.f("Documents/catalog.hive", hive({"page:1": {"url": "https://api.example.com/packs?page=1", "fetchedAt": c.iso("6h"), "body": json.dumps({"packs": ["pack %d" % k for k in range(50)], "next_cursor": c.hex(20, "n")})}, "page:2": {"url": "https://api.example.com/packs?page=2", "fetchedAt": c.iso("6h"), "body": json.dumps({"packs": ["pack %d" % k for k in range(50, 100)], "next_cursor": None})}}), "6h")
    c.f("Documents/catalog.lock", b"", "6h")
    c.f("tmp/image_picker_%s.jpg" % c.uuid("ip"), jpeg(320, 240, "ip"), "9d")
    c.prefs({"flutter.gridColumns": 4})
    c.label("Documents/packs/remote/**", "user", "Stickers cut out of the user's photos: publisher me, serverId null, unpublished, with masks.")
    c.label("Documents/packs/mine/**", "regenerable", "Packs of a shop: serverId, CDN address, etag, digests, one burst each.")
    c.label("Documents/user.*", "state", "Favourites and recents of the user in a Hive box and its lock.")
    c.label("Documents/catalog.hive", "regenerable", "Pages of a server's answer with fetchedAt and cursor in a Hive box.")
    c.label("tmp/**", "temp", "Picked picture in tmp.")


@container("podcast-studio-feeds", "com.example.feedstudio", "A podcast studio: the user's episodes lie beside the feed that the app generates")
def studio(c):
    c.common()
    for s, show in enumerate(("harbour-hour", "weir-talk")):
        items = []
        for i, a in enumerate(c.human(5, 160, key=s)):
            b = "Documents/feeds/%s/episode-%02d/" % (show, i + 1)
            c.f(b + "host.wav", wav((12 + i) * MB, (s, i), info={"ISFT": "FeedStudio 6 input: microphone"}), a, size=(12 + i) * MB)
            c.f(b + "guest.caf", caf((8 + i) * MB, (s, i)), a - 4, size=(8 + i) * MB)
            c.f(b + "project.json", js({"tracks": ["host.wav", "guest.caf"], "cuts": [[12.5, 14.1], [88.0, 91.7]], "gain": [-2, 1.5], "state": "published" if i < 3 else "draft", "notes": "ask again about the pump"}), a - 6000)
            mix = mp3((s, i), TIT2="Episode %d" % (i + 1), TALB=show, TENC="FeedStudio 6")
            c.f(b + "mixdown.mp3", mix, a - 9000, size=(7 + i) * MB)
            if i < 3: items.append(("Episode %d" % (i + 1), "https://shows.example.org/%s/%d" % (show, i + 1), c.http(a), "With a guest", ("https://shows.example.org/%s/%d.mp3" % (show, i + 1), (7 + i) * MB)))
        c.f("Documents/feeds/%s/feed.xml" % show, rss(show, "https://shows.example.org/" + show, items).replace(b"<ttl>60</ttl>", b"<generator>FeedStudio 6 on this device</generator>"), "14d")
    ages = c.burst(8, "77d", 2)
    lib = []
    for i, a in enumerate(ages[:-1]):
        u = "https://sounds.example.com/cc0/sting-%02d.mp3" % i
        c.f("Documents/Sounds/%s.mp3" % md5(u), mp3(("st", i), TIT2="Sting %d" % i, TCOP="CC0 Example Sounds", WOAF=u), a, size=400 * KB + i * 1000)
        lib.append({"url": u, "file": md5(u) + ".mp3", "etag": c.hex(16, i), "downloaded": c.iso(a)})
    c.f("Documents/Sounds/library.json", js(lib), ages[-1])
    c.f("Library/Application Support/Logs.sqlite", db(["CREATE TABLE production_log (id INTEGER PRIMARY KEY, show TEXT, day TEXT, text TEXT)", ("INSERT INTO production_log(show, day, text) VALUES (?,?,?)", [("harbour-hour", c.day("%dd" % (i * 9)), "rang the pilot, he wants to talk after the season") for i in range(12)])]), "9d")
    for i in range(3): c.f("Library/Application Support/Diagnostics/%s" % c.day("%dd" % i, "audio-%Y-%m-%d"), logtext(c, "%dd" % i, 70, "AVAudioEngine", ("route change speaker", "xrun 12 frames", "engine started 48000", "render 2.1ms")), "%dd" % i)
    c.prefs({"inputGain": 0.8, "publishHost": "shows.example.org"})
    c.label("Documents/feeds/*/*/mixdown.mp3", "open", "A mix that the app can make from tracks and project; its published form is on a server.")
    c.label("Documents/feeds/*/feed.xml", "open", "A feed that the app generated for the user's show.")
    c.label("Documents/feeds/**", "user", "Tracks of the microphone and projects of the user's episodes, drafts among them.")
    c.label("Documents/Sounds/**", "regenerable", "Sounds named by MD5 of the address in library.json with etag.")
    c.label("Library/Application Support/Logs.sqlite", "user", "A production log that the user writes by hand: notes with show and day.")
    c.label("Library/Application Support/Diagnostics/*", "log", "Daily logs of the audio engine without extension.")


@container("music-sketch-assets", "com.example.loopassets", "A music sketch pad: takes in Assets/AudioFiles, loop packs in Songs")
def music(c):
    c.common()
    for i, a in enumerate(c.human(7, 130)):
        b = "Documents/Assets/AudioFiles/Sketch %d/" % (i + 1)
        for k in range(1 + i % 3): c.f(b + "Take%d.caf" % (k + 1), caf((3 + k) * MB, (i, k)), a - k * 500, size=(3 + k) * MB)
        c.f(b + "session.plist", archive({"$class": "LASession", "tempo": 92.5, "tracks": [{"$class": "LATrack", "file": "Take1.caf", "name": "hum into phone", "muted": False}], "lyrics": "and the water keeps the time"}), a - 3000)
    rows = []
    for p, n in enumerate(("dusty-drums", "tape-keys")):
        ages = c.burst(13, "%dd9h" % (40 + p), .8)
        files = {"%s_%03dbpm.m4a" % (k, 80 + 5 * p): (k, i) for i, k in enumerate(("kick", "snare", "hat", "ride", "tom", "pad", "stab", "bass", "arp", "vox"))}
        packed = {}
        for i, fn in enumerate(files):
            size = 300 * KB + i * 100
            loop = mp4(8, size, 1700000000 + p, audio=True, tags={"cpy": "Example Loops royalty free", "alb": n})
            packed[fn] = loop.ljust(size - 1, b"\0") + b"\1"
            c.f("Documents/Songs/%s/%s" % (n, fn), loop, ages[i], size=size)
        c.f("Documents/Songs/%s/.complete" % n, b"", ages[10])
        rows.append((n, "https://loops.example.com/packs/%s.zip" % n, "Songs/" + n, 1 + p, c.hex(32, n), c.iso(ages[0])))
        c.f("Documents/Songs/%s.zip" % n, zipped(packed), ages[11] + 60, size=None)
    c.f("Library/Application Support/store.db", db(["CREATE TABLE content_pack (slug TEXT PRIMARY KEY, download_url TEXT, install_path TEXT, version INTEGER, md5 TEXT, installed_at TEXT)", ("INSERT INTO content_pack VALUES (?,?,?,?,?,?)", rows)]), "40d")
    for i in range(4): c.f("tmp/undo-%s/%d.caf" % (c.hex(6, "u"), i), caf(2 * MB, ("u", i)), "6d%dm" % i, size=2 * MB)
    c.f("Library/Caches/Bounces/Sketch 3 for the band.m4a", mp4(140, 3 * MB, int(c.at("5d")), audio=True, tags={"nam": "Sketch 3 for the band", "too": "LoopAssets"}), "5d", size=3 * MB)
    c.prefs({"countIn": 1, "latency": 11})
    c.label("Documents/Assets/AudioFiles/**", "user", "Takes and sessions (keyed archives with lyrics) over months.")
    c.label("Documents/Songs/*.zip", "regenerable", "Archives of packs that lie unpacked beside them; store.db has the address.")
    c.label("Documents/Songs/**", "regenerable", "Loop packs that store.db lists with address, version and MD5.")
    c.label("Library/Application Support/store.db", "open", "The register of which packs the user installed.")
    c.label("tmp/**", "temp", "Undo files in tmp.")
    c.label("Library/Caches/Bounces/*", "open", "A bounce that can be made again from a sketch, perhaps.")


@container("meet-hive-outbox", "com.example.meetcache", "A dating app in Flutter: Hive boxes for an outbox, drafts, and profiles of a server")
def meet(c):
    c.common()
    c.f("Documents/cache_outbox.hive", hive({c.uuid("o", i, lower=True): {"to": "p%d" % (i * 7), "text": "I would like to hear more about the lighthouse. " * (1 + i), "createdAt": c.iso("%dh" % (3 + i)), "state": "pending", "attempts": i} for i in range(4)}), "3h")
    c.f("Documents/cache_outbox.lock", b"", "3h")
    c.f("Documents/profile_draft.hive", hive({"about": "Rows before breakfast, reads after. Looking for somebody who", "photosOrder": ["a", "c", "b"], "saved": False}), "26h")
    c.f("Documents/profile_draft.lock", b"", "26h")
    big = {"p%d" % i: {"id": "p%d" % i, "name": "Candidate %d" % i, "age": 30 + i % 9, "distanceKm": i % 40, "photos": ["https://img.example.com/p/%d/%d.jpg" % (i, k) for k in range(4)], "fetchedAt": c.iso("5h"), "ttl": 21600, "etag": c.hex(12, i)} for i in range(180)}
    c.f("Documents/people.hive", hive(big), "5h"); c.f("Documents/people.lock", b"", "5h")
    rows = []
    for i, a in enumerate(c.burst(20, "5h", 1)):
        u = "https://img.example.com/p/%d/0.jpg" % i
        c.f("Documents/mine/%s" % c.uuid("ph", i, lower=True), jpeg(240, 320, ("p", i), comment="cdn resized w=240 q=80"), a)
        rows.append((u, c.uuid("ph", i, lower=True), c.ms(a), c.ms(a) + 7 * D * 1000, c.hex(12, i), i))
    c.f("Library/Application Support/libCachedImageData.db", db(["CREATE TABLE cacheObject (_id INTEGER PRIMARY KEY, url TEXT, key TEXT, relativePath TEXT, eTag TEXT, validTill INTEGER, touched INTEGER, length INTEGER)", ("INSERT INTO cacheObject VALUES (?,?,?,?,?,?,?,?)", [(k, u, u, "../../Documents/mine/" + p, e, v, t, 9000) for k, (u, p, t, v, e, _) in enumerate(rows, 1)])], user_version=3), "5h")
    for i, a in enumerate(c.human(4, 60, key="v")): c.f("Documents/download_temp/voice_%s.m4a" % c.day(a, "%Y%m%d%H%M%S"), mp4(20, 240 * KB, int(c.at(a)), audio=True, tags={"too": "record 5.0 (microphone)"}), a, size=240 * KB + i)
    c.f("Documents/download_temp/unsent.json", js([{"file": "voice_%s.m4a" % c.day(a, "%Y%m%d%H%M%S"), "to": "p7", "uploaded": False, "reason": "recipient paused"} for a in c.human(4, 60, key="v")]), "3h")
    c.prefs({"flutter.token_ref": "keychain", "flutter.filters": "{\"max\": 44}"})
    c.label("Documents/cache_outbox.*", "user", "Messages in waiting: state pending, attempts; no server has them.")
    c.label("Documents/profile_draft.*", "user", "A draft of the user's own profile, not saved.")
    c.label("Documents/people.hive", "regenerable", "Profiles of a server with fetchedAt, ttl and etag.")
    c.label("Documents/mine/*", "regenerable", "Pictures that the table cacheObject lists with url, eTag and validTill.")
    c.label("Library/Application Support/libCachedImageData.db", "regenerable", "The register of an image cache and nothing else.")
    c.label("Documents/download_temp/*", "user", "Own voice messages that unsent.json calls not uploaded.")


@container("notes-lmdb-cachemdb", "com.example.quietnotes", "Local notes in LMDB called cache, spelling data in LevelDB (C++ core)")
def lnotes(c):
    c.common()
    pairs = [(b"note:%04d" % i, js({"title": t, "body": "remember the second key and the name of the pilot " * 2, "edited": c.iso(a), "pinned": i == 2})) for i, (t, a) in enumerate(zip(["Slipway", "To say on Sunday", "Locks", "Mother", "Recipe soup", "Words", "Boat list", "Kiln", "Letter"], c.human(9, 300)))]
    c.f("Library/Application Support/cache.mdb/data.mdb", lmdb(pairs), "16h")
    c.f("Library/Application Support/cache.mdb/lock.mdb", struct.pack("<II", 0xBEEFC0DE, 0x02000001).ljust(8192, b"\0"), "16h")
    for i, (k, v) in enumerate(pairs[:4]): c.f("Documents/blobs/%s" % sha256(k)[:40], jpeg(320, 240, k, exif(when=c.day("%dd" % (200 - i * 40), "%Y:%m:%d %H:%M:%S"))), "%dd" % (200 - i * 40))
    idx = [(b"lemma/%s" % w, js({"freq": i, "src": "wordlist-2026.1"})) for i, w in enumerate((b"anchor", b"bollard", b"capstan", b"davit", b"eddy", b"fender", b"gunwale", b"hawser"))]
    c.tree("Library/Application Support/data", leveldb(idx, [(b"meta/source", b"https://words.example.org/en/wordlist-2026.1.txt"), (b"meta/etag", c.hex(16, "w").encode()), (b"meta/imported", c.iso("100d").encode())]), "100d")
    c.f("Library/Application Support/sync/journal.jsonl", "".join(json.dumps({"op": "put", "key": "note:%04d" % (i % 9), "rev": 100 + i, "pushed": False}) + "\n" for i in range(30)), "16h")
    for i in range(3): c.f("Documents/.quietnotes-%d.old" % (i + 1), lmdb(pairs[:4 + i])[:9000], "%dd" % (290 - i))
    c.prefs({"spell": True, "sync": False, "storeVersion": 7, "migratedFrom": ".quietnotes-3.old"})
    c.label("Library/Application Support/cache.mdb/**", "user", "LMDB with the notes; sync is off in the preferences.")
    c.label("Documents/blobs/*", "user", "Pictures of the camera in notes.")
    c.label("Library/Application Support/data/**", "regenerable", "LevelDB of an imported word list with its address and etag.")
    c.label("Library/Application Support/sync/journal.jsonl", "state", "A journal of changes not yet pushed; not a log of diagnostics.")
    c.label("Documents/.quietnotes-*.old", "orphan", "Truncated stores of before a migration, older than the store in use by months.")


@container("calendar-cache-sqlite", "com.example.calendarcache", "A calendar: local calendars in Cache.sqlite, mirrored ones in Calendars.sqlite (Core Data)")
def calendar(c):
    c.common()
    A = "Library/Application Support/"
    c.f(A + "Cache.sqlite", coredata({"Event": {"title": "VARCHAR", "notes": "VARCHAR", "start": "TIMESTAMP", "modified": "TIMESTAMP", "serverid": "VARCHAR", "calendar": "INTEGER"}, "Calendar": {"name": "VARCHAR", "kind": "VARCHAR"}},
        {"Event": [(t, "bring the blue folder" if i % 3 == 0 else None, c.apple((i * 3 - 40) * D + 5 * H), c.apple("%dd" % (i + 1)), None, 1 + i % 2) for i, t in enumerate(["Dentist", "Choir", "Rowing", "Night shift", "Birthday"] * 8)],
         "Calendar": [("Private", "on this device"), ("Shifts", "on this device")]}), "5h")
    c.f(A + "Calendars.sqlite", coredata({"Remoteevent": {"href": "VARCHAR", "etag": "VARCHAR", "ics": "VARCHAR", "fetched": "TIMESTAMP"}, "Remotecalendar": {"url": "VARCHAR", "ctag": "VARCHAR", "synctoken": "VARCHAR", "readonly": "INTEGER"}},
        {"Remoteevent": [("https://dav.example.org/public/holidays/%d.ics" % i, '"%s"' % c.hex(12, i), "BEGIN:VEVENT\nUID:%d\nSUMMARY:Holiday %d\nEND:VEVENT" % (i, i), c.apple("4h")) for i in range(150)],
         "Remotecalendar": [("https://dav.example.org/public/holidays/", "312", "sync-9912", 1), ("https://dav.example.org/public/tides/", "88", "sync-12", 1)]}), "4h")
    for i in range(3): c.f("Documents/shared/%s.ics" % ("holidays", "tides", "moon")[i], "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example Tides//feed 2//EN\r\nX-PUBLISHED-TTL:PT12H\r\nREFRESH-INTERVAL;VALUE=DURATION:PT12H\r\nSOURCE;VALUE=URI:https://feeds.example.org/%d.ics\r\n" % i + "".join("BEGIN:VEVENT\r\nUID:%d@feeds.example.org\r\nDTSTART:2026%02d01\r\nSUMMARY:Spring tide\r\nEND:VEVENT\r\n" % (k, k % 12 + 1) for k in range(60)) + "END:VCALENDAR\r\n", c.burst(3, "7h")[i])
    c.f("Documents/temp.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//com.example.calendarcache//export by user//EN\r\nBEGIN:VEVENT\r\nUID:local-1\r\nSUMMARY:Choir\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", "61d")
    c.f(A + "attachments/%s/Shift plan May.pdf" % c.uuid("e"), pdf(["Shifts in May"], "Example Office 7", title="Shift plan"), "88d")
    c.f(A + "attachments/%s/IMG_0441.HEIC" % c.uuid("f"), heic("cal", exif(when=c.day("20d", "%Y:%m:%d %H:%M:%S"))), "20d", size=900 * KB)
    for i in range(2): c.f(A + "dav-%d.txt" % i, "\n".join("%s >> PROPFIND /public/ HTTP/1.1\n%s << 207 Multi-Status" % (c.iso("%dh" % (i + 2)), c.iso("%dh" % (i + 2))) for _ in range(60)), "%dh" % (i * 24 + 4))
    c.prefs({"firstWeekday": 2, "showShifts": True})
    c.label(A + "Cache.sqlite", "user", "Events of calendars on this device: every serverid is null.")
    c.label(A + "Calendars.sqlite", "regenerable", "Mirror of public read-only calendars with href, etag, ctag and sync token.")
    c.label("Documents/shared/*", "regenerable", "Subscribed feeds with SOURCE and REFRESH-INTERVAL.")
    c.label("Documents/temp.ics", "user", "A calendar that the user exported.")
    c.label(A + "attachments/**", "user", "Attachments that the user put to own events.")
    c.label(A + "dav-*.txt", "log", "Transcripts of requests.")
