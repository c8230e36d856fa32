/// The forms of secrets that their issuers document.
///
/// Not listed, because they are no secrets: keys that are made to be in an app (Google `AIza…`, Mapbox `pk.…`, Stripe `pk_…`,
/// RevenueCat `appl_…`), test keys of Stripe, tokens of push notifications, and identifiers of accounts. A form that other texts
/// have, too, such as 40 hexadecimal digits, needs a name; see `StoragePolicy`.
enum KnownSecrets {
    struct Entry: Sendable {
        let shape: SecretShape
        let pattern: SecretPattern
        /// True if no letter or digit stands before the secret: short prefixes occur within words.
        let isBounded: Bool

        init(_ phrase: String, pattern: String, isBounded: Bool = false) {
            (shape, self.pattern, self.isBounded) = (SecretShape(phrase), SecretPattern(pattern), isBounded)
        }
    }

    static let entries: [Entry] = [
        // Source: docs.github.com, “About authentication to GitHub: token formats”.
        Entry("a GitHub token", pattern: "ghp_{a:36-255}"), Entry("a GitHub token", pattern: "gho_{a:36-255}"),
        Entry("a GitHub token", pattern: "ghu_{a:36-255}"), Entry("a GitHub token", pattern: "ghs_{a:36-255}"),
        Entry("a GitHub token", pattern: "ghr_{a:36-255}"), Entry("a GitHub token", pattern: "github_pat_{w:60-255}"),
        // Source: docs.gitlab.com, “Token prefixes”.
        Entry("a GitLab token", pattern: "glpat-{w:20-255}"), Entry("a GitLab token", pattern: "gldt-{w:20-255}"),
        Entry("a GitLab token", pattern: "glrt-{w:20-255}"), Entry("a GitLab token", pattern: "glcbt-{w:20-255}"),
        Entry("a GitLab token", pattern: "glptt-{w:20-255}"), Entry("a GitLab token", pattern: "glagent-{w:20-255}"),
        // Source: docs.aws.amazon.com, “IAM identifiers: unique identifiers”.
        Entry("an AWS access key", pattern: "AKIA{U:16}", isBounded: true),
        Entry("an AWS access key", pattern: "ASIA{U:16}", isBounded: true),
        Entry("an AWS secret key", pattern: "aws_secret_access_key=|{b:40}"),
        Entry("an AWS secret key", pattern: "aws_secret_access_key = |{b:40}"),
        Entry("a signed address", pattern: "X-Amz-Signature=|{h:64}"),
        // Source: developers.google.com/identity, “Using OAuth 2.0”; cloud.google.com/storage, “Signed URLs”.
        Entry("a Google access token", pattern: "ya29.{w:30-}"),
        Entry("a Google refresh token", pattern: "1//0{w:40-}"),
        Entry("a Google client secret", pattern: "GOCSPX-{w:28}"),
        Entry("a signed address", pattern: "X-Goog-Signature=|{h:64-}"),
        Entry("a signed address", pattern: "GoogleAccessId={t:1-320}&Signature=|{t:40-}"),
        Entry("a signed address", pattern: "GoogleAccessId={t:1-320}&Expires={d:1-20}&Signature=|{t:40-}"),
        Entry("a Firebase server key", pattern: "AAAA{w:7}:APA91b{w:120-}", isBounded: true),
        // Source: docs.slack.dev, “Token types” and “Sending messages using incoming webhooks”.
        Entry("a Slack token", pattern: "xoxb-{w:20-}"), Entry("a Slack token", pattern: "xoxp-{w:20-}"),
        Entry("a Slack token", pattern: "xoxa-{w:20-}"), Entry("a Slack token", pattern: "xoxr-{w:20-}"),
        Entry("a Slack token", pattern: "xoxs-{w:20-}"), Entry("a Slack token", pattern: "xoxe-{w:20-}"),
        Entry("a Slack token", pattern: "xoxc-{w:20-}"), Entry("a Slack token", pattern: "xoxd-{t:20-}"),
        Entry("a Slack token", pattern: "xapp-{w:20-}"),
        Entry("a Slack webhook", pattern: "hooks.slack.com/services/|T{a:6-}/B{a:6-}/{a:18-}"),
        Entry("a Slack webhook", pattern: "hooks.slack.com/workflows/|T{a:6-}/{p:6-}/{p:6-}/{a:18-}"),
        // Source: discord.com/developers, “Webhook resource” and “Authentication”.
        Entry("a Discord webhook", pattern: "discord.com/api/webhooks/|{d:15-20}/{w:50-}"),
        Entry("a Discord webhook", pattern: "discordapp.com/api/webhooks/|{d:15-20}/{w:50-}"),
        // Source: learn.microsoft.com/microsoftteams, “Create incoming webhooks”.
        Entry(
            "a Teams webhook", pattern: ".webhook.office.com/webhookb2/|{t:30-}@{p:30-}/IncomingWebhook/{p:20-}/{p:20-}"
        ),
        // Source: core.telegram.org/bots/api, “Authorizing your bot”.
        Entry("a Telegram bot token", pattern: "{d:8-10}:AA{w:33}"),
        // Source: docs.stripe.com, “API keys” and “Webhooks: verify signatures”.
        Entry("a live Stripe key", pattern: "sk_live_{a:20-}"), Entry("a live Stripe key", pattern: "rk_live_{a:20-}"),
        Entry("a Stripe webhook secret", pattern: "whsec_{a:32-}"),
        // Source: twilio.com/docs/iam, “API keys”. `AC…` is an identifier.
        Entry("a Twilio key", pattern: "SK{h:32}", isBounded: true),
        // Source: docs of SendGrid, Mailgun and Mailchimp on API keys.
        Entry("a SendGrid key", pattern: "SG.{w:16-32}.{w:32-64}"),
        Entry("a Mailgun key", pattern: "key-{h:32}", isBounded: true),
        Entry("a Mailchimp key", pattern: "{h:32}-us{d:1-2}"),
        // Source: docs.npmjs.com “About access tokens”, pypi.org/help, guides.rubygems.org, docs.docker.com.
        Entry("an npm token", pattern: "npm_{a:36}"), Entry("a PyPI token", pattern: "pypi-AgEIcHlwaS5vcmc{w:50-}"),
        Entry("a PyPI token", pattern: "pypi-AgENdGVzdC5weXBpLm9yZ{w:50-}"),
        Entry("a RubyGems key", pattern: "rubygems_{h:48}"),
        Entry("a Docker token", pattern: "dckr_pat_{w:27}"), Entry("a Docker token", pattern: "dckr_oat_{w:27-}"),
        // Source: help of OpenAI, Anthropic, Hugging Face and Replicate on API keys.
        Entry("an Anthropic key", pattern: "sk-ant-{w:80-}"), Entry("an OpenAI key", pattern: "sk-proj-{w:40-}"),
        Entry("an OpenAI key", pattern: "sk-svcacct-{w:40-}"),
        Entry("an OpenAI key", pattern: "sk-{a:48}", isBounded: true),
        Entry("an OpenRouter key", pattern: "sk-or-v1-{h:64}"),
        Entry("a Hugging Face token", pattern: "hf_{a:34}", isBounded: true),
        Entry("a Replicate token", pattern: "r8_{a:37}", isBounded: true),
        Entry("a Groq key", pattern: "gsk_{a:52}", isBounded: true),
        Entry("an xAI key", pattern: "xai-{a:80}", isBounded: true), Entry("a Perplexity key", pattern: "pplx-{a:48-}"),
        // Source: docs.digitalocean.com, devcenter.heroku.com, developers.cloudflare.com on tokens.
        Entry("a DigitalOcean token", pattern: "dop_v1_{h:64}"),
        Entry("a DigitalOcean token", pattern: "doo_v1_{h:64}"),
        Entry("a DigitalOcean token", pattern: "dor_v1_{h:64}"), Entry("a Heroku key", pattern: "HRKU-{w:36-}"),
        Entry("a Cloudflare key", pattern: "v1.0-{h:24}-{h:146}"),
        // Source: learn.microsoft.com/azure/storage, “Configure connection strings” and “Shared access signatures”.
        Entry("an Azure account key", pattern: "AccountKey=|{b:80-}"),
        Entry("an Azure access key", pattern: "SharedAccessKey=|{b:40-}"),
        Entry("a signed address", pattern: "&sig=|{t:40-}"), Entry("a signed address", pattern: "?sig=|{t:40-}"),
        // Source: help of Linear, Notion, Figma, Airtable, Atlassian and Postman on API keys.
        Entry("a Linear key", pattern: "lin_api_{a:40}"),
        Entry("a Notion token", pattern: "secret_{a:43}", isBounded: true),
        Entry("a Notion token", pattern: "ntn_{a:40-}"), Entry("a Figma token", pattern: "figd_{w:40}"),
        Entry("an Airtable token", pattern: "pat{a:14}.{h:64}", isBounded: true),
        Entry("an Atlassian token", pattern: "ATATT3{w:100-}"),
        Entry("a Postman key", pattern: "PMAK-{h:24}-{h:34}"),
        // Source: shopify.dev, developer.squareup.com, developer.paypal.com, developers.facebook.com on access tokens.
        Entry("a Shopify token", pattern: "shpat_{h:32}"), Entry("a Shopify token", pattern: "shpca_{h:32}"),
        Entry("a Shopify token", pattern: "shppa_{h:32}"), Entry("a Shopify token", pattern: "shpss_{h:32}"),
        Entry("a Square token", pattern: "EAAA{w:60}", isBounded: true),
        Entry("a Square secret", pattern: "sq0csp-{w:43}"),
        Entry("a Square token", pattern: "sq0atp-{w:22}"),
        Entry("a PayPal token", pattern: "access_token$production${a:16}${h:32}"),
        Entry("a Facebook token", pattern: "EAACEdEose0cBA{a:20-}"),
        // Source: docs.mapbox.com, “Access tokens”. `pk.` is public.
        Entry("a Mapbox secret token", pattern: "sk.eyJ{w:40-}.{w:20-}"),
        // Source: docs of New Relic, Sentry, HashiCorp (Vault, Terraform), Doppler, Pulumi and Databricks on tokens.
        Entry("a New Relic key", pattern: "NRAK-{U:27}"), Entry("a Sentry token", pattern: "sntrys_{t:40-}"),
        Entry("a Sentry token", pattern: "sntryu_{h:64}"), Entry("a Vault token", pattern: "hvs.{w:24-}"),
        Entry("a Vault token", pattern: "hvb.{w:100-}"), Entry("a Terraform token", pattern: "{a:14}.atlasv1.{w:60-}"),
        Entry("a Doppler token", pattern: "dp.pt.{a:40-44}"), Entry("a Doppler token", pattern: "dp.st.{w:40-}"),
        Entry("a Pulumi token", pattern: "pul-{h:40}", isBounded: true),
        Entry("a Databricks token", pattern: "dapi{h:32}", isBounded: true),
        Entry("a Grafana token", pattern: "glsa_{a:32}_{h:8}"), Entry("a Grafana token", pattern: "glc_{b:32-}"),
        // Source: developers.dropbox.com, spec.matrix.org, tailscale.com, supabase.com on tokens.
        Entry("a Dropbox token", pattern: "sl.{w:130-}", isBounded: true),
        Entry("a Matrix token", pattern: "syt_{w:1-}_{w:20}_{a:6}"),
        Entry("a Tailscale key", pattern: "tskey-{w:24-}"), Entry("a Supabase key", pattern: "sbp_{h:40}"),
        Entry("a Supabase key", pattern: "sb_secret_{w:20-}"),
        // Source: BIP 32 and SLIP 132 (extended private keys), filippo.io/age.
        Entry("a private key of a wallet", pattern: "xprv{a:100-112}"),
        Entry("a private key of a wallet", pattern: "yprv{a:100-112}"),
        Entry("a private key of a wallet", pattern: "zprv{a:100-112}"),
        Entry("a private key of a wallet", pattern: "tprv{a:100-112}"),
        Entry("an age key", pattern: "AGE-SECRET-KEY-1{U:58}"),
        // Cookies of servers. Source: PHP manual “session.name”, expressjs “express-session”.
        Entry("a session cookie", pattern: "PHPSESSID=|{a:22-}"),
        Entry("a session cookie", pattern: "JSESSIONID=|{t:16-}"),
        Entry("a session cookie", pattern: "jsessionid=|{t:16-}"),
        Entry("a session cookie", pattern: "sid=|s%3A{w:20-}.{t:30-}"),
    ]
}
