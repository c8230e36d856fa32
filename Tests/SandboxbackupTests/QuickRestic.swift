import Foundation
import TestSupport

/// A repository of restic that opens at once. restic derives a key from the password for half a second in each run;
/// here its own key is wrapped again with the least work that it accepts. Everything else is as restic made it.
enum QuickRestic {
    static let password = "secret"

    /// Writes the repository into a new directory.
    static func makeRepository(at path: String) throws {
        let folder = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let archive = folder.appending(path: "made.tar")
        try repository.get().write(to: archive)
        try Command.setUp("tar", ["-xf", archive.path], in: folder)
        try FileManager.default.removeItem(at: archive)
    }

    /// The repository as an archive, made once in this process.
    private static let repository = Result { try made() }

    private static func made() throws -> Data {
        try withScratch { folder throws in
            try Command.setUp(
                "bash", ["-c", "restic init -q -r made && \"$0\" -c \"$1\"", try Command.python(), wrap], in: folder,
                environment: ["RESTIC_PASSWORD": password, "RESTIC_CACHE_DIR": folder.appending(path: "cache").path])
            return try Command("tar", ["-cC", "made", "."], in: folder).succeeded().output
        }
    }

    /// Wraps the key again, as described in “Keys, Encryption and MAC” of restic's design: AES-256 in counter mode, and
    /// Poly1305-AES over the result.
    private static let wrap = """
        import base64, hashlib, hmac, json, os, pathlib
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        from cryptography.hazmat.primitives.poly1305 import Poly1305

        def derived(key):
            cost = dict(n=key["N"], r=key["r"], p=key["p"])
            salt = base64.b64decode(key["salt"])
            words = hashlib.scrypt(b"\(password)", salt=salt, dklen=64, maxmem=1 << 28, **cost)
            return words[:32], words[32:48], words[48:]

        def tag(k, r, vector, sealed):
            nonce = Cipher(algorithms.AES(k), modes.ECB()).encryptor().update(vector)
            return Poly1305.generate_tag(r + nonce, sealed)

        [file] = pathlib.Path("made/keys").iterdir()
        key = json.loads(file.read_bytes())
        data = base64.b64decode(key["data"])
        vector, sealed, mac = data[:16], data[16:-16], data[-16:]
        secret, k, r = derived(key)
        assert hmac.compare_digest(tag(k, r, vector, sealed), mac)
        master = Cipher(algorithms.AES(secret), modes.CTR(vector)).decryptor().update(sealed)
        json.loads(master)
        key |= {"N": 2, "r": 1, "p": 1}
        secret, k, r = derived(key)
        vector = os.urandom(16)
        sealed = Cipher(algorithms.AES(secret), modes.CTR(vector)).encryptor().update(master)
        key["data"] = base64.b64encode(vector + sealed + tag(k, r, vector, sealed)).decode()
        text = json.dumps(key).encode()
        file.unlink()
        file.with_name(hashlib.sha256(text).hexdigest()).write_bytes(text)
        """
}
