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

        init(_ phrase: String, _ pattern: String, isBounded: Bool = false) {
            (shape, self.pattern, self.isBounded) = (SecretShape(phrase), SecretPattern(pattern), isBounded)
        }
    }

    static let entries: [Entry] = [
        // Source: docs.github.com, “About authentication to GitHub: token formats”.
        Entry("a GitHub token", "ghp_{a:36-255}"), Entry("a GitHub token", "gho_{a:36-255}"),
        Entry("a GitHub token", "ghu_{a:36-255}"), Entry("a GitHub token", "ghs_{a:36-255}"),
        Entry("a GitHub token", "ghr_{a:36-255}"), Entry("a GitHub token", "github_pat_{w:60-255}"),
        // Source: docs.gitlab.com, “Token prefixes”.
        Entry("a GitLab token", "glpat-{w:20-255}"), Entry("a GitLab token", "gldt-{w:20-255}"),
        Entry("a GitLab token", "glrt-{w:20-255}"), Entry("a GitLab token", "glcbt-{w:20-255}"),
        Entry("a GitLab token", "glptt-{w:20-255}"), Entry("a GitLab token", "glagent-{w:20-255}"),
        // Source: docs.aws.amazon.com, “IAM identifiers: unique identifiers”.
        Entry("an AWS access key", "AKIA{U:16}", isBounded: true),
        Entry("an AWS access key", "ASIA{U:16}", isBounded: true),
        Entry("an AWS secret key", "aws_secret_access_key=|{b:40}"),
        Entry("an AWS secret key", "aws_secret_access_key = |{b:40}"),
        Entry("a signed address", "X-Amz-Signature=|{h:64}"),
        // Source: developers.google.com/identity, “Using OAuth 2.0”; cloud.google.com/storage, “Signed URLs”.
        Entry("a Google access token", "ya29.{w:30-}"), Entry("a Google refresh token", "1//0{w:40-}"),
        Entry("a Google client secret", "GOCSPX-{w:28}"), Entry("a signed address", "X-Goog-Signature=|{h:64-}"),
        Entry("a signed address", "GoogleAccessId={t:1-320}&Signature=|{t:40-}"),
        Entry("a signed address", "GoogleAccessId={t:1-320}&Expires={d:1-20}&Signature=|{t:40-}"),
        Entry("a Firebase server key", "AAAA{w:7}:APA91b{w:120-}", isBounded: true),
        // Source: docs.slack.dev, “Token types” and “Sending messages using incoming webhooks”.
        Entry("a Slack token", "xoxb-{w:20-}"), Entry("a Slack token", "xoxp-{w:20-}"),
        Entry("a Slack token", "xoxa-{w:20-}"), Entry("a Slack token", "xoxr-{w:20-}"),
        Entry("a Slack token", "xoxs-{w:20-}"), Entry("a Slack token", "xoxe-{w:20-}"),
        Entry("a Slack token", "xoxc-{w:20-}"), Entry("a Slack token", "xoxd-{t:20-}"),
        Entry("a Slack token", "xapp-{w:20-}"),
        Entry("a Slack webhook", "hooks.slack.com/services/|T{a:6-}/B{a:6-}/{a:18-}"),
        Entry("a Slack webhook", "hooks.slack.com/workflows/|T{a:6-}/{p:6-}/{p:6-}/{a:18-}"),
        // Source: discord.com/developers, “Webhook resource” and “Authentication”.
        Entry("a Discord webhook", "discord.com/api/webhooks/|{d:15-20}/{w:50-}"),
        Entry("a Discord webhook", "discordapp.com/api/webhooks/|{d:15-20}/{w:50-}"),
        // Source: learn.microsoft.com/microsoftteams, “Create incoming webhooks”.
        Entry("a Teams webhook", ".webhook.office.com/webhookb2/|{t:30-}@{p:30-}/IncomingWebhook/{p:20-}/{p:20-}"),
        // Source: core.telegram.org/bots/api, “Authorizing your bot”.
        Entry("a Telegram bot token", "{d:8-10}:AA{w:33}"),
        // Source: docs.stripe.com, “API keys” and “Webhooks: verify signatures”.
        Entry("a live Stripe key", "sk_live_{a:20-}"), Entry("a live Stripe key", "rk_live_{a:20-}"),
        Entry("a Stripe webhook secret", "whsec_{a:32-}"),
        // Source: twilio.com/docs/iam, “API keys”. `AC…` is an identifier.
        Entry("a Twilio key", "SK{h:32}", isBounded: true),
        // Source: docs of SendGrid, Mailgun and Mailchimp on API keys.
        Entry("a SendGrid key", "SG.{w:16-32}.{w:32-64}"), Entry("a Mailgun key", "key-{h:32}", isBounded: true),
        Entry("a Mailchimp key", "{h:32}-us{d:1-2}"),
        // Source: docs.npmjs.com “About access tokens”, pypi.org/help, guides.rubygems.org, docs.docker.com.
        Entry("an npm token", "npm_{a:36}"), Entry("a PyPI token", "pypi-AgEIcHlwaS5vcmc{w:50-}"),
        Entry("a PyPI token", "pypi-AgENdGVzdC5weXBpLm9yZ{w:50-}"), Entry("a RubyGems key", "rubygems_{h:48}"),
        Entry("a Docker token", "dckr_pat_{w:27}"), Entry("a Docker token", "dckr_oat_{w:27-}"),
        // Source: help of OpenAI, Anthropic, Hugging Face and Replicate on API keys.
        Entry("an Anthropic key", "sk-ant-{w:80-}"), Entry("an OpenAI key", "sk-proj-{w:40-}"),
        Entry("an OpenAI key", "sk-svcacct-{w:40-}"), Entry("an OpenAI key", "sk-{a:48}", isBounded: true),
        Entry("an OpenRouter key", "sk-or-v1-{h:64}"), Entry("a Hugging Face token", "hf_{a:34}", isBounded: true),
        Entry("a Replicate token", "r8_{a:37}", isBounded: true), Entry("a Groq key", "gsk_{a:52}", isBounded: true),
        Entry("an xAI key", "xai-{a:80}", isBounded: true), Entry("a Perplexity key", "pplx-{a:48-}"),
        // Source: docs.digitalocean.com, devcenter.heroku.com, developers.cloudflare.com on tokens.
        Entry("a DigitalOcean token", "dop_v1_{h:64}"), Entry("a DigitalOcean token", "doo_v1_{h:64}"),
        Entry("a DigitalOcean token", "dor_v1_{h:64}"), Entry("a Heroku key", "HRKU-{w:36-}"),
        Entry("a Cloudflare key", "v1.0-{h:24}-{h:146}"),
        // Source: learn.microsoft.com/azure/storage, “Configure connection strings” and “Shared access signatures”.
        Entry("an Azure account key", "AccountKey=|{b:80-}"), Entry("an Azure access key", "SharedAccessKey=|{b:40-}"),
        Entry("a signed address", "&sig=|{t:40-}"), Entry("a signed address", "?sig=|{t:40-}"),
        // Source: help of Linear, Notion, Figma, Airtable, Atlassian and Postman on API keys.
        Entry("a Linear key", "lin_api_{a:40}"), Entry("a Notion token", "secret_{a:43}", isBounded: true),
        Entry("a Notion token", "ntn_{a:40-}"), Entry("a Figma token", "figd_{w:40}"),
        Entry("an Airtable token", "pat{a:14}.{h:64}", isBounded: true), Entry("an Atlassian token", "ATATT3{w:100-}"),
        Entry("a Postman key", "PMAK-{h:24}-{h:34}"),
        // Source: shopify.dev, developer.squareup.com, developer.paypal.com, developers.facebook.com on access tokens.
        Entry("a Shopify token", "shpat_{h:32}"), Entry("a Shopify token", "shpca_{h:32}"),
        Entry("a Shopify token", "shppa_{h:32}"), Entry("a Shopify token", "shpss_{h:32}"),
        Entry("a Square token", "EAAA{w:60}", isBounded: true), Entry("a Square secret", "sq0csp-{w:43}"),
        Entry("a Square token", "sq0atp-{w:22}"), Entry("a PayPal token", "access_token$production${a:16}${h:32}"),
        Entry("a Facebook token", "EAACEdEose0cBA{a:20-}"),
        // Source: docs.mapbox.com, “Access tokens”. `pk.` is public.
        Entry("a Mapbox secret token", "sk.eyJ{w:40-}.{w:20-}"),
        // Source: docs of New Relic, Sentry, HashiCorp (Vault, Terraform), Doppler, Pulumi and Databricks on tokens.
        Entry("a New Relic key", "NRAK-{U:27}"), Entry("a Sentry token", "sntrys_{t:40-}"),
        Entry("a Sentry token", "sntryu_{h:64}"), Entry("a Vault token", "hvs.{w:24-}"),
        Entry("a Vault token", "hvb.{w:100-}"), Entry("a Terraform token", "{a:14}.atlasv1.{w:60-}"),
        Entry("a Doppler token", "dp.pt.{a:40-44}"), Entry("a Doppler token", "dp.st.{w:40-}"),
        Entry("a Pulumi token", "pul-{h:40}", isBounded: true),
        Entry("a Databricks token", "dapi{h:32}", isBounded: true),
        Entry("a Grafana token", "glsa_{a:32}_{h:8}"), Entry("a Grafana token", "glc_{b:32-}"),
        // Source: developers.dropbox.com, spec.matrix.org, tailscale.com, supabase.com on tokens.
        Entry("a Dropbox token", "sl.{w:130-}", isBounded: true), Entry("a Matrix token", "syt_{w:1-}_{w:20}_{a:6}"),
        Entry("a Tailscale key", "tskey-{w:24-}"), Entry("a Supabase key", "sbp_{h:40}"),
        Entry("a Supabase key", "sb_secret_{w:20-}"),
        // Source: BIP 32 and SLIP 132 (extended private keys), filippo.io/age.
        Entry("a private key of a wallet", "xprv{a:100-112}"), Entry("a private key of a wallet", "yprv{a:100-112}"),
        Entry("a private key of a wallet", "zprv{a:100-112}"), Entry("a private key of a wallet", "tprv{a:100-112}"),
        Entry("an age key", "AGE-SECRET-KEY-1{U:58}"),
        // Cookies of servers. Source: PHP manual “session.name”, expressjs “express-session”.
        Entry("a session cookie", "PHPSESSID=|{a:22-}"), Entry("a session cookie", "JSESSIONID=|{t:16-}"),
        Entry("a session cookie", "jsessionid=|{t:16-}"), Entry("a session cookie", "sid=|s%3A{w:20-}.{t:30-}"),
    ]
}
