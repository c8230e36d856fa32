import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import BackupOperations
@testable import BackupPlan
@testable import BackupRepository

@Suite struct EngineSecretsTests {
    @Test(
        "A password is masked in every spelling of the repository",
        arguments: [
            ("rest:https://u:S3cr3tPw@h/", "Fatal: rest:https://u:S3cr3tPw@h unreachable"),
            ("rest:https://u:S3cr3tPw@h/", "no such user u with S3cr3tPw"),
            ("rest:https://u:S3c%40r%2fPw@h/", "dial https://u:S3c%40r%2FPw@h/"),
            ("rest:https://u:S3c%40r%2fPw@h/", "user u, password S3c@r/Pw"),
            ("sftp://u:S3c/r3t@h/repository", "https://u:S3c/r3t@h"),
            ("sftp://u:S3c\"r3t@h/", #"dial "sftp://u:S3c\"r3t@h": refused"#),
            ("ssh://u:S3crét@h/./r", "ssh://u:S3cr%C3%A9t@h/r is no repository"),
            ("elsewhere", "redirected to https://other:S3cr3tPw@elsewhere/"),
        ])
    func location(location: String, said: String) {
        let masked = EngineSecrets(location: location).masked(said)
        for part in ["S3c", "r3t", "Pw", "%C3%A9"] { #expect(!masked.contains(part), "\(masked)") }
        #expect(masked.contains("…"), "\(masked)")
    }

    @Test("Passwords and keys in environment variables are masked, locations of secrets are not")
    func environment() {
        let secrets = EngineSecrets(environment: [
            "RESTIC_PASSWORD": "An0ther", "AWS_SECRET_ACCESS_KEY": "kkkkkkkk", "B2_ACCOUNT_KEY": "b2b2b2b2",
            "AZURE_ACCOUNT_SAS": "sasasasa", "OS_AUTH_TOKEN": "tttttttt", "RESTIC_PASSWORD_FILE": "/etc/password",
            "AWS_ACCESS_KEY_ID": "identifier", "HOME": "/home/reader", "BORG_PASSPHRASE": "x",
            "RESTIC_REPOSITORY": "rest:https://u:fromEnv@h/",
        ])
        let said = "An0ther kkkkkkkk b2b2b2b2 sasasasa tttttttt fromEnv /etc/password identifier /home/reader"
        #expect(secrets.masked(said) == "… … … … … … /etc/password identifier /home/reader")
    }

    @Test("A text without secrets is unchanged, including ports and addresses")
    func harmless() {
        let secrets = EngineSecrets(location: "/srv/repository")
        for said in ["dial tcp 10.0.0.1:8000: refused", "at http://host:8000/path", "mail a@example.com: no"] {
            #expect(secrets.masked(said) == said)
        }
    }

    @Test("A long message is truncated after its secrets are masked", .needs(.process))
    func long() throws {
        var program = try EngineProgram("true")
        program.secrets = EngineSecrets(password: "S3cr3tPw")
        let (start, end) = (String(repeating: "x", count: 1 << 20), String(repeating: "y", count: 1_996))
        let said = program.quotation([start + "S3cr3tPw" + end])
        #expect(said.count <= 2_001 && said.hasPrefix("…") && !said.contains("Pw") && said.hasSuffix("yy"))
    }

    @Test(
        "A password file is read as restic reads it: without a byte order mark, and also as UTF-16",
        arguments: [
            (Array("secret\n".utf8), "secret\n"), ([0xef, 0xbb, 0xbf] + "secret".utf8, "secret"),
            ([0xff, 0xfe, 0x61, 0, 0xe9, 0], "aé"), ([0xfe, 0xff, 0, 0x61], "a"), ([], ""), ([0x61, 0xff], nil),
        ] as [([UInt8], String?)])
    func file(bytes: [UInt8], password: String?) throws {
        try withScratch { folder throws in
            let file = folder.appending(path: "password")
            try Data(bytes).write(to: file)
            #expect(try EngineRepository("r", passwordFile: FilePath(file.path)).password() == password)
            try Data(count: 70_000).write(to: file)
            for name in ["password", "none"] {
                #expect(throws: BackupError.self) {
                    _ = try EngineRepository("r", passwordFile: FilePath(folder.appending(path: name).path)).password()
                }
            }
        }
    }
}
