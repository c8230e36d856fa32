"""What the containers share."""
import re, gzip, hashlib, json, struct, zlib
from formats import *
D, H, M = 86400, 3600, 60
KB, MB = 1 << 10, 1 << 20


def container(name, bundle, title):
    def mark(f): f.container = (name, bundle, title); return f
    return mark


def filled(data, size):
    """The whole content of a file of `size` with a hole, as make-containers writes it."""
    return data.ljust(size - 1, b"\0") + b"\1"


def md5(s): return hashlib.md5(s if isinstance(s, bytes) else s.encode()).hexdigest()
def sha1(s): return hashlib.sha1(s if isinstance(s, bytes) else s.encode()).hexdigest()
def sha256(s): return hashlib.sha256(s if isinstance(s, bytes) else s.encode()).hexdigest()


def logtext(c, age, lines=40, tag="App", what=("request finished 200", "scene became active", "sync: 0 changes", "retry in 4s", "cache trimmed to 41 MB")):
    r = c.rng("log", age, tag)
    t, out = c.at(age) - lines * 37, []
    for i in range(lines):
        t += r.randrange(5, 60)
        out.append("%s.%03d [%s] %s: %s" % (c.day(c.now - t, "%Y-%m-%d %H:%M:%S"), r.randrange(1000), r.choice(["DEBUG", "INFO", "INFO", "WARN"]), tag, r.choice(what)))
    return "\n".join(out) + "\n"


def ips(c, age, app="App"):
    head = {"app_name": app, "timestamp": c.day(age, "%Y-%m-%d %H:%M:%S.00 +0000"), "app_version": "4.2", "bug_type": "309", "os_version": "iPhone OS 26.1", "incident_id": c.uuid("ips", age)}
    body = {"uptime": 52000, "procRole": "Foreground", "exception": {"type": "EXC_CRASH", "signal": "SIGABRT"}, "termination": {"namespace": "SIGNAL", "code": 6},
            "faultingThread": 0, "threads": [{"triggered": True, "frames": [{"imageOffset": 4096 * i, "symbol": "swift_fatal", "imageIndex": i % 3} for i in range(12)]}]}
    return json.dumps(head) + "\n" + json.dumps(body, indent=1) + "\n"


def gpx(c, age, seed, creator):
    r = c.rng("gpx", seed)
    la, lo, t, pts = 53.1 + r.random(), 8.1 + r.random(), c.at(age) - 3600, ""
    for i in range(60):
        la += r.uniform(-.0002, .0004); lo += r.uniform(-.0001, .0005); t += r.randrange(4, 9)
        pts += '<trkpt lat="%.6f" lon="%.6f"><ele>%.1f</ele><time>%s</time><extensions><hr>%d</hr></extensions></trkpt>\n' % (la, lo, 12 + r.random() * 4, c.iso(c.now - t), 120 + r.randrange(40))
    return '<?xml version="1.0"?>\n<gpx version="1.1" creator="%s" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Ride %s</name><trkseg>\n%s</trkseg></trk></gpx>\n' % (creator, seed, pts)


def headers(c, age, url, etag, extra=None):
    return {"url": url, "status": 200, "etag": '"%s"' % etag, "lastModified": c.http(seconds(age) + 5 * D), "fetchedAt": c.iso(age), "headers": {"Cache-Control": "max-age=86400", "Content-Type": (extra or "application/json")}}


def seconds(age):
    """Seconds of "3d4h", which is not to the minute: whole days and hours have a remainder that depends on the text."""
    if not isinstance(age, str): return age
    parts = re.findall(r"(\d+(?:\.\d+)?)([dhms])", age)
    assert parts and not age.startswith("-"), age
    total = sum(float(n) * {"d": D, "h": H, "m": M, "s": 1}[u] for n, u in parts)
    if total and not set("ms") & set(age): total += zlib.crc32(age.encode()) % (1500 if "h" in age else 2800)
    return total


def glob(g):
    out, i = "", 0
    while i < len(g):
        if g.startswith("**/", i): out += "(?:.*/)?"; i += 3
        elif g.startswith("**", i): out += ".*"; i += 2
        elif g[i] == "*": out += "[^/]*"; i += 1
        else: out += re.escape(g[i]); i += 1
    return re.compile(out)
