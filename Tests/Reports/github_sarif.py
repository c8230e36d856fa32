"""SARIF as GitHub's code scanning takes it.

The model is that of sarif-pydantic, which knows the format's properties; the rules on top are those of GitHub's "SARIF
support for code scanning" and "SARIF results exceed one or more limits", of which one broken rejects the whole file."""
import json
import re
from urllib.parse import unquote_to_bytes

import jsonschema
from pydantic import BaseModel
from sarif import loader
from sarif_pydantic import Sarif

# The format has them, the model does not.
BEYOND_THE_MODEL = {"columnKind", "toolExecutionNotifications"}
PRECISIONS = {"very-high", "high", "medium", "low"}


def unknown_properties(value):
    if isinstance(value, BaseModel):
        yield from set(value.model_extra or {}) - BEYOND_THE_MODEL
        for name in type(value).model_fields:
            yield from unknown_properties(getattr(value, name))
    elif isinstance(value, list):
        for element in value:
            yield from unknown_properties(element)


def check_schema(path, schema, expect):
    schema, log = json.loads(schema.read_text()), json.loads(path.read_text())
    # Thousands of results are alike, and take minutes.
    for run in log["runs"]:
        del run["results"][100:]
    validator = jsonschema.validators.validator_for(schema)
    error = next(validator(schema, format_checker=validator.FORMAT_CHECKER).iter_errors(log), None)
    expect(error is None, f"OASIS's schema: {error and error.message[:300]}")


def shown(uri):
    """The path as the other formats show it."""
    text = unquote_to_bytes(uri).decode(errors="surrogateescape")
    return "".join(
        character if character.isprintable() and character != "%"
        else "".join(f"%{byte:02X}" for byte in character.encode(errors="surrogateescape"))
        for character in text
    )


def check(path, expect):
    raw = path.read_bytes()
    expect(len(raw) <= 10_000_000, "larger than GitHub takes even if it cannot be compressed")
    unknown = set(unknown_properties(Sarif.model_validate_json(raw)))
    expect(not unknown, f"properties that the format does not have: {unknown}")
    log = json.loads(raw)
    expect(log["version"] == "2.1.0" and log["$schema"].startswith("https://"), "another version")
    expect(1 <= len(log["runs"]) <= 20, "GitHub takes 20 runs")
    categories = [run["automationDetails"]["id"] for run in log["runs"]]
    expect(len(set(categories)) == len(categories), "a category twice in one upload")
    prints, rows = set(), []
    for run in log["runs"]:
        expect(run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints"), "columns of no kind")
        (invocation,) = run["invocations"]
        for notification in invocation["toolExecutionNotifications"]:
            expect(notification["level"] in ("none", "note", "warning", "error"), "level")
            expect(notification["message"]["text"], "no text")
            for location in notification.get("locations", []):
                check_uri(location["physicalLocation"]["artifactLocation"]["uri"], expect)
        expect(invocation["executionSuccessful"] == (not invocation["toolExecutionNotifications"]), "success")
        driver = run["tool"]["driver"]
        expect(driver["name"] and re.fullmatch(r"\d+\.\d+\.\d+", driver["semanticVersion"]), "tool")
        expect(re.fullmatch(r"https://\S+", driver.get("informationUri", "https://a")), "informationUri")
        ids = [rule["id"] for rule in driver["rules"]]
        expect(len(set(ids)) == len(ids), "a rule twice")
        for rule in driver["rules"]:
            check_rule(rule, expect)
        expect(len(run["results"]) <= 5_000, "GitHub keeps 5,000 results of a run")
        for result in run["results"]:
            expect(ids[result["ruleIndex"]] == result["ruleId"], "the index of another rule")
            expect(result["level"] in ("error", "warning", "note"), "level")
            expect(result["message"]["text"] and "id" not in result["message"], "a message without text")
            expect(re.search(r"^help: .", result["message"]["text"], re.M), "a message without a remedy")
            (location,) = result["locations"]
            (logical,) = location["logicalLocations"]
            item = result["properties"]["path"]
            expect(logical["name"] and logical["kind"] == ("item" if item else "container"), "logicalLocations")
            expect(logical["fullyQualifiedName"].endswith("/" + item if item else logical["name"]), "logicalLocations")
            for place in [location] + result.get("relatedLocations", []):
                check_uri(place["physicalLocation"]["artifactLocation"]["uri"], expect)
            region = location["physicalLocation"]["region"]
            expect(all(region[key] >= 1 for key in ("startLine", "startColumn", "endLine", "endColumn")), "region")
            expect((region["endLine"], region["endColumn"]) > (region["startLine"], region["startColumn"]), "region")
            (hash_, own) = (result["partialFingerprints"][key] for key in ("primaryLocationLineHash", "sandboxlint/v1"))
            expect(re.fullmatch(r"[0-9a-f]{16}:\d+", hash_) and hash_ == own, "fingerprint")
            expect(hash_ not in prints, "a fingerprint twice")
            prints.add(hash_)
            expect("suppressions" not in result, "GitHub shows what is suppressed as open")
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            rows.append((result["level"], result["ruleId"], uri, region["startLine"]))
    # sarif-tools reads it the way that those who use it do.
    seen = sorted((row["Severity"], row["Location"], row["Line"]) for row in loader.load_sarif_file(path).get_records())
    expect(seen == sorted((level, uri, line) for level, _, uri, line in rows), "sarif-tools sees something else")
    return [(level, rule, shown(uri), line) for level, rule, uri, line in rows]


def check_rule(rule, expect):
    for key in ("shortDescription", "fullDescription"):
        expect(1 <= len(rule[key]["text"]) <= 1024, f"{rule['id']}: {key}")
    expect(rule["help"]["text"] and rule["help"]["markdown"], f"{rule['id']}: help")
    expect(re.fullmatch(r"https://\S+", rule.get("helpUri", "https://a")), f"{rule['id']}: helpUri")
    expect(rule["defaultConfiguration"]["level"] in ("error", "warning", "note"), f"{rule['id']}: level")
    properties = rule["properties"]
    expect(properties.get("precision", "low") in PRECISIONS, f"{rule['id']}: precision")
    expect(properties["problem.severity"] in ("error", "warning", "recommendation"), f"{rule['id']}: severity")
    expect(1 <= len(properties["tags"]) <= 10, f"{rule['id']}: tags")
    is_private = "privacy" in properties["tags"]
    expect(("security-severity" in properties) == is_private == ("security" in properties["tags"]), rule["id"])
    expect(0 < float(properties.get("security-severity", "1")) <= 10, f"{rule['id']}: security-severity")


def check_uri(uri, expect):
    expect(re.fullmatch(r"(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+", uri), f"no relative URI: {uri!r}")
    expect(not uri.startswith("/") and ".." not in uri.split("/"), f"no URI within a repository: {uri!r}")
