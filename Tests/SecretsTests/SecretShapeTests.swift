import Secrets
import Testing

@Suite("A secret") struct SecretShapeTests {
    /// A text without words: letters and digits in turn.
    private static func mixed(_ count: Int, _ alphabet: String = "q7Zk2Xv9LpR4tW8sYb3NcH5mJd6G") -> String {
        let letters = Array(alphabet)
        return String((0..<count).map { letters[($0 * 3 + $0 / letters.count) % letters.count] })
    }
    private static let hexadecimal = "0f3a9c17e5b2d846"
    private static let upper = "Q7ZK2XV9LPR4TW8SYB3N"

    /// One sample of each form, made here: none was ever valid.
    private static let samples: [(String, String)] = [
        ("Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJlLW9mLWFu", "an Authorization header"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJlLW9mLWFu", "a JSON Web Token"),
        ("tokenghp_" + mixed(36), "a GitHub token"), ("github_pat_" + mixed(22) + "_" + mixed(59), "a GitHub token"),
        ("glpat-" + mixed(20), "a GitLab token"), ("AKIA" + mixed(16, upper), "an AWS access key"),
        ("aws_secret_access_key=" + mixed(40), "an AWS secret key"),
        ("https://b.s3.amazonaws.com/k?X-Amz-Signature=" + mixed(64, hexadecimal), "a signed address"),
        ("https://a.blob.core.windows.net/c/f?sv=2022-11-02&sig=" + mixed(43), "a signed address"),
        ("ya29." + mixed(60), "a Google access token"), ("GOCSPX-" + mixed(28), "a Google client secret"),
        ("AAAA" + mixed(7) + ":APA91b" + mixed(134), "a Firebase server key"),
        ("xoxb-123456789012-" + mixed(12), "a Slack token"),
        ("https://hooks.slack.com/services/T0ABCDEFG/B0HJKLMNP/" + mixed(24), "a Slack webhook"),
        ("https://discord.com/api/webhooks/123456789012345678/" + mixed(68), "a Discord webhook"),
        ("https://api.telegram.org/file/bot8123456789:AA" + mixed(33) + "/photo.jpg", "a Telegram bot token"),
        ("key=sk_live_" + mixed(20), "a live Stripe key"), ("whsec_" + mixed(32), "a Stripe webhook secret"),
        ("SK" + mixed(32, hexadecimal), "a Twilio key"), ("SG." + mixed(22) + "." + mixed(43), "a SendGrid key"),
        ("key-" + mixed(32, hexadecimal), "a Mailgun key"), (mixed(32, hexadecimal) + "-us12", "a Mailchimp key"),
        ("npm_" + mixed(36), "an npm token"), ("pypi-AgEIcHlwaS5vcmc" + mixed(70), "a PyPI token"),
        ("sk-ant-api03-" + mixed(93) + "AA", "an Anthropic key"), ("sk-proj-" + mixed(74), "an OpenAI key"),
        ("sk-" + mixed(48), "an OpenAI key"), ("hf_" + mixed(34), "a Hugging Face token"),
        ("r8_" + mixed(37), "a Replicate token"), ("dop_v1_" + mixed(64, hexadecimal), "a DigitalOcean token"),
        ("AccountName=a;AccountKey=" + mixed(86) + "==;EndpointSuffix=b", "an Azure account key"),
        ("shpat_" + mixed(32, hexadecimal), "a Shopify token"), ("dapi" + mixed(32, hexadecimal), "a Databricks token"),
        ("hvs." + mixed(90), "a Vault token"), (mixed(14) + ".atlasv1." + mixed(64), "a Terraform token"),
        ("xprv9s21ZrQH143K" + mixed(96, "q7Zk2Xv9LpR4tW8sYb3N"), "a private key of a wallet"),
        ("AGE-SECRET-KEY-1" + mixed(58, upper), "an age key"), ("PHPSESSID=" + mixed(26), "a session cookie"),
        ("postgres://u:" + mixed(18) + "@db:5432/x", "an address with a password"),
        ("redis://:" + mixed(18) + "@r:6379", "an address with a password"),
        ("GET /x Authorization: " + mixed(40), "an Authorization header"),
        ("{\"Authorization\": \"" + mixed(40) + "\"}", "an Authorization header"),
        ("Basic dXNlcjpxN1prMlh2OUxwUjR0Vw==", "an Authorization header"),
        ("otpauth://totp/A:u?secret=Q7ZK2XV4LPR4TW5SYB3N&issuer=A", "a one-time password key"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "a private key"),
    ]

    @Test("is recognized by its issuer's format, at any position", arguments: samples)
    func strong(text: String, phrase: String) {
        #expect(SecretShape.first(in: text)?.shape.phrase == phrase)
        #expect(SecretShape.first(in: "before \(text) after")?.shape.phrase == phrase)
        let text = "a \(text) b, \(text)"
        #expect(!SecretShape.isContained(in: text.withoutSecrets), "\(text.withoutSecrets)")
        #expect(text.withoutSecrets.hasPrefix("a ") && text.withoutSecrets.contains(" b, "))
    }

    @Test(
        "is not a text that only looks like one",
        arguments: [
            "", "eyJ", "eyJhbGciOiJIUzI1NiJ9.payload.c2lnbmF0dXJlLW9mLWFu",
            "pk.eyJ1IjoiZXhhbXBsZSIsImEiOiJjazEyMyJ9.q7Zk2Xv9LpR4tW8sYb3N",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk_live_short", "sk_test_q7Zk2Xv9LpR4tW8sYb3N",
            "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----\nMIIE",
            "AKIAIOSFODNN7EXAMPLE", "AIzaSyD4k7Q9x2V8n1LpRtWzYbKc3M5j6F0hGsE", "task-" + mixed(48), "xSK" + mixed(32),
            "https://example.com/a?b=c@d", "https://user:<password>@example.com", "https://u:password@example.com",
            "git://example.com:8080/a@b", "Bearer <token>", "Authorization: Bearer YOUR_TOKEN_1234567890",
            "Authorization: required", "Basic authentication-required", "cK3d9:APA91b" + mixed(134),
            "-----BEGIN PRIVATE", "otpauth://totp/A:u?issuer=A",
        ])
    func notStrong(text: String) { #expect(SecretShape.first(in: text) == nil) }

    @Test("is a private key up to the end of the text if its end is missing")
    func cutKey() {
        let text = "a -----BEGIN PRIVATE KEY-----\nMIIE"
        #expect(SecretShape.first(in: text)?.shape == .privateKey && text.withoutSecrets == "a <private key>")
    }

    @Test("is shown by its kind, in its context")
    func shown() {
        let text = "see https://u:q7Zk2Xv9Lp@example.com/a and ghp_\(Self.mixed(36))."
        #expect(text.withoutSecrets == "see https://<address with a password>@example.com/a and <GitHub token>.")
        #expect("nothing here".withoutSecrets == "nothing here")
    }

    @Test("is found in linear time in any text")
    func hostile() {
        for piece in [
            "eyJ", "ghp_", "-----BEGIN ", "eyJhbGciOiJIUzI1.", "eyJhbGciOiJIUzI1.eyJ", "sk-", "://", "://a:", "AAAA",
            "-us1",
            "Bearer ", "uthorization: ", "otpauth://", "GoogleAccessId=", "syt_a_", ".atlasv1.", "1//0", "\u{0}",
        ] {
            let bytes = [UInt8](String(repeating: piece, count: 20_000).utf8)
            let time = ContinuousClock().measure {
                let found = bytes.withUnsafeBytes { SecretShape.matches(in: $0) }
                #expect(found.reduce(0) { $0 + $1.length } <= bytes.count)
            }
            // A quadratic search of these takes minutes.
            #expect(time < .seconds(60), "\(piece)")
        }
    }

    @Test("is found between bytes that are not UTF-8, and in the range in which it begins")
    func bytes() {
        let token = Array("ghp_\(Self.mixed(36))".utf8)
        let bytes = [0xff, 0xc3] + token + [0xff]
        bytes.withUnsafeBytes { bytes in
            #expect(SecretShape.matches(in: bytes).map(\.start) == [2])
            #expect(SecretShape.matches(in: bytes, from: 2..<3).map(\.length) == [40])
            #expect(SecretShape.matches(in: bytes, from: 3..<bytes.count).isEmpty)
            #expect(SecretShape.matches(in: bytes, from: 0..<2).isEmpty)
            #expect(SecretShape.matches(in: bytes, most: 0).isEmpty)
        }
    }

    @Test(
        "An address shows no secret that its host or several components of its path are",
        arguments: [
            ("https://a-jsessionid=le.cn%2t/axp/b.e/unsafe", "https://…/axp/b.e/unsafe"),
            ("https://example.com/jsessionid/photos", "https://example.com/jsessionid/photos"),
            ("https://ghp_q7Zk2Xv9LpR4tW8sYb3Nq7Zk2Xv9LpR4tW8s/a", "https://…"),
            ("https://[2001:db8::1]:8080/a", "https://[2001:db8::1]/a"),
            ("https://bücher.example/a", "https://bücher.example/a"),
        ])
    func address(text: String, shown: String) {
        #expect(ShownAddress(text)?.text == shown)
        #expect(!SecretShape.isContained(in: ShownAddress(text)?.text ?? ""))
    }
}
