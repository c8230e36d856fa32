from kit import *


@container("rss-bundle42", "com.example.plainfeeds", "A feed reader (Swift, GRDB): articles and pages under bundle42, OPML and clippings of the user under remote")
def rssreader(c):
    c.common()
    rows = []
    for f in range(6):
        a = "%dh" % (1 + f)
        items = [("Post %d" % i, "https://blog%d.example.org/p/%d" % (f, i), c.iso("%dd" % i), "Words about tides & locks", None) for i in range(15)]
        c.f("Documents/bundle42/f%d" % f, rss("Blog %d" % f, "https://blog%d.example.org/atom" % f, items, atom=f % 2 == 0), a)
        c.f("Documents/bundle42/f%d.meta" % f, js({"url": "https://blog%d.example.org/atom" % f, "ETag": c.hex(12, f), "Last-Modified": c.http(a), "nextPoll": c.iso(-3600)}), a)
    for i, a in enumerate(c.burst(14, "90m", 3)):
        u = "https://blog%d.example.org/p/%d" % (i % 6, i)
        html = ("<!DOCTYPE html><html><head><link rel=\"canonical\" href=\"%s\"><title>Post %d</title></head><body>" % (u, i) + "<p>The mole was rebuilt twice.</p>" * 50 + "</body></html>").encode()
        c.f("Documents/bundle42/pages/%s.webarchive" % md5(u), plist({"WebMainResource": {"WebResourceData": html, "WebResourceURL": u, "WebResourceMIMEType": "text/html", "WebResourceTextEncodingName": "UTF-8", "WebResourceFrameName": ""}, "WebSubresources": [{"WebResourceData": jpeg(80, 60, ("wa", i)), "WebResourceURL": u + "/a.jpg", "WebResourceMIMEType": "image/jpeg"}]}), a)
        rows.append((u, md5(u), c.ms(a)))
    c.f("Documents/remote/subscriptions.opml", "<?xml version='1.0'?><opml version='2.0'><head><title>My feeds</title><dateModified>%s</dateModified></head><body>" % c.http("5d") + "".join("<outline text='Blog %d' type='rss' xmlUrl='https://blog%d.example.org/atom'/>" % (f, f) for f in range(6)) + "</body></opml>", "5d")
    for i, a in enumerate(c.human(5, 90)): c.f("Documents/remote/clipping-%d.html" % i, "<blockquote>The mole was rebuilt twice.</blockquote><p class=mine>Why twice? Ask at the archive. (%d)</p>" % i, a)
    c.f("Library/Application Support/articles.db", db(["CREATE TABLE item (url TEXT PRIMARY KEY, feed INTEGER, title TEXT, body TEXT, fetched_at INTEGER, expires_at INTEGER)", "CREATE VIRTUAL TABLE item_fts USING fts5(title, body)",
        ("INSERT INTO item VALUES (?,?,?,?,?,?)", [("https://blog%d.example.org/p/%d" % (f, i), f, "Post %d" % i, "Words about tides " * 9, c.ms("2h"), c.ms("2h") + 30 * D * 1000) for f in range(6) for i in range(15)])]), "2h")
    c.f("Library/Application Support/state.db", db(["CREATE TABLE starred (url TEXT PRIMARY KEY, at INTEGER, tag TEXT)", "CREATE TABLE read (url TEXT PRIMARY KEY, at INTEGER)", ("INSERT INTO starred VALUES (?,?,?)", [("https://blog1.example.org/p/%d" % i, c.ms("%dd" % i), "later") for i in range(9)])]), "2h")
    c.f("Documents/bundle42/pages/%s.tmp" % c.hex(8, "t"), "<!DOCTYPE html><html><head><ti", "6d")
    c.prefs({"refresh": 60, "font": "Serif"})
    c.label("Documents/bundle42/pages/*.tmp", "temp", "Truncated page under a temporary name, days old.")
    c.label("Documents/bundle42/**", "regenerable", "Feeds with ETag sidecars and web archives named by MD5 of their canonical address.")
    c.label("Documents/remote/**", "user", "The user's subscriptions in OPML and clippings with comments.")
    c.label("Library/Application Support/articles.db", "regenerable", "Fetched articles with expiry and a full-text index; read and starred marks are in another database.")
    c.label("Library/Application Support/state.db", "state", "Starred and read marks.")


@container("browser-library-lists", "com.example.plainbrowser", "A browser on WebKit: downloads and saved pages of the user, lists and icons of servers")
def browser(c):
    c.common(webkit=True)
    for i, a in enumerate(c.human(5, 120)):
        n = ["Lease.pdf", "tickets-oct.pdf", "pattern.zip", "statement(1).pdf", "boat.jpg"][i]
        d = pdf([n], "Example Server 3") if n.endswith("pdf") else zipped({"pattern/a.svg": "<svg/>"}) if n.endswith("zip") else jpeg(320, 200, "boat")
        c.f("Documents/Downloads/" + n, d, a)
    for i, a in enumerate(c.human(4, 60, key="pg")): c.f("Documents/Offline/%s.webarchive" % ["Bread", "Knots", "Old forum thread", "Obituary"][i], plist({"WebMainResource": {"WebResourceData": b"<html><body>" + b"<p>saved by the reader</p>" * 60 + b"</body></html>", "WebResourceURL": "https://gone.example.org/%d" % i, "WebResourceMIMEType": "text/html", "WebResourceTextEncodingName": "UTF-8", "WebResourceFrameName": ""}}), a)
    P = "Library/Application Support/profile/"
    c.f(P + "places.db", db(["CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT, title TEXT, visit_count INTEGER)", "CREATE TABLE bookmarks (id INTEGER PRIMARY KEY, parent INTEGER, title TEXT, url TEXT, added INTEGER)", ("INSERT INTO bookmarks(parent,title,url,added) VALUES (0,?,?,?)", [("Bread", "https://example.org/bread", c.ms("80d"))]), ("INSERT INTO moz_places(url,title,visit_count) VALUES (?,?,?)", [("https://example.org/%d" % i, "Page %d" % i, i) for i in range(200)])], user_version=22), "20m")
    c.f(P + "pictures", db(["CREATE TABLE favicon (page_host TEXT PRIMARY KEY, icon_url TEXT, png BLOB, fetched_at INTEGER, expires_at INTEGER)", ("INSERT INTO favicon VALUES (?,?,?,?,?)", [("s%d.example.org" % i, "https://s%d.example.org/favicon.ico" % i, png(32, 32, ("f", i)), c.ms("%dh" % i), c.ms("%dh" % i) + 7 * D * 1000) for i in range(70)])]), "1h")
    c.f(P + "Tabs.plist", archive([{"$class": "PBTab", "url": "https://example.org/%d" % i, "title": "Page %d" % i, "scroll": .2 * i, "lastUsed": c.iso("%dh" % i)} for i in range(12)]), "20m")
    ages = c.burst(6, "2d6h", 1)
    for i, n in enumerate(("ads", "privacy", "cookies", "social")):
        c.f(P + "Things/%s.json" % n, js([{"trigger": {"url-filter": "^https?://([^/]*\\.)?t%d\\.example\\.net/" % k}, "action": {"type": "block"}} for k in range(200)]), ages[i])
        c.f(P + "Things/%s.json.etag" % n, 'W/"%s"' % c.hex(20, n), ages[i])
    c.f(P + "Things/nimbus.json", js({"data": [{"slug": "tab-tray-%d" % i, "branches": [{"slug": "control", "ratio": 1}, {"slug": "treatment", "ratio": 1}], "bucketConfig": {"start": 0, "count": 2000, "total": 10000}, "schemaVersion": "1.12.0", "last_modified": c.ms("2d")} for i in range(14)]}), ages[5])
    c.f("Library/WebKit/WebsiteData/Default/%s/IndexedDB/%s/IndexedDB.sqlite3" % (c.hex(12, 1), c.hex(40, 2).upper()), db(["CREATE TABLE IDBDatabaseInfo (key TEXT NOT NULL ON CONFLICT FAIL UNIQUE ON CONFLICT REPLACE, value TEXT NOT NULL ON CONFLICT FAIL)", "CREATE TABLE Records (objectStoreID INTEGER NOT NULL, key TEXT, value NOT NULL ON CONFLICT FAIL, recordID INTEGER PRIMARY KEY)"]), "4h")
    c.f("Library/Cookies/Cookies.binarycookies", b"cook" + struct.pack(">II", 1, 60) + b"\0\0\1\0" + struct.pack("<II", 1, 16) + b"\0" * 48 + b"\0\0\7\x17\x17 \5\0\0\0K", "30m")
    c.f("Documents/Downloads/.pattern-large.zip.plainbrowserdownload", zipped({"a": "b" * 900})[:90], "18d", size=4 * MB)
    c.f(P + "profile.old.db", db(["CREATE TABLE history (id INTEGER PRIMARY KEY, url TEXT)", ("INSERT INTO history(url) VALUES (?)", [("https://example.org/%d" % i,) for i in range(300)])], user_version=3), "400d")
    c.f(P + "migration.json", js({"from": "profile.old.db (v3)", "to": "places.db (v22)", "rowsCopied": 300, "finishedAt": c.iso("400d")}), "400d")
    c.prefs({"homepage": "about:blank", "blockLists": True})
    c.label("Documents/Downloads/.*", "temp", "A partial download, abandoned.")
    c.label("Documents/Downloads/**", "open", "Files that the user downloaded: perhaps still on the server.")
    c.label("Documents/Offline/*", "user", "Pages that the reader saved one by one.")
    c.label(P + "profile.old.db", "orphan", "The store of before a finished migration, by migration.json.")
    c.label(P + "places.db", "user", "Bookmarks and history.")
    c.label(P + "pictures", "regenerable", "Table of favicons with address and expiry.")
    c.label(P + "Tabs.plist", "state", "Open tabs.")
    c.label(P + "Things/*", "regenerable", "Content blocking lists with etags and experiments of a server, one burst.")
    c.label("Library/WebKit/**", "state", "Website data of the web view.")
    c.label("Library/Cookies/*", "state", "Cookies.")


@container("bank-data-events", "com.example.coinhouse", "A bank's app: logs, crash reports, configuration of a server under plain names; templates of the user")
def bank(c):
    c.common()
    for i in range(12): c.f("Documents/data/%s" % c.day("%dd" % (i + 1), "p-%Y%m%d"), logtext(c, "%dd" % (i + 1), 100, "Core", ("POST /v3/session 200 in 211 ms", "pin prompt shown", "certificate pin ok", "token refreshed", "push registered")), "%dd" % (i + 1))
    c.f("Documents/data/p-current", logtext(c, "10m", 100, "Core"), "10m")
    for i in range(3): c.f("Library/Application Support/Items/%s.json" % c.uuid("cr", i), ips(c, "%dd" % (14 + 20 * i), "Coinhouse"), "%dd" % (14 + 20 * i))
    c.f("Library/Application Support/Settings.json", js({"schema": 4, "etag": c.hex(20, "e"), "ttlSeconds": 21600, "fetchedAt": c.iso("4h"), "features": {"instantPay": {"enabled": True, "rollout": 40}, "cardFreeze": {"enabled": True}}, "experiments": [{"key": "home_2", "variant": "c", "assignedBy": "server"}], "killSwitches": {"chat": False}, "minVersion": "7.1.0"}), "4h")
    c.f("Library/Application Support/Texts/de.strings.json", js({"revision": 9912, "source": "https://cms.example.com/export/de", "etag": c.hex(12, "t"), "values": {"k%d" % i: "Text %d" % i for i in range(200)}}), "8d")
    c.f("Documents/temp/templates.plist", plist([{"name": t, "reference": "Rent %d" % i, "amount": "640.00", "iban": "XX00 0000 0000 0000 000%d" % i, "createdBy": "user", "synced": False, "created": c.date("%dd" % (i * 40 + 3))} for i, t in enumerate(["Rent", "Choir", "Boat yard"])]), "3d")
    led = []
    for i, a in enumerate(c.burst(8, "6d2h", 2)):
        n = c.uuid("st", i, lower=True)
        c.f("Documents/Files/%s" % n, pdf(["Statement %d" % i], "Coinhouse Document Service 4 (server)", title="Statement"), a)
        led.append({"documentId": "D-%05d" % i, "href": "https://api.example.com/documents/D-%05d/content" % i, "localFile": n, "availableUntil": None, "downloadedAt": c.iso(a), "etag": c.hex(12, i)})
    c.f("Documents/Files/registry.json", js({"documents": led, "next_cursor": c.hex(16, "nc"), "hasMore": True}), "6d1h")
    c.f("Documents/Files/CFNetworkDownload_%s.tmp" % "a8Kq2z", pdf(["x"], "y")[:300], "6d3h")
    c.f("Documents/receipts/Boat paint.jpg", jpeg(480, 360, "rc", exif(when=c.day("19d", "%Y:%m:%d %H:%M:%S"))), "19d")
    c.f("Documents/receipts/notes.json", js({"Boat paint.jpg": {"amount": 48.2, "for": "yard", "text": "photographed at the till"}}), "19d")
    c.prefs({"hideBalance": True, "lastTab": 2})
    c.label("Documents/data/*", "log", "Dated texts of requests with levels, one a day.")
    c.label("Library/Application Support/Items/*", "log", "Crash reports (incident_id, bug_type, threads).")
    c.label("Library/Application Support/Settings.json", "regenerable", "Remote configuration: etag, ttl, rollout, experiments assigned by the server.")
    c.label("Library/Application Support/Texts/*", "regenerable", "Texts of a content system with source, revision and etag.")
    c.label("Documents/temp/templates.plist", "user", "Payment templates that the user made, not synced.")
    c.label("Documents/Files/*.tmp", "temp", "A spool file of CFNetwork, truncated.")
    c.label("Documents/Files/*", "regenerable", "Statements that the server offers without limit (registry.json: href, etag).")
    c.label("Documents/receipts/*", "user", "A photograph of the user's and notes on it.")


@container("home-hub-items", "com.example.roomslib", "A smart home app (Kotlin Multiplatform, SQLDelight): firmware and icons, scenes in remote_cache.db")
def home(c):
    c.common()
    A = "Library/Application Support/"
    fw = []
    for i in range(4):
        d = b"\x27\x05\x19\x56" + struct.pack(">IIII", 0x1234 + i, 1760000000 + i, 900000, 0x80000000) + b"\0" * 12 + ("plug-fw-%d" % i).encode().ljust(32, b"\0") + c.rng("fw", i).randbytes(2000)
        c.f(A + "bundle/%08x.img" % (0xA0 + i), d, "%dd2h" % (8 + i * 15), size=900 * KB + i)
        fw.append({"model": "plug-%d" % i, "version": "2.%d.1" % i, "url": "https://ota.example.com/plug-%d/2.%d.1.bin" % (i, i), "sha256": c.hex(64, i), "file": "%08x.img" % (0xA0 + i)})
    c.f(A + "bundle/index.json", js({"updates": fw, "checkedAt": c.iso("6h"), "maxAge": 86400}), "6h")
    for i, a in enumerate(c.burst(20, "50d3h", .3)): c.f(A + "Things/%d@3x.png" % (100 + i), png(60, 60, ("dev", i)), a)
    c.f(A + "Things/index.etag", '"%s"' % c.hex(32, "ix"), "50d3h"); c.f(A + "Things/index.json", js({"base": "https://static.example.com/icons/v9/", "icons": list(range(100, 120))}), "50d3h")
    c.f(A + "databases/remote_cache.db", db(["CREATE TABLE Scene (id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, actions TEXT NOT NULL, created_at INTEGER NOT NULL, local_only INTEGER NOT NULL DEFAULT 1)", "CREATE TABLE Room (id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, position INTEGER)",
        ("INSERT INTO Scene VALUES (?,?,?,?,1)", [(c.uuid("s", i, lower=True), n, js([{"device": "plug-1", "set": "off"}]).decode(), c.ms("%dd" % (i * 20 + 1))) for i, n in enumerate(["Good night", "Film", "Away", "Baking"])]), ("INSERT INTO Room VALUES (?,?,?)", [("r%d" % i, n, i) for i, n in enumerate(["Kitchen", "Attic", "Workshop"])])], user_version=5), "1d4h")
    c.f(A + "databases/home.db", db(["CREATE TABLE DeviceDto (remote_id TEXT PRIMARY KEY, model TEXT, state TEXT, fetched_at INTEGER, etag TEXT)", "CREATE TABLE Page (endpoint TEXT PRIMARY KEY, next_cursor TEXT, fetched_at INTEGER, ttl INTEGER)", ("INSERT INTO DeviceDto VALUES (?,?,?,?,?)", [("d%d" % i, "plug-%d" % (i % 4), "{\"on\":true}", c.ms("20m"), c.hex(8, i)) for i in range(60)]), ("INSERT INTO Page VALUES (?,?,?,?)", [("/v2/devices", None, c.ms("20m"), 300), ("/v2/events", c.hex(20, "e"), c.ms("20m"), 300)])], user_version=5), "20m")
    for i in range(4): c.f("Documents/ktor-%d.txt" % i, "\n".join("REQUEST: https://api.example.com/v2/devices\nMETHOD: GET\nRESPONSE: 200 OK in %d ms" % (80 + k) for k in range(60)), "%dd1h" % i)
    for i, a in enumerate(c.human(4, 40)): c.f("Documents/cam-download/Front door %s.mp4" % c.day(a, "%Y-%m-%d %H.%M"), mp4(30, 6 * MB + i, int(c.at(a)), tags={"too": "rooms manual capture"}), a, size=6 * MB + i)
    c.f("Documents/cam-download/about.json", js({"storage": "phone only, no cloud subscription", "savedBy": "user tapped record"}), "40d")
    c.prefs({"defaultRoom": "r0"})
    c.label(A + "bundle/*", "regenerable", "Firmware images (U-Boot head) with address and digest in index.json.")
    c.label(A + "Things/*", "regenerable", "Icons of a static server with an etag, one burst.")
    c.label(A + "databases/remote_cache.db", "user", "Scenes and rooms that the user made, local_only.")
    c.label(A + "databases/home.db", "regenerable", "Mirror of the server's devices: fetched_at, etag, cursor, ttl.")
    c.label("Documents/ktor-*.txt", "log", "Transcripts of requests.")
    c.label("Documents/cam-download/*", "user", "Films that the user recorded, on the phone only.")


@container("travel-guides-codepush", "com.example.wayfarer", "A travel guide in React Native: guides as archive and unpacked, CodePush bundles, an itinerary in MMKV")
def travel(c):
    c.common()
    for n, day in (("lisbon", 33), ("oslo", 12)):
        files = {"guide.json": js({"city": n, "rev": 118, "pois": [{"id": i, "t": "Place %d" % i} for i in range(120)]}), "cover.jpg": jpeg(300, 200, n), "walk.geojson": js({"type": "FeatureCollection", "features": []}), "photos/a.jpg": jpeg(240, 160, (n, "a")), "photos/b.jpg": jpeg(240, 160, (n, "b"))}
        c.f("Documents/guides/%s.zip" % n, zipped(files), "%dd7h" % day)
        for (k, v), a in zip(files.items(), c.burst(5, seconds("%dd7h" % day) - 2, .05)): c.f("Documents/guides/%s/%s" % (n, k), v, a)
        c.f("Documents/guides/%s/.metadata" % n, js({"downloadUrl": "https://guides.example.com/v5/%s.zip" % n, "revision": 118, "eTag": c.hex(16, n), "expires": c.iso(-20 * D)}), "%dd7h" % day)
    B = "Library/Application Support/CodePush/"
    for h, day, cur in ((c.hex(64, "cp1"), 9, True), (c.hex(64, "cp0"), 70, False)):
        c.f(B + "%s/codepush_manifest" % h[:64], js(["CodePush/main.jsbundle:" + c.hex(64, h, 1), "CodePush/assets/logo.png:" + c.hex(64, h, 2)]), "%dd" % day)
        c.f(B + "%s/CodePush/main.jsbundle" % h, "var __BUNDLE_START_TIME__=this.nativePerformanceNow?nativePerformanceNow():Date.now()," + "__d(function(g,r){});" * 400, "%dd" % day, size=2 * MB)
        c.f(B + "%s/app.json" % h, js({"deploymentKey": "example", "downloadUrl": "https://updates.example.com/%s" % h[:10], "packageHash": h, "label": "v%d" % (12 if cur else 11)}), "%dd" % day)
    c.f(B + "codepush.json", js({"currentPackage": c.hex(64, "cp1"), "previousPackage": None}), "9d")
    dat, crc = mmkv({"itinerary": json.dumps({"city": "oslo", "days": [{"date": c.day(-9 * D), "plan": ["ferry", "the small museum", "call M."]}], "savedOnServer": False}), "packing": json.dumps(["boots", "adapter", "letter"]), "lastTab": "plan"})
    c.f("Documents/mmkv/cache", dat, "5h"); c.f("Documents/mmkv/cache.crc", crc, "5h")
    dat, crc = mmkv({"GET https://api.example.com/v5/cities?page=1": json.dumps({"fetchedAt": c.ms("3h"), "maxAge": 3600, "etag": c.hex(12, 1), "body": {"cities": ["c%d" % i for i in range(120)], "next": "/v5/cities?page=2"}}), "GET https://api.example.com/v5/rates": json.dumps({"fetchedAt": c.ms("3h"), "maxAge": 3600, "etag": c.hex(12, 2), "body": {"NOK": 11.7}})})
    c.f("Documents/mmkv/wayfarer", dat, "3h"); c.f("Documents/mmkv/wayfarer.crc", crc, "3h")
    for i, a in enumerate(c.human(4, 30)): c.f("Documents/guides/offline/diary-%d.json" % i, js({"text": "Rain until four. Sat with the model ships.", "by": "me", "at": c.iso(a), "photo": None}), a)
    c.f("Documents/guides/bergen.zip.part", zipped({"guide.json": "x" * 4000})[:60], "12d8h", size=800 * KB)
    c.prefs({"currency": "EUR"})
    c.label("Documents/guides/offline/*", "user", "Diary entries by the user at human times.")
    c.label("Documents/guides/*.part", "temp", "A partial archive.")
    c.label("Documents/guides/**", "regenerable", "Archives and their unpacked copies, with address, eTag and expiry in .metadata.")
    c.label(B + "*/**", "regenerable", "Bundles of an update service with manifest and address (one current, one old).")
    c.label(B + "codepush.json", "state", "Which bundle is current.")
    c.label("Documents/mmkv/cache*", "user", "MMKV of the itinerary (savedOnServer false) and packing list.")
    c.label("Documents/mmkv/wayfarer*", "regenerable", "MMKV of answers of an API by request, with etag and maxAge.")


@container("mail-store", "com.example.letterbox", "A mail client: mirror of an IMAP server in Store.sqlite, drafts and outbox in temp.db")
def mail(c):
    c.common()
    A = "Library/Application Support/Letterbox/"
    c.f(A + "Store.sqlite", db(["CREATE TABLE folder (id INTEGER PRIMARY KEY, path TEXT, uidvalidity INTEGER, uidnext INTEGER, highestmodseq INTEGER, last_sync INTEGER)", "CREATE TABLE message (folder INTEGER, uid INTEGER, modseq INTEGER, message_id TEXT, subject TEXT, body TEXT, flags INTEGER, PRIMARY KEY(folder, uid))",
        ("INSERT INTO folder VALUES (?,?,?,?,?,?)", [(i, p, 1700000 + i, 900, 55000, c.ms("4m")) for i, p in enumerate(["INBOX", "Archive", "Sent"])]), ("INSERT INTO message VALUES (?,?,?,?,?,?,?)", [(i % 3, i, 40000 + i, "<%s@example.org>" % c.hex(10, i), "Minutes %d" % i, "Dear all, attached the minutes. " * 6, 1) for i in range(300)])], user_version=31), "4m")
    c.f(A + "temp.db", db(["CREATE TABLE draft (id TEXT PRIMARY KEY, recipients TEXT, subject TEXT, body TEXT, edited_at INTEGER, appended_to_server INTEGER)", "CREATE TABLE outbox (id TEXT PRIMARY KEY, rfc822 BLOB, attempts INTEGER, last_error TEXT)", "CREATE TABLE signature (id INTEGER PRIMARY KEY, html TEXT)",
        ("INSERT INTO draft VALUES (?,?,?,?,?,0)", [(c.uuid("d", i), "yard@example.org", "About the keel", "I have measured it again, and", c.ms("%dh" % (3 + i * 30))) for i in range(4)]), ("INSERT INTO outbox VALUES (?,?,?,?)", [(c.uuid("ob"), b"From: me@example.com\r\nTo: yard@example.org\r\nSubject: Keel\r\n\r\nSee drawing.\r\n", 5, "550 try later")]), ("INSERT INTO signature VALUES (1, ?)", [("<p>Sent from the slipway</p>",)])], user_version=31), "3h")
    c.f(A + "Index", db(["CREATE VIRTUAL TABLE mail USING fts5(subject, body, content='')", ("INSERT INTO mail(rowid, subject, body) VALUES (?,?,?)", [(i, "Minutes %d" % i, "Dear all attached the minutes " * 5) for i in range(300)])]), "4m")
    att = []
    for i, a in enumerate(c.burst(10, "2d3h", 4)):
        c.f(A + "Files/%s" % c.uuid("a", i), pdf(["Minutes %d" % i], "Example Office 7") if i % 2 else jpeg(320, 240, ("m", i)), a)
        att.append({"folder": "INBOX", "uid": 200 + i, "part": "2", "file": c.uuid("a", i), "fetchedAt": c.iso(a), "evictable": True})
    c.f(A + "Files/parts.json", js(att), "2d3h")
    c.f(A + "Outgoing cache/keel.pdf", pdf(["Keel"], "Scan on device"), "3h")
    c.f(A + "Outgoing cache/keel.plist", plist({"draft": c.uuid("d", 0), "insertedBy": "user", "uploaded": False}), "3h")
    for i in range(5): c.f(A + "Wire/imap-%d" % i, "\n".join("%s S: * %d FETCH (UID %d FLAGS (\\Seen))\n%s C: A%04d NOOP" % (c.iso("%dh" % i), k, k + 900, c.iso("%dh" % i), k) for k in range(80)), "%dh" % (i * 8 + 1))
    c.f(A + "Pictures/%s" % md5("yard@example.org"), png(64, 64, "gr"), "6d"); c.f(A + "Pictures/index.json", js({md5("yard@example.org"): {"url": "https://avatars.example.org/%s?s=64&d=404" % md5("yard@example.org"), "expires": c.iso(-D)}}), "6d")
    c.prefs({"swipeLeft": "archive", "accounts": [{"host": "imap.example.org", "user": "me@example.com"}]})
    c.label(A + "Store.sqlite", "regenerable", "Mirror of IMAP folders: uidvalidity, uid, modseq; drafts and outbox are elsewhere.")
    c.label(A + "temp.db", "user", "Drafts not appended to the server, an outbox, signatures.")
    c.label(A + "Index", "regenerable", "A contentless full-text index.")
    c.label(A + "Files/*", "regenerable", "Parts of messages of the server with folder, uid and part; evictable.")
    c.label(A + "Outgoing cache/*", "user", "Attachment of a draft, not uploaded.")
    c.label(A + "Wire/*", "log", "Transcripts of IMAP sessions.")
    c.label(A + "Pictures/*", "regenerable", "Avatars named by MD5 of the address, with url and expiry.")


@container("tv-guide-data", "com.example.whatson", "A TV guide (.NET MAUI): programme data and logos under Library/data, reminders in download.db3")
def tv(c):
    c.common()
    x = "<?xml version='1.0' encoding='UTF-8'?><tv source-info-url='https://epg.example.org' generator-info-name='epg-export 3' date='%s'>" % c.day("5h", "%Y%m%d%H%M") + "".join("<programme start='%s%02d00' channel='c%d'><title>Show %d</title></programme>" % (c.day("0d", "%Y%m%d"), h, ch, h) for ch in range(30) for h in range(24)) + "</tv>"
    import gzip as G
    c.f("Library/data/1", G.compress(x.encode(), mtime=0), "5h"); c.f("Library/data/1.json", js(headers(c, "5h", "https://epg.example.org/de.xml.gz", c.hex(16, "epg"), "application/gzip")), "5h")
    for i, a in enumerate(c.burst(30, "28d1h", .4)): c.f("Library/data/channels/c%d.png" % i, png(80, 48, ("ch", i)), a)
    c.f("Library/data/channels/.version", js({"logoSet": 77, "cdn": "https://logos.example.org/77/", "sha1": c.hex(40, "l")}), "28d1h")
    c.f("Documents/download.db3", db(["CREATE TABLE \"Reminder\" (\"Id\" integer primary key autoincrement not null, \"Channel\" varchar, \"Title\" varchar, \"At\" bigint, \"Note\" varchar)", "CREATE TABLE \"Favourite\" (\"Channel\" varchar primary key not null, \"Position\" integer)", ("INSERT INTO Reminder(Channel,Title,At,Note) VALUES (?,?,?,?)", [("c3", "Ship building in the fifties", 638700000000000000, "record for Father")] * 4), ("INSERT INTO Favourite VALUES (?,?)", [("c%d" % i, i) for i in range(6)])]), "8h")
    c.f("Documents/What I liked.db3", db(["CREATE TABLE \"ProgrammeDetail\" (\"EpgId\" varchar primary key not null, \"Json\" varchar, \"FetchedAt\" bigint, \"MaxAge\" integer, \"ETag\" varchar)", ("INSERT INTO ProgrammeDetail VALUES (?,?,?,?,?)", [("e%d" % i, "{\"cast\":[],\"plot\":\"A lock keeper\"}", 638700000000000000 + i, 86400, c.hex(8, i)) for i in range(150)])]), "6h")
    c.f("Library/data/trailers/%s" % c.hex(10, "t"), mp4(40, 9 * MB, 1760000000, tags={"cpy": "Example Broadcast"}), "4d", size=9 * MB)
    c.f("Library/data/trailers/map.plist", plist({c.hex(10, "t"): {"url": "https://trailers.example.org/814.mp4", "ttl": 604800}}), "4d")
    c.f("Library/data/1.gz.%d" % 4711, G.compress(x.encode(), mtime=0)[:2000], "29d")
    for i in range(2): c.f("Documents/AppCenter-%d.txt" % i, logtext(c, "%dd" % (i + 2), 60, "AppCenter"), "%dd" % (i + 2))
    c.prefs({"evening": "20:15"})
    c.label("Library/data/1.gz.4711", "temp", "Truncated archive with a process number, a month old.")
    c.label("Library/data/**", "regenerable", "Programme data with response headers, logos and trailers with addresses.")
    c.label("Documents/download.db3", "user", "Reminders with notes and favourites; no download in it.")
    c.label("Documents/What I liked.db3", "regenerable", "Details of programmes with FetchedAt, MaxAge and ETag; despite its name nothing of the user's.")
    c.label("Documents/AppCenter-*.txt", "log", "Text logs with levels.")


@container("transit-timetable", "com.example.stops", "A timetable (Kotlin Multiplatform): the schedule of a server in data.db, realtime answers in Items")
def transit(c):
    c.common()
    A = "Library/Application Support/"
    c.f(A + "data.db", db(["CREATE TABLE feed_info (feed_publisher_url TEXT, feed_version TEXT, feed_start_date TEXT, feed_end_date TEXT, source_url TEXT, etag TEXT)", "CREATE TABLE stops (stop_id TEXT PRIMARY KEY, stop_name TEXT, stop_lat REAL, stop_lon REAL)", "CREATE TABLE stop_times (trip_id TEXT, arrival_time TEXT, departure_time TEXT, stop_id TEXT, stop_sequence INTEGER)", "CREATE TABLE calendar (service_id TEXT, monday INTEGER)",
        ("INSERT INTO feed_info VALUES (?,?,?,?,?,?)", [("https://transit.example.org", "2026-11-01", "20261101", "20270131", "https://transit.example.org/gtfs/db-2026-11-01.sqlite.gz", c.hex(16, "g"))]), ("INSERT INTO stops VALUES (?,?,?,?)", [("s%d" % i, "Stop %d" % i, 53 + i / 500, 8 + i / 400) for i in range(300)]), ("INSERT INTO stop_times VALUES (?,?,?,?,?)", [("t%d" % (i // 20), "%02d:%02d:00" % (i // 60 % 24, i % 60), "%02d:%02d:30" % (i // 60 % 24, i % 60), "s%d" % (i % 300), i % 20) for i in range(3000)])]), "26d3h")
    c.f(A + "data.db.2026-08", db(["CREATE TABLE feed_info (feed_version TEXT, feed_end_date TEXT)", "CREATE TABLE stops (stop_id TEXT PRIMARY KEY, stop_name TEXT)", ("INSERT INTO feed_info VALUES (?,?)", [("2026-08-01", "20261031")]), ("INSERT INTO stops VALUES (?,?)", [("s%d" % i, "Stop %d" % i) for i in range(300)])]), "118d")
    for i, a in enumerate(c.burst(14, "25m", 1)):
        c.f(A + "Items/dep_%d" % i, js({"stop": "s%d" % i, "departures": [{"line": "5", "in": k * 4, "delay": k % 3} for k in range(20)], "serverTime": c.ms("25m"), "validFor": 60}), a)
    c.f("Documents/cache.json", js({"favouriteStops": ["s4", "s81"], "names": {"s4": "the one by the baker's"}, "commute": {"from": "s4", "to": "s81", "leave": "07:12"}, "edited": c.iso("10d")}), "10d")
    c.f("Documents/network.pdf", pdf(["Network map"], "Example Transit Cartography", title="Network 2026", box_=(0, 0, 2384, 1684)), "26d", size=3 * MB)
    c.f("Documents/network.pdf.headers", js(headers(c, "26d", "https://transit.example.org/maps/network.pdf", c.hex(12, "np"), "application/pdf")), "26d")
    c.f("Documents/tickets.realm", realm(["Ticket", "Passenger"], ["ticket bought 2026-11-24, zone A", "QR payload, offline only, not on the account", "guest purchase"]), "4d")
    c.f("Documents/tickets.realm.lock", b"\0" * 1184, "4d"); c.f("Documents/tickets.realm.management/access_control.write.lock", b"", "4d")
    for i in range(3): c.f(A + "kermit.%d" % i, logtext(c, "%dd" % i, 90, "Kermit"), "%dd2h" % i)
    c.prefs({"walkSpeed": 1.2})
    c.label(A + "data.db", "regenerable", "GTFS schedule with feed_info: source address, version, etag.")
    c.label(A + "data.db.2026-08", "orphan", "An earlier schedule, past its end date and replaced.")
    c.label(A + "Items/*", "regenerable", "Departures of a server, valid for a minute.")
    c.label("Documents/cache.json", "user", "Favourites with the user's own names, and the commute.")
    c.label("Documents/network.pdf*", "regenerable", "A map with the response headers beside it.")
    c.label("Documents/tickets.realm", "user", "Tickets bought as a guest that are on no account.")
    c.label("Documents/tickets.realm.*", "state", "Lock and management files of a Realm in use.")
    c.label(A + "kermit.*", "log", "Rotated text logs.")
