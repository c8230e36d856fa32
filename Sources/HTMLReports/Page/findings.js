// The filter of the findings. They are in the markup; the script hides those that the filter leaves out.

/** The number of findings of a rule that are shown at first. */
const firstFindings = 8;

class Findings {
    /** `reveal` shows an item of a map, given the index of the map and the number of the item. */
    constructor(section, reveal) {
        this.section = section;
        this.form = section.querySelector("form");
        this.status = section.querySelector(".count");
        this.rules = [...section.querySelectorAll(".rule")];
        this.findings = [...section.querySelectorAll(".finding")].map((item, index) => ({
            item, index, rule: item.closest(".rule"), severity: item.dataset.severity, change: item.dataset.change ?? "",
            bytes: Number(item.dataset.bytes), map: Number(item.dataset.map), node: Number(item.dataset.node),
            text: "",
        }));
        this.scope = null;
        this.scopeBox = element("p", "scope");
        this.scopeBox.hidden = true;
        this.status?.after(this.scopeBox);
        if (!this.form) return;
        for (const finding of this.findings) this.addButton(finding, reveal);
        this.expanded = new Set();
        this.more = new Map(this.rules.map((rule) => [rule, this.moreButton(rule)]));
        this.form.addEventListener("input", () => this.update());
        this.form.addEventListener("submit", (event) => event.preventDefault());
        this.form.addEventListener("reset", () => {
            this.setScope(null);
            // The fields have their first values after this event.
            setTimeout(() => this.update());
        });
        this.update();
    }

    addButton(finding, reveal) {
        if (Number.isNaN(finding.node)) return;
        const button = element("button", "show", "Show on the map");
        button.type = "button";
        button.addEventListener("click", () => reveal(finding.map, finding.node));
        finding.item.querySelector(".body").append(button);
    }

    /** Returns a button that shows the other findings of a rule. */
    moreButton(rule) {
        const button = element("button", "more");
        button.type = "button";
        button.addEventListener("click", () => {
            const next = rule.querySelectorAll(".finding:not([hidden])").length;
            this.expanded.add(rule);
            this.update();
            rule.querySelectorAll(".finding:not([hidden]) summary")[next]?.focus();
        });
        rule.querySelector("ul").after(button);
        return button;
    }

    /** Shows all findings that match the filter. */
    expandAll() {
        if (!this.form) return;
        this.expanded = new Set(this.rules);
        this.update();
    }

    /** Counts the findings of the items of a map. */
    countIn(root, map) {
        for (const finding of this.findings) {
            if (finding.map !== map || Number.isNaN(finding.node) || finding.change === "fixed") continue;
            for (const node of chain(find(root, finding.node))) {
                node.findings += 1;
                if (rank(finding.severity) > rank(node.worst)) node.worst = finding.severity;
            }
        }
    }

    /** Shows only the findings of an item of a map and below; null shows all. */
    setScope(scope) {
        this.scope = scope;
        this.scopeBox.hidden = !scope;
        if (scope) {
            const button = element("button", "", "Show all");
            button.type = "button";
            button.addEventListener("click", () => this.setScope(null));
            this.scopeBox.replaceChildren("Only in ", isolated(scope.path, "name"), " ", button);
        }
        this.update();
    }

    update() {
        if (!this.form) return;
        const field = (name) => this.form.querySelector(`#filter-${name}`)?.value ?? "";
        const severities = new Set([...this.form.querySelectorAll("[name=severity]:checked")].map((box) => box.value));
        const words = field("text").toLowerCase().split(/\s+/).filter(Boolean);
        let shown = 0;
        const visible = new Map();
        this.sort(field("order"));
        for (const finding of this.findings) {
            const isShown = severities.has(finding.severity)
                && (field("rule") === "" || finding.rule.dataset.rule.split(" ").includes(field("rule")))
                && (field("change") === "" || finding.change === field("change"))
                && finding.bytes >= Number(field("size")) && this.isInScope(finding) && this.matches(finding, words);
            const position = visible.get(finding.rule) ?? 0;
            finding.item.hidden = !isShown || (position >= firstFindings && !this.expanded.has(finding.rule));
            if (!isShown) continue;
            shown += 1;
            visible.set(finding.rule, position + 1);
        }
        for (const rule of this.rules) {
            const matching = visible.get(rule) ?? 0;
            const button = this.more.get(rule);
            rule.hidden = matching === 0;
            button.hidden = matching <= firstFindings || this.expanded.has(rule);
            button.textContent = `Show ${grouped(matching - firstFindings)} more`;
        }
        const all = this.findings.length;
        this.status.textContent = shown === all ? count(all, "finding") : `${grouped(shown)} of ${count(all, "finding")}`;
    }

    isInScope(finding) {
        const { scope } = this;
        return !scope || (finding.map === scope.map && finding.node >= scope.first && finding.node <= scope.last);
    }

    matches(finding, words) {
        if (words.length === 0) return true;
        // The text of all findings is read once, and only if it is searched.
        finding.text ||= `${finding.item.textContent} ${finding.rule.querySelector("h3").textContent} ${
            finding.rule.dataset.rule}`.toLowerCase();
        return words.every((word) => finding.text.includes(word));
    }

    /** Sorts the rules and their findings. The order of the markup is that of severity. */
    sort(order) {
        if (order === this.order || (order === "severity" && !this.order)) return;
        this.order = order;
        const compare = order === "size"
            ? (left, right) => right.bytes - left.bytes || left.index - right.index
            : (left, right) => left.index - right.index;
        const rules = this.rules.map((rule, index) => ({ rule, index, bytes: Number(rule.dataset.bytes) }));
        for (const { rule } of rules.sort(compare)) this.section.append(rule);
        for (const finding of this.findings.sort(compare)) finding.item.parentElement.append(finding.item);
    }
}

function rank(severity) {
    return ["note", "warning", "error"].indexOf(severity);
}
