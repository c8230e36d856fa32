"""Writers of file formats: bytes that independent readers open. Standard library only."""
import array, gzip, hashlib, io, json, math, plistlib, random, sqlite3, struct, tempfile, os, zipfile, zlib
from plistlib import UID


def rng(*key):
    return random.Random(hashlib.sha256(repr(key).encode()).digest())


# --- pictures -------------------------------------------------------------------------------------------------
def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(w, h, seed, palette=True, text=None, alpha=False):
    r = rng("png", seed)
    out = b"\x89PNG\r\n\x1a\n"
    if palette:
        out += _chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 3, 0, 0, 0))
        out += _chunk(b"PLTE", bytes(r.randrange(256) for _ in range(48)))
        step = max(1, r.randrange(4, 16))
        rows = b"".join(b"\0" + bytes(((x // step) * 7 + (y // step) * 3 + (x * y // 97)) % 16 for x in range(w))
                        for y in range(h))
    else:
        bpp = 4 if alpha else 3
        out += _chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 6 if alpha else 2, 0, 0, 0))
        base = [r.randrange(256) for _ in range(4)]
        rows = b"".join(b"\0" + bytes((base[k] + x * (k + 1) // 3 + y) & 255 for x in range(w) for k in range(bpp))
                        for y in range(h))
    for k, v in (text or {}).items():
        out += _chunk(b"tEXt", k.encode("latin1") + b"\0" + v.encode("latin1"))
    return out + _chunk(b"IDAT", zlib.compress(rows, 6)) + _chunk(b"IEND", b"")


def exif(make="Apple", model="iPhone 15", when="2026:05:04 10:11:12", gps=None, software=None):
    """A TIFF structure for APP1, little endian."""
    def ifd(tags, at, after):
        body, extra = struct.pack("<H", len(tags)), b""
        data_at = at + 2 + 12 * len(tags) + 4
        for tag, typ, n, val in tags:
            if len(val) <= 4:
                body += struct.pack("<HHI", tag, typ, n) + val.ljust(4, b"\0")
            else:
                body += struct.pack("<HHII", tag, typ, n, data_at + len(extra))
                extra += val + (b"\0" if len(val) & 1 else b"")
        return body + struct.pack("<I", 0) + extra
    def s(tag, text):
        b = text.encode() + b"\0"
        return (tag, 2, len(b), b)
    def rat(tag, *pairs):
        return (tag, 5, len(pairs), b"".join(struct.pack("<II", a, b) for a, b in pairs))
    main = [s(0x10F, make), s(0x110, model), (0x112, 3, 1, struct.pack("<H", 1))]
    if software: main.append(s(0x131, software))
    main.append(s(0x132, when))
    main.append((0x8769, 4, 1, b"\0\0\0\0"))
    if gps: main.append((0x8825, 4, 1, b"\0\0\0\0"))
    first = ifd(main, 8, 0)
    exif_at = 8 + len(first)
    sub = ifd([rat(0x829A, (1, 120)), rat(0x829D, (18, 10)), (0x8827, 3, 1, struct.pack("<H", 100)),
               (0x9000, 7, 4, b"0232"), s(0x9003, when), s(0x9004, when), rat(0x920A, (57, 10))], exif_at, 0)
    gps_at = exif_at + len(sub)
    main = [(t, a, n, struct.pack("<I", exif_at) if t == 0x8769 else struct.pack("<I", gps_at) if t == 0x8825 else v)
            for t, a, n, v in main]
    first = ifd(main, 8, 0)
    third = b""
    if gps:
        la, lo = gps
        dms = lambda v: ((int(abs(v)), 1), (int(abs(v) * 60) % 60, 1), (int(abs(v) * 360000) % 6000, 100))
        third = ifd([s(1, "N" if la >= 0 else "S"), rat(2, *dms(la)), s(3, "E" if lo >= 0 else "W"), rat(4, *dms(lo))],
                    gps_at, 0)
    return b"II*\0" + struct.pack("<I", 8) + first + sub + third


_DCBITS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
_DCCODE = ["00", "010", "011", "100", "101", "110", "1110", "11110", "111110", "1111110", "11111110", "111111110"]


def jpeg(w, h, seed, tiff=None, comment=None, jfif=True):
    """A baseline JPEG of flat blocks."""
    r = rng("jpeg", seed)
    out = b"\xff\xd8"
    if tiff: out += b"\xff\xe1" + struct.pack(">H", len(tiff) + 8) + b"Exif\0\0" + tiff
    elif jfif: out += b"\xff\xe0\0\x10JFIF\0\1\1\0\0H\0H\0\0"
    if comment: out += b"\xff\xfe" + struct.pack(">H", len(comment) + 2) + comment.encode()
    out += b"\xff\xdb\0\x43\0" + bytes([8] * 64)
    out += b"\xff\xc0" + struct.pack(">HBHHB", 17, 8, h, w, 3) + b"\1\x11\0\2\x11\0\3\x11\0"
    out += b"\xff\xc4" + struct.pack(">HB", 19 + 12, 0) + bytes(_DCBITS) + bytes(range(12))
    out += b"\xff\xc4" + struct.pack(">HB", 19 + 1, 0x10) + bytes([1] + [0] * 15) + b"\0"  # EOB = "0"
    out += b"\xff\xda\0\x0c\3\1\0\2\0\3\0\0\x3f\0"
    bits, pred = [], [0, 0, 0]
    bw, bh = (w + 7) // 8, (h + 7) // 8
    ph = r.random() * 6
    for y in range(bh):
        for x in range(bw):
            v = [int(70 * math.sin(ph + x / 9) + 40 * math.cos(y / 7 + ph) + r.randrange(-9, 9)),
                 int(30 * math.sin(x / 31 + ph)), int(30 * math.cos(y / 23))]
            for k in range(3):
                d, pred[k] = v[k] - pred[k], v[k]
                n = abs(d).bit_length()
                bits.append(_DCCODE[n])
                if n: bits.append(format(d if d > 0 else d + (1 << n) - 1, "0%db" % n))
                bits.append("0")
    text = "".join(bits)
    text += "1" * (-len(text) % 8)
    scan = int(text, 2).to_bytes(len(text) // 8, "big").replace(b"\xff", b"\xff\0")
    return out + scan + b"\xff\xd9"


def webp(seed):
    """A lossless WebP of one colour per file (simple codes), 64 by 64."""
    r = rng("webp", seed)
    bits = []
    def put(v, n):
        for i in range(n): bits.append(v >> i & 1)
    put(0x2F, 8); put(63, 14); put(63, 14); put(1, 1); put(0, 3)
    put(0, 1); put(0, 1); put(0, 1)  # no transform, no colour cache, no meta prefix codes
    for value in (r.randrange(256), r.randrange(256), r.randrange(256), 255, None):
        put(1, 1); put(0, 1)  # a simple code of one symbol
        if value is None: put(0, 1); put(0, 1)
        else: put(1, 1); put(value, 8)
    bits += [0] * (-len(bits) % 8)
    data = bytes(sum(bits[i + k] << k for k in range(8)) for i in range(0, len(bits), 8))
    data += b"\0" * (len(data) & 1)
    body = b"WEBPVP8L" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def box(kind, *parts):
    data = b"".join(parts)
    return struct.pack(">I", len(data) + 8) + kind.encode("latin1") + data


def full(kind, version, flags, *parts):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def heic(seed, tiff=None, mdat=2000):
    r = rng("heic", seed)
    payload = bytes(r.randrange(256) for _ in range(min(mdat, 3000)))
    ex = struct.pack(">I", 6) + b"Exif\0\0" + tiff if tiff else b""
    infe = lambda i, t: full("infe", 2, 0, struct.pack(">HH", i, 0), t, b"\0")
    def meta(base):
        items = [infe(1, b"hvc1")] + ([infe(2, b"Exif")] if ex else [])
        loc = struct.pack(">HHHII", 1, 0, 1, base, len(payload))
        if ex: loc += struct.pack(">HHHII", 2, 0, 1, base + len(payload), len(ex))
        return full("meta", 0, 0, full("hdlr", 0, 0, b"\0\0\0\0pict" + b"\0" * 13), full("pitm", 0, 0, b"\0\1"),
                    full("iinf", 0, 0, struct.pack(">H", len(items)), *items),
                    box("iprp", box("ipco", full("ispe", 0, 0, struct.pack(">II", 4032, 3024))),
                        full("ipma", 0, 0, struct.pack(">IHBB", 1, 1, 1, 1))),
                    full("iloc", 0, 0, b"\x44\0", struct.pack(">H", len(items)), loc))
    ftyp = box("ftyp", b"heic\0\0\0\0mif1heic")
    base = len(ftyp) + len(meta(0)) + 8
    return ftyp + meta(base) + box("mdat", payload, ex)


# --- sound and film -------------------------------------------------------------------------------------------
def mp4(seconds, size, created, audio=False, brand=None, tags=None, fragment=False):
    """Head of a film or recording with moov first; mdat reaches to `size`. Use as head of a file with a hole."""
    created += 2082844800
    scale, samples = (44100, int(seconds * 44100 / 1024)) if audio else (600, int(seconds * 25))
    dur = int(seconds * scale)
    matrix = struct.pack(">9i", 65536, 0, 0, 0, 65536, 0, 0, 0, 0x40000000)
    ftyp = box("ftyp", (brand or ("M4A " if audio else "mp42")).encode(), b"\0\0\0\0", b"isom", b"mp42")
    mvhd = full("mvhd", 0, 0, struct.pack(">IIIIIH", created, created, scale, dur, 65536, 256), b"\0" * 10, matrix,
                b"\0" * 24, struct.pack(">I", 2))
    tkhd = full("tkhd", 0, 7, struct.pack(">IIIII", created, created, 1, 0, dur), b"\0" * 8,
                struct.pack(">HHHH", 0, 0, 256 if audio else 0, 0), matrix,
                struct.pack(">II", 0 if audio else 1920 << 16, 0 if audio else 1080 << 16))
    mdhd = full("mdhd", 0, 0, struct.pack(">IIIIHH", created, created, scale, dur, 0x55C4, 0))
    hdlr = full("hdlr", 0, 0, b"\0\0\0\0", b"soun" if audio else b"vide", b"\0" * 12, b"Core Media\0")
    if audio:
        esds = full("esds", 0, 0, bytes.fromhex("0319000100041140150000000000fa000000fa000502121006 0102".replace(" ", "")))
        entry = box("mp4a", b"\0" * 6 + b"\0\1" + b"\0" * 8 + struct.pack(">HHHHI", 2, 16, 0, 0, 44100 << 16), esds)
        head = full("smhd", 0, 0, b"\0" * 4)
    else:
        avcc = box("avcC", bytes.fromhex("0142001effe1000a6742001e95a814016e40010004 68ce3c80".replace(" ", "")))
        entry = box("avc1", b"\0" * 6 + b"\0\1" + b"\0" * 16 + struct.pack(">HHIIIH", 1920, 1080, 0x480000, 0x480000, 0, 1)
                    + b"\0" * 32 + struct.pack(">Hh", 24, -1), avcc)
        head = full("vmhd", 0, 1, b"\0" * 8)
    each = max(1, (size - 4096) // max(1, samples))
    udta = b""
    if tags:
        udta = box("udta", *[box("\xa9" + k, struct.pack(">HH", len(v.encode()), 0x15C7), v.encode())
                             for k, v in tags.items()])
    def moov(offset):
        stbl = box("stbl", full("stsd", 0, 0, struct.pack(">I", 1), entry),
                   full("stts", 0, 0, struct.pack(">III", 1, samples, 1024 if audio else 24)),
                   full("stsc", 0, 0, struct.pack(">IIII", 1, 1, samples, 1)),
                   full("stsz", 0, 0, struct.pack(">II", each, samples)),
                   full("stco", 0, 0, struct.pack(">II", 1, offset)))
        minf = box("minf", head, box("dinf", full("dref", 0, 0, struct.pack(">I", 1), full("url ", 0, 1))), stbl)
        return box("moov", mvhd, box("trak", tkhd, box("mdia", mdhd, hdlr, minf)), udta)
    off = len(ftyp) + len(moov(0)) + 8
    r = rng("mp4", seconds, size)
    return ftyp + moov(off) + struct.pack(">I", size - off + 8) + b"mdat" + bytes(r.randrange(256) for _ in range(900))


def id3(**frames):
    body = b""
    for k, v in frames.items():
        if k == "WOAF": data = v.encode("latin1")
        else: data = b"\3" + v.encode()
        body += k.encode() + struct.pack(">I", len(data)) + b"\0\0" + data
    n = len(body) + 100
    body += b"\0" * 100
    return b"ID3\3\0\0" + bytes([n >> 21 & 127, n >> 14 & 127, n >> 7 & 127, n & 127]) + body


def mp3(seed, frames=6, **tags):
    r = rng("mp3", seed)
    out = id3(**tags) if tags else b""
    for _ in range(frames):
        out += b"\xff\xfb\x90\x64" + b"\0" * 32 + bytes(r.randrange(1, 255) for _ in range(381))
    return out


def wav(size, seed, rate=44100, info=None):
    extra = b""
    if info:
        li = b"INFO" + b"".join(k.encode() + struct.pack("<I", len(v) + 1) + v.encode() + b"\0" +
                                (b"" if len(v) & 1 else b"\0") for k, v in info.items())
        extra = b"LIST" + struct.pack("<I", len(li)) + li
    r = rng("wav", seed)
    head = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, rate, rate * 2, 2, 16) + extra
    samples = array.array("h", [int(4000 * math.sin(i / 17) + r.randrange(-900, 900)) for i in range(1500)]).tobytes()
    return b"RIFF" + struct.pack("<I", size - 8) + head + b"data" + struct.pack("<I", size - 8 - len(head) - 8) + samples


def caf(size, seed):
    r = rng("caf", seed)
    head = b"caff\0\1\0\0desc" + struct.pack(">qdIIIIII", 32, 44100.0, 0x6C70636D, 2, 2, 1, 1, 16)
    return head + b"data" + struct.pack(">qI", size - len(head) - 12, 0) + bytes(r.randrange(256) for _ in range(1600))


def ogg(seed):
    table = []
    for i in range(256):
        c = i << 24
        for _ in range(8): c = (c << 1 ^ 0x04C11DB7 if c & 0x80000000 else c << 1) & 0xFFFFFFFF
        table.append(c)
    def page(kind, gran, seq, packet):
        seg = bytes([255] * (len(packet) // 255) + [len(packet) % 255])
        p = bytearray(b"OggS\0" + bytes([kind]) + struct.pack("<qIII", gran, seed & 0xFFFFFFFF, seq, 0) +
                      bytes([len(seg)]) + seg + packet)
        c = 0
        for b in p: c = (c << 8 & 0xFFFFFFFF) ^ table[c >> 24 ^ b]
        p[22:26] = struct.pack("<I", c)
        return bytes(p)
    r = rng("ogg", seed)
    return (page(2, 0, 0, b"OpusHead\1\1\x38\1" + struct.pack("<IhB", 48000, 0, 0)) +
            page(0, 0, 1, b"OpusTags" + struct.pack("<I", 7) + b"libopus" + struct.pack("<I", 0)) +
            page(4, 48000, 2, bytes(r.randrange(256) for _ in range(3000))))


# --- documents ------------------------------------------------------------------------------------------------
def pdf(lines, producer, creator=None, title=None, box_=(0, 0, 595, 842), date="20260304101112Z", jpg=None):
    text = "BT /F1 12 Tf 60 780 Td 16 TL " + " ".join("(%s) Tj T*" % l.replace("(", "").replace(")", "") for l in lines) + " ET"
    if jpg: text = "q 595 0 0 842 0 0 cm /I1 Do Q " + text
    objs = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            ("<</Type/Page/Parent 2 0 R/MediaBox[%d %d %d %d]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>%s>>>>" %
             (*box_, "/XObject<</I1 7 0 R>>" if jpg else "")).encode(),
            b"<</Length %d>>stream\n%s\nendstream" % (len(text), text.encode("latin1", "replace")),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            ("<</Producer(%s)/Creator(%s)/Title(%s)/CreationDate(D:%s)>>" % (producer, creator or producer, title or "", date)).encode("latin1", "replace")]
    if jpg:
        objs.append(b"<</Type/XObject/Subtype/Image/Width 640/Height 480/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length %d>>stream\n" % len(jpg) + jpg + b"\nendstream")
    out, at = b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n", []
    for i, o in enumerate(objs):
        at.append(len(out))
        out += b"%d 0 obj" % (i + 1) + o + b"endobj\n"
    x = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objs) + 1) + b"".join(b"%010d 00000 n \n" % a for a in at)
    return out + b"trailer<</Size %d/Root 1 0 R/Info 6 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objs) + 1, x)


def zipped(files, stored=(), date=(2026, 3, 1, 8, 0, 0)):
    b = io.BytesIO()
    with zipfile.ZipFile(b, "w") as z:
        for name, data in files.items():
            i = zipfile.ZipInfo(name, date)
            i.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            i.external_attr = 0o644 << 16
            z.writestr(i, data.encode() if isinstance(data, str) else data)
    return b.getvalue()


def epub(title, author, ident, source=None, date=(2026, 1, 2, 3, 4, 4)):
    opf = f"""<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">{ident}</dc:identifier><dc:title>{title}</dc:title>
<dc:creator>{author}</dc:creator><dc:language>en</dc:language>{f'<dc:source>{source}</dc:source>' if source else ''}</metadata>
<manifest><item id="c1" href="c1.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c1"/></spine></package>"""
    chap = f"<html xmlns='http://www.w3.org/1999/xhtml'><head><title>{title}</title></head><body><h1>{title}</h1>" + "".join(
        f"<p>The water rose over the {w} and nobody on the pier said a word about it.</p>" for w in ("steps", "mole", "weir", "lamps") * 20) + "</body></html>"
    return zipped({"mimetype": "application/epub+zip", "META-INF/container.xml":
                   "<?xml version='1.0'?><container version='1.0' xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles><rootfile full-path='OEBPS/content.opf' media-type='application/oebps-package+xml'/></rootfiles></container>",
                   "OEBPS/content.opf": opf, "OEBPS/c1.xhtml": chap}, stored=("mimetype",), date=date)


def rss(title, link, items, atom=False):
    """items: (title, url, pubdate text, description, enclosure or None)"""
    e = lambda s: s.replace("&", "&amp;").replace("<", "&lt;")
    if atom:
        return ("<?xml version='1.0' encoding='utf-8'?>\n<feed xmlns='http://www.w3.org/2005/Atom'><title>%s</title><id>%s</id><link rel='self' href='%s'/>" % (e(title), link, link)
                + "".join("<entry><title>%s</title><id>%s</id><link href='%s'/><updated>%s</updated><summary>%s</summary></entry>" % (e(t), u, u, p, e(d)) for t, u, p, d, _ in items) + "</feed>").encode()
    return ("<?xml version='1.0' encoding='UTF-8'?>\n<rss version='2.0' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>%s</title><link>%s</link><ttl>60</ttl>\n" % (e(title), link)
            + "".join("<item><title>%s</title><guid isPermaLink='false'>%s</guid><link>%s</link><pubDate>%s</pubDate><description>%s</description>%s</item>\n" %
                      (e(t), hashlib.md5(u.encode()).hexdigest(), u, p, e(d), "<enclosure url='%s' length='%d' type='audio/mpeg'/>" % enc if enc else "") for t, u, p, d, enc in items) + "</channel></rss>\n").encode()


def js(value, indent=None):
    return json.dumps(value, indent=indent, ensure_ascii=False).encode()


def plist(value, xml=False):
    return plistlib.dumps(value, fmt=plistlib.FMT_XML if xml else plistlib.FMT_BINARY, sort_keys=False)


def archive(root, classes=None):
    """NSKeyedArchiver of lists, dictionaries, strings and numbers; a dict with "$class" is an object of that class."""
    objs, known = ["$null"], {}
    def cls(*names):
        if names not in known:
            known[names] = UID(len(objs))
            objs.append({"$classname": names[0], "$classes": list(names)})
        return known[names]
    def add(v):
        if v is None: return UID(0)
        i = len(objs)
        objs.append(None)
        if isinstance(v, dict) and "$class" in v:
            o = {k: (x if isinstance(x, (int, float, bool)) else add(x)) for k, x in v.items() if k != "$class"}
            objs[i] = {**o, "$class": cls(v["$class"], "NSObject")}
        elif isinstance(v, dict):
            objs[i] = {"NS.keys": [add(k) for k in v], "NS.objects": [add(x) for x in v.values()],
                       "$class": cls("NSDictionary", "NSObject")}
        elif isinstance(v, list):
            objs[i] = {"NS.objects": [add(x) for x in v], "$class": cls("NSArray", "NSObject")}
        else:
            objs[i] = v
        return UID(i)
    top = add(root)
    return plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": top}, "$objects": objs},
                          fmt=plistlib.FMT_BINARY, sort_keys=False)


# --- databases ------------------------------------------------------------------------------------------------
def db(statements, page=4096, wal=False, user_version=0, application_id=0):
    """An SQLite database. A statement is SQL or (SQL, rows)."""
    path = tempfile.mktemp(suffix=".db")
    c = sqlite3.connect(path, isolation_level=None)
    c.execute("pragma page_size=%d" % page)
    if wal: c.execute("pragma journal_mode=wal")
    c.execute("begin")
    for s in statements:
        if isinstance(s, tuple): c.executemany(*s)
        else: c.execute(s)
    c.execute("commit")
    if user_version: c.execute("pragma user_version=%d" % user_version)
    if application_id: c.execute("pragma application_id=%d" % application_id)
    c.execute("pragma wal_checkpoint(truncate)")
    c.close()
    data = open(path, "rb").read()
    for p in (path, path + "-wal", path + "-shm"):
        if os.path.exists(p): os.unlink(p)
    return data


def coredata(entities, rows, extra=(), model="Model"):
    """entities: {"Event": {"title": "VARCHAR", …}}; rows: {"Event": [tuple, …]} without the three Z_ columns."""
    st = ["CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
          "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
          "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"]
    meta = plist({"NSPersistenceFrameworkVersion": 1414, "NSStoreModelVersionHashes":
                  {e: hashlib.sha256(repr((e, f)).encode()).digest() for e, f in entities.items()},
                  "NSStoreModelVersionHashesVersion": 3, "NSStoreModelVersionIdentifiers": [""], "NSStoreType": "SQLite",
                  "_NSAutoVacuumLevel": "2"})
    h = hashlib.md5(repr(entities).encode()).hexdigest().upper()
    st.append(("INSERT INTO Z_METADATA VALUES (1, ?, ?)", [("-".join((h[:8], h[8:12], h[12:16], h[16:20], h[20:])), meta)]))
    for i, (name, fields) in enumerate(entities.items(), 1):
        cols = ", ".join("Z%s %s" % (k.upper(), v) for k, v in fields.items())
        st.append("CREATE TABLE Z%s (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, %s)" % (name.upper(), cols))
        rs = rows.get(name, [])
        st.append(("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, ?)", [(i, name, len(rs))]))
        if rs:
            st.append(("INSERT INTO Z%s VALUES (?, ?, ?%s)" % (name.upper(), ", ?" * len(fields)),
                       [(k, i, 1 + k % 3, *r) for k, r in enumerate(rs, 1)]))
    return db(st + list(extra))


_CRC32C = []
for _i in range(256):
    _c = _i
    for _ in range(8): _c = _c >> 1 ^ (0x82F63B78 if _c & 1 else 0)
    _CRC32C.append(_c)


def crc32c(data):
    c = 0xFFFFFFFF
    for b in data: c = c >> 8 ^ _CRC32C[(c ^ b) & 255]
    c ^= 0xFFFFFFFF
    return ((c >> 15 | c << 17) + 0xA282EAD8) & 0xFFFFFFFF  # masked as LevelDB does


def varint(n):
    out = b""
    while n > 127: out += bytes([n & 127 | 128]); n >>= 7
    return out + bytes([n])


def _logrecords(records):
    out = b""
    for r in records:
        room = 32768 - len(out) % 32768
        assert len(r) + 7 <= 32768
        if room < len(r) + 7: out += b"\0" * room
        out += struct.pack("<IHB", crc32c(b"\1" + r), len(r), 1) + r
    return out


def leveldb(pairs, recent=(), number=5):
    """{name: bytes} of a database: a table with `pairs`, a log with `recent`."""
    s = lambda b: varint(len(b)) + b
    n = len(pairs)
    items = sorted((k, i) for i, (k, _) in enumerate(pairs))
    def block(entries):
        data, restarts = b"", []
        for k, v in entries:
            restarts.append(len(data))
            data += varint(0) + varint(len(k)) + varint(len(v)) + k + v
        return data + b"".join(struct.pack("<I", x) for x in (restarts or [0])) + struct.pack("<I", len(restarts or [0]))
    seal = lambda b: b + b"\0" + struct.pack("<I", crc32c(b + b"\0"))
    ikey = lambda k, q: k + struct.pack("<Q", q << 8 | 1)
    values = dict(pairs)
    data = block([(ikey(k, i + 1), values[k]) for k, i in items])
    table, handles = seal(data), []
    handles.append((0, len(data)))
    metab = block([])
    mh = (len(table), len(metab)); table += seal(metab)
    last = ikey(items[-1][0], items[-1][1] + 1)
    ib = block([(last, varint(0) + varint(len(data)))])
    ih = (len(table), len(ib)); table += seal(ib)
    foot = b"".join(varint(x) for x in (*mh, *ih)).ljust(40, b"\0")
    table += foot + struct.pack("<Q", 0xDB4775248B80FB57)
    batch = [struct.pack("<QI", n + 1 + i, 1) + b"\1" + s(k) + s(v) for i, (k, v) in enumerate(recent)]
    manifest = _logrecords([varint(1) + s(b"leveldb.BytewiseComparator") + varint(2) + varint(number + 1) + varint(9) + varint(0)
                            + varint(3) + varint(number + 2) + varint(4) + varint(n)
                            + varint(7) + varint(0) + varint(number) + varint(len(table)) + s(ikey(items[0][0], items[0][1] + 1)) + s(last)])
    return {"CURRENT": b"MANIFEST-%06d\n" % (number - 1), "LOCK": b"", "MANIFEST-%06d" % (number - 1): manifest,
            "%06d.ldb" % number: table, "%06d.log" % (number + 1): _logrecords(batch),
            "LOG": b"2026/11/20-08:01:02.000123 0x16f0 Recovering log #%d\n2026/11/20-08:01:02.004410 0x16f0 Level-0 table #%d: started\n" % (number - 2, number)}


def lmdb(pairs, mapsize=1 << 26):
    ps = 4096
    def meta(pgno, txn, root):
        none = struct.pack("<IHHQQQQQ", ps, 8, 0, 0, 0, 0, 0, 2**64 - 1)
        main = struct.pack("<IHHQQQQQ", 0, 0, 1 if root else 0, 0, 1 if root else 0, 0, len(pairs) if root else 0, root or 2**64 - 1)
        return (struct.pack("<QHHHH", pgno, 0, 8, 0, 0) + struct.pack("<IIQQ", 0xBEEFC0DE, 1, 0, mapsize) + none + main +
                struct.pack("<QQ", 2 if root else 1, txn)).ljust(ps, b"\0")
    nodes = [struct.pack("<HHHH", len(v) & 65535, len(v) >> 16, 0, len(k)) + k + v for k, v in sorted(pairs)]
    page, upper, ptrs = bytearray(ps), ps, []
    for nd in nodes:
        upper -= len(nd) + (len(nd) & 1)
        page[upper:upper + len(nd)] = nd
        ptrs.append(upper)
    lower = 16 + 2 * len(ptrs)
    assert lower <= upper, "too much for one page"
    page[:16] = struct.pack("<QHHHH", 2, 0, 2, lower, upper)
    page[16:lower] = b"".join(struct.pack("<H", p) for p in ptrs)
    return meta(0, 0, None) + meta(1, 1, 2) + bytes(page)


def mmkv(values):
    """(data, crc file)"""
    body = b"\xff\xff\xff\x07"
    for k, v in values.items():
        if isinstance(v, bool): raw = bytes([v])
        elif isinstance(v, int): raw = varint(v)
        else:
            t = v.encode(); raw = varint(len(t)) + t
        body += varint(len(k)) + k.encode() + varint(len(raw)) + raw
    size = -(-(len(body) + 4) // 16384) * 16384
    return ((struct.pack("<I", len(body)) + body).ljust(size, b"\0"),
            (struct.pack("<III", zlib.crc32(body), 3, 1) + b"\0" * 16 + struct.pack("<I", len(body))).ljust(16384, b"\0"))


def hive(values):
    out = b""
    def val(v):
        if v is None: return b"\0"
        if isinstance(v, bool): return b"\3" + bytes([v])
        if isinstance(v, int): return b"\1" + struct.pack("<d", v)
        if isinstance(v, str): return b"\4" + struct.pack("<I", len(v.encode())) + v.encode()
        if isinstance(v, list): return b"\x0a" + struct.pack("<I", len(v)) + b"".join(val(x) for x in v)
        return b"\x0b" + struct.pack("<I", len(v)) + b"".join(val(k) + val(x) for k, x in v.items())
    for k, v in values.items():
        key = b"\0" + struct.pack("<I", k) if isinstance(k, int) else b"\1" + bytes([len(k)]) + k.encode()
        f = key + val(v)
        f = struct.pack("<I", len(f) + 8) + f
        out += f + struct.pack("<I", zlib.crc32(f))
    return out


def realm(classes, strings=()):
    """The head of a Realm file with node arrays of names and strings."""
    def arr(width, flags, items, raw): return b"AAAA" + bytes([flags | width]) + struct.pack(">I", items)[1:] + raw
    names = b"".join(("class_" + c).encode().ljust(31, b"\0") + bytes([max(0, 31 - len(c) - 6)]) for c in classes)
    body = arr(6, 0x08, len(classes), names)
    for s in strings:
        raw = s.encode() + b"\0"
        body += arr(4, 0x10, len(raw), raw.ljust(-(-len(raw) // 8) * 8, b"\0"))
    ref = 24 + len(body)
    top = arr(7, 0x40, 4, struct.pack("<QQQQ", 24, 24, 4096 * 2 + 1, 5))
    return (struct.pack("<QQ", ref, 0) + b"T-DB" + bytes([24, 24, 0, 0]) + body + top).ljust(8192, b"\0")


# --- models, fonts, tiles -------------------------------------------------------------------------------------
def gguf(name, arch="llama", tensors=4, **kv):
    st = lambda t: struct.pack("<Q", len(t.encode())) + t.encode()
    pairs = {"general.architecture": arch, "general.name": name, **kv}
    out = b"GGUF" + struct.pack("<IQQ", 3, tensors, len(pairs))
    for k, v in pairs.items():
        out += st(k) + (struct.pack("<IQ", 8, len(v.encode())) + v.encode() if isinstance(v, str) else struct.pack("<II", 4, v))
    for i in range(tensors):
        out += st("blk.%d.attn_q.weight" % i) + struct.pack("<IQQIQ", 2, 2048, 2048, 2, i * 2359296)
    out += b"\0" * (-len(out) % 32)
    r = rng(name)
    return out + bytes(r.randrange(256) for _ in range(600))


def safetensors(names, meta, dims=(768, 768)):
    n, h = dims[0] * dims[1] * 2, {"__metadata__": meta}
    for i, k in enumerate(names): h[k] = {"dtype": "F16", "shape": list(dims), "data_offsets": [i * n, (i + 1) * n]}
    b = json.dumps(h, separators=(",", ":")).encode()
    b += b" " * (-len(b) % 8)
    r = rng(names)
    return struct.pack("<Q", len(b)) + b + bytes(r.randrange(256) for _ in range(500)), 8 + len(b) + n * len(names)


def onnx(producer, name):
    f = lambda n, b: bytes([n << 3 | 2]) + varint(len(b)) + b
    v = lambda n, x: bytes([n << 3]) + varint(x)
    node = f(1, b"input") + f(2, b"hidden") + f(3, b"MatMul_0") + f(4, b"MatMul")
    return v(1, 8) + f(2, producer.encode()) + f(3, b"2.1") + f(8, v(2, 17)) + f(7, f(1, node) * 3 + f(2, name.encode()))


def tflite(desc):
    d = desc.encode() + b"\0"
    return struct.pack("<I", 24) + b"TFL3" + b"\0" * 4 + struct.pack("<HHHHHH", 12, 20, 4, 0, 0, 16) + \
        struct.pack("<iIIII", 12, 3, 0, 0, 4) + struct.pack("<I", len(d) - 1) + d + bytes(rng(desc).randrange(256) for _ in range(400))


def ttf(family, licence, seed, vendor="EXMP"):
    names = [(1, family), (2, "Regular"), (4, family + " Regular"), (6, family.replace(" ", "") + "-Regular"), (13, licence)]
    rec, st = b"", b""
    for i, t in names:
        b = t.encode("utf-16-be")
        rec += struct.pack(">HHHHHH", 3, 1, 1033, i, len(b), len(st)); st += b
    name = struct.pack(">HHH", 0, len(names), 6 + len(rec)) + rec + st
    head = struct.pack(">IIIIHHqqhhhhHHhhh", 65536, 65536, 0, 0x5F0F3CF5, 11, 1000, 3800000000, 3800000000, 0, -200, 1000, 800, 0, 8, 2, 0, 0)
    hhea = struct.pack(">IhhhHhhhhhhhhhhhH", 65536, 800, -200, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 1)
    os2 = struct.pack(">HhHHHhhhhhhhhhhh10sIIII4sHHHhhhHH", 0, 500, 400, 5, 0, *[100] * 10, 0, b"\0" * 10, 1, 0, 0, 0, vendor.encode(), 64, 32, 32, 800, -200, 0, 900, 200)
    cmap = struct.pack(">HHHHI", 0, 1, 3, 1, 12) + struct.pack(">HHHHHHHHHHHH", 4, 24, 0, 2, 2, 0, 0, 65535, 0, 65535, 1, 0)
    r = rng("ttf", seed)
    tables = {"OS/2": os2, "cmap": cmap, "glyf": bytes(r.randrange(256) for _ in range(3000)), "head": head, "hhea": hhea,
              "hmtx": struct.pack(">Hh", 500, 0), "loca": struct.pack(">HH", 0, 1500), "maxp": struct.pack(">IH", 65536, 1) + b"\0" * 26,
              "name": name, "post": struct.pack(">IIhhIIIII", 0x30000, 0, -75, 50, 0, 0, 0, 0, 0)}
    out, at, body = struct.pack(">IHHHH", 65536, len(tables), 128, 3, 32), 12 + 16 * len(tables), b""
    for k, v in tables.items():
        p = v + b"\0" * (-len(v) % 4)
        out += k.encode() + struct.pack(">III", sum(struct.unpack(">%dI" % (len(p) // 4), p)) & 0xFFFFFFFF, at + len(body), len(v))
        body += p
    return out + body


def mvt(layer, seed, gz=True):
    """A vector tile of one layer with points."""
    r = rng("mvt", seed)
    f = lambda n, b: bytes([n << 3 | 2]) + varint(len(b)) + b
    v = lambda n, x: bytes([n << 3]) + varint(x)
    feats = b""
    for i in range(40):
        geo = varint(9) + varint(r.randrange(8192)) + varint(r.randrange(8192))
        feats += f(2, v(1, i + 1) + f(2, varint(0) + varint(i % 3)) + v(3, 1) + f(4, geo))
    layer = f(3, v(15, 2) + f(1, layer.encode()) + feats + f(3, b"class") + b"".join(f(4, f(1, x)) for x in (b"street", b"path", b"track")) + v(5, 4096))
    return gzip.compress(layer, mtime=0) if gz else layer
