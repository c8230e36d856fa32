@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("A secret by its name") struct SecretValueTests {
    @Test(
        "without a known shape is long and mixed",
        arguments: [
            "q7Zk2Xv9LpR4tW8sYb3N", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "dGhpcyBpcyBub3Qg/YSByZWFs+c2VjcmV0MQ==",
        ])
    func opaque(text: String) { #expect(SecretValue.isOpaque(text)) }

    @Test(
        "without a known shape is not a name, identifier, path, date or sentence",
        arguments: [
            "short1", "0E51B748-1CAE-4B41-9D42-6AA70BBCFAD9", "com.example.feature.password-reset-v2",
            "PasswordResetFlowVariantB2024", "2024-01-01T00:00:00.000Z", "Documents/2024/Quarterly/report-4.pdf",
            "AIzaSyD4k7Q9x2V8n1LpRtWzYbKc3M5j6F0hGsE", "a sentence with 12 words in it, or so it seems",
            "https://example.com/q7Zk2Xv9LpR4tW8sYb3N", "aaaaaaaaaaaaaaaaaaaaaaa1", "abcdefghijklmnopqrstuvwxyz",
            "1234567890-q7zk2xv9lpr4tw8s.apps.googleusercontent.com", "somebody12345@example.com",
        ])
    func notOpaque(text: String) { #expect(!SecretValue.isOpaque(text)) }

    @Test(
        "is recognized by its key",
        arguments: [
            ("access_token", true), ("com.example.accesstoken", true), ("dbpassword", true), ("client-secret", true),
            ("nextpagetoken", false), ("devicetoken", false), ("publicapikey", false), ("title", false), ("", false),
        ])
    func names(name: String, isSecret: Bool) { #expect(SecretName.isSecret(name) == isSecret) }

    @Test(
        "has a key whose last word is that of a secret, in any spelling",
        arguments: [
            ("password", SecretName.Kind.password), ("userPasswd", .password), ("DB_PASSPHRASE", .password),
            ("dbpassword", .password), ("client-secret", .password), ("oldPassword2", .password),
            ("refresh_token", .key), ("accesstoken", .key), ("com.example.AccessToken", .key), ("api_key", .key),
            ("APIKey", .key), ("privateKeyData", .key), ("sessionID", .key),
            ("password_label", nil), ("enter_password", nil), ("forgot.password.title", nil), ("passwordLength", nil),
            ("requiresPassword", nil), ("tokenCount", nil), ("secretVariant", nil), ("img/password", nil),
            ("password.png", nil), ("key", nil), ("publicKey", nil), ("deviceToken", nil), ("nextPageToken", nil),
            ("", nil),
        ])
    func kinds(name: String, kind: SecretName.Kind?) { #expect(SecretName.kind(of: name) == kind) }

    @Test(
        "may be a short password, which mixes letters with digits or symbols",
        arguments: [
            "hunter2!", "hunter2", "Passw0rd", "correct#horse", "p4ssword", "S3cret-Garden9", "zażółć7", "moor-hen-27",
            "correct_horse_battery_9",
        ])
    func password(text: String) { #expect(SecretValue.isPassword(text)) }

    @Test(
        "is not a password if the value is a placeholder, a caption, a term, a reference or trivial",
        arguments: [
            "", "abc1!", "changeme", "Change-Me!", "********", "•••••••••", "xxxxxxxx1", "<password1>", "[secret-1]",
            "${PASSWORD1}", "$APPLE_PW1", "%DB_PASS_1%", "{{pass1}}", "moor-hen", "login-screen-2", "step-3-title",
            "%1$@ is wrong", "Enter %@1", "true", "123456", "3.14159", "0x1f2e",
            "biometric", "faceIDOrPasscode", "oauth2", "sha256", "AES-256", "password-reset-v2", "option_12",
            "com.example.step2", "2024-01-01T00:00:00Z", "0E51B748-1CAE-4B41-9D42-6AA70BBCFAD9", "Password?",
            "Passwort*",
            "Forgot!", "8 characters, 1 digit", "https://a.example/p4ss", "/private/var/p4ss", "me4@example.com",
            "a1=b2&c3=d4", "Пароль",
        ])
    func noPassword(text: String) { #expect(!SecretValue.isPassword(text)) }

    @Test(
        "may be a short token of mixed letters and digits", arguments: ["a1b2c3d4e5f6", "q7Zk2Xv9Lp", "9f86d081884c"])
    func key(text: String) { #expect(SecretValue.isKey(text)) }

    @Test(
        "is not a token if the value is short, a word, a date, a version or public",
        arguments: [
            "a1b2c3", "none", "unauthorized", "refreshing1", "20240101T120000Z", "v1.2.3-beta.4", "xxxxxxxx1x1x",
            "0E51B748-1CAE-4B41-9D42-6AA70BBCFAD9", "pk_test_q7Zk2Xv9", "two words 1a2b3c",
        ])
    func noKey(text: String) { #expect(!SecretValue.isKey(text)) }

    @Test("never appears in the path to it")
    func pointer() {
        let names = ["users", "ghp_q7Zk2Xv9LpR4tW8sYb3Nq7Zk2Xv9LpR4tW8s", "q7Zk2Xv9LpR4tW8sYb3N"]
        let list = names.reduce(ValuePointer.root) { ValuePointer.Parent($0).member($1) }
        let pointer = ValuePointer.Parent(ValuePointer.Parent(list).member(2)).member("a\u{1b}b")
        #expect(pointer.text == "/users/<GitHub token>/…/2/a%1Bb")
        var deep = ValuePointer.root
        for _ in 0..<900 { deep = ValuePointer.Parent(deep).member("level") }
        #expect(deep.text.utf8.count < 1024)
    }
}
