"""The C module `Darwin` of check-darwin-swift: from Apple's published headers, or from our declarations.

Apple's are those of the Python package ziglang (`find-zig`), which lacks some; our declarations in Tests/Darwin/Missing stand
for these. The headers are those of the SDK for macOS. For iOS they are read with their availability on iOS.
"""
import hashlib
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = ROOT / "Tests/Darwin/Stubs/Darwin"
MISSING = ROOT / "Tests/Darwin/Missing"
# The headers of C and POSIX, and those of Darwin alone. Each is in the module Darwin of the SDK.
HEADERS = """
assert copyfile crt_externs ctype dirent dlfcn errno fcntl grp inttypes limits locale math poll pthread pwd signal spawn stdint stdio
stdlib string strings termios time unistd utime wchar xlocale mach/mach mach/mach_time os/lock uuid/uuid sys/acl sys/attr
sys/clonefile sys/event sys/file sys/ioctl sys/mman sys/mount sys/param sys/resource sys/socket sys/stat sys/statvfs
sys/sysctl sys/time sys/types sys/uio sys/un sys/utsname sys/wait
""".split()
# Those in MISSING. The others there are of other modules.
SUPPLIED = ["sys/xattr"]


class DarwinModule:
    """The headers of the module, and the options of the compiler for them."""

    def __init__(self):
        found = subprocess.run([ROOT / "scripts/find-zig"], capture_output=True, text=True)
        self.folder = Path(found.stdout.strip()) / "lib/libc/include/any-darwin-any" if found.returncode == 0 else None

    @property
    def is_apples(self) -> bool:
        """True if the headers are Apple's. Ours declare only what the libraries and tools use, and not what tests use."""
        return self.folder is not None

    @property
    def headers(self) -> list[Path]:
        """All headers of the module."""
        if self.folder is None:
            return [OURS / "Darwin.h"]
        return [self.folder / f"{name}.h" for name in HEADERS] + [MISSING / f"{name}.h" for name in SUPPLIED]

    @property
    def key(self) -> str:
        """The content of the headers."""
        text = b"".join(path.read_bytes() for path in self.headers)
        return hashlib.sha256(self.map.encode() + text).hexdigest()

    @property
    def map(self) -> str:
        """The module map."""
        lines = "".join(f'    header "{path}"\n' for path in self.headers)
        return f"module Darwin [system] {{\n{lines}    export *\n}}\n"

    @property
    def options(self) -> list:
        """The folders of headers. The compiler's own headers, such as stddef.h, precede Apple's."""
        if self.folder is None:
            return []
        return [word for path in (self.folder, MISSING) for word in ("-Xcc", "-idirafter", "-Xcc", path)]


    @property
    def summary(self) -> str:
        """The number of Apple's headers, and what is ours."""
        if self.folder is None:
            return (
                "note: ziglang is missing (scripts/install-python-needs), so the module Darwin has our declarations, and no "
                "tests are compiled")
        names = [
            name for header in SUPPLIED
            for name in re.findall(r"^[a-z_]+ \*?(\w+)\(", (MISSING / f"{header}.h").read_text(), flags=re.MULTILINE)]
        return f"the module Darwin has {len(HEADERS)} headers of Apple's and {len(names)} functions of ours: {', '.join(names)}"
