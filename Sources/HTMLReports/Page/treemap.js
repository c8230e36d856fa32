// A map of one container: nested rectangles, a path above them, and the content of the directory as a table.

const gap = 2;
const captionHeight = 20;
const smallest = { width: 56, height: 26 };
const mostRows = 100;

class Treemap {
    /** Creates the map in a section. `changed` is called after another directory was opened. */
    constructor(section, root, classes, changed) {
        this.section = section;
        this.root = root;
        this.current = root;
        this.classes = classes;
        this.changed = changed;
        this.title = section.querySelector("h2").textContent;
        this.others = [];
        this.build();
        this.observer = new ResizeObserver(() => this.draw());
        this.observer.observe(this.field);
    }

    build() {
        const path = element("nav", "breadcrumb");
        path.setAttribute("aria-label", `Path in ${this.title}`);
        this.path = path.appendChild(element("ol"));
        this.field = element("div", "field-of-tiles");
        this.field.setAttribute("role", "group");
        this.field.setAttribute("aria-label",
            `${this.title}: arrow keys select, Enter opens, Escape goes to the directory above`);
        this.field.addEventListener("keydown", (event) => this.press(event));
        this.detail = element("p", "tile-detail");
        this.detail.setAttribute("aria-hidden", "true");
        this.status = element("p", "hidden");
        this.status.setAttribute("role", "status");
        this.list = element("details", "content-list");
        this.list.append(element("summary", "", "Content of this directory as a table"), element("div", "scroll"));
        this.list.addEventListener("toggle", () => this.drawList());
        this.section.querySelector("h2").after(path, this.field, this.detail, this.status, this.list);
    }

    // Navigation

    /** Opens a directory. `focused` is the item of it that gets the focus, if any. */
    open(node, { focused = null, isFollowing = false, keepsScope = false } = {}) {
        if (!isOpenable(node)) node = node.parent ?? this.root;
        this.current = node;
        this.selected = focused ?? node.children.find((child) => child.bytes > 0) ?? node.children[0];
        this.draw();
        this.field.classList.remove("appearing");
        // Reading a measure restarts the animation.
        void this.field.offsetWidth;
        this.field.classList.add("appearing");
        if (focused) this.tile(focused)?.focus();
        if (isFollowing) return;
        this.status.textContent =
            `${nameOf(node, this.title)}: ${count(node.items, "item")}, ${size(node.bytes)}`;
        for (const other of this.others) {
            const same = counterpart(node, other.root);
            if (same && isOpenable(same)) other.open(same, { isFollowing: true });
        }
        if (!keepsScope) this.changed(this, node);
    }

    /** Opens the directory above, with the focus on the directory that was open. */
    openParent() {
        if (this.current.parent) this.open(this.current.parent, { focused: this.current });
    }

    /** Shows an item, with the focus on it. */
    reveal(number) {
        const node = find(this.root, number);
        this.open(node.parent ?? node, { focused: node.parent ? node : null, keepsScope: true });
        this.section.scrollIntoView({ block: "nearest" });
    }

    activate(node) {
        if (isOpenable(node)) {
            this.open(node, { focused: node.children.find((child) => child.bytes > 0) ?? node.children[0] });
        } else {
            this.changed(this, node);
        }
    }

    press(event) {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const actions = {
            Escape: () => this.openParent(), Backspace: () => this.openParent(),
            Home: () => this.select(this.tiles[0]), End: () => this.select(this.tiles.at(-1)),
            ArrowLeft: () => this.move(-1, 0), ArrowRight: () => this.move(1, 0),
            ArrowUp: () => this.move(0, -1), ArrowDown: () => this.move(0, 1),
        };
        const action = actions[event.key];
        if (!action) return;
        event.preventDefault();
        action();
    }

    /** Moves the focus to the nearest rectangle in a direction. */
    move(horizontal, vertical) {
        const from = this.tiles.find((tile) => tile.node === this.selected);
        if (!from) return this.select(this.tiles[0]);
        const centre = ({ place }) => [place.x + place.width / 2, place.y + place.height / 2];
        const [x, y] = centre(from);
        let best = null;
        for (const tile of this.tiles) {
            const [dx, dy] = [centre(tile)[0] - x, centre(tile)[1] - y];
            const ahead = dx * horizontal + dy * vertical;
            const aside = Math.abs(dx * vertical) + Math.abs(dy * horizontal);
            // A neighbour shares an edge; others are farther than they look.
            const { place } = tile;
            const isBeside = horizontal
                ? place.y < from.place.y + from.place.height && from.place.y < place.y + place.height
                : place.x < from.place.x + from.place.width && from.place.x < place.x + place.width;
            const cost = ahead + aside * (isBeside ? 0.5 : 4);
            if (ahead > 0.5 && (!best || cost < best.cost)) best = { tile, cost };
        }
        if (best) this.select(best.tile);
    }

    select(tile) {
        if (!tile) return;
        this.selected = tile.node;
        this.updateFocus();
        tile.button.focus();
    }

    tile(node) {
        return this.tiles.find((tile) => tile.node === node)?.button;
    }

    /** Only the selected rectangle is reached with Tab. */
    updateFocus() {
        for (const { node, button } of this.tiles) button.tabIndex = node === this.selected ? 0 : -1;
    }

    // Drawing

    draw() {
        const hadFocus = this.field.contains(document.activeElement);
        const [width, height] = [this.field.clientWidth, this.field.clientHeight];
        const items = this.current.children.filter((child) => child.bytes > 0).sort((a, b) => b.bytes - a.bytes);
        const places = squarify(items.map((item) => item.bytes), { x: 0, y: 0, width, height });
        this.tiles = items.map((node, index) => ({ node, place: places[index], button: this.button(node, places[index]) }))
            .filter(({ place }) => place.width >= 1 && place.height >= 1);
        this.field.replaceChildren(...this.tiles.map(({ button }) => button));
        if (this.tiles.length === 0) this.field.append(element("p", "empty", "Nothing in this directory has content."));
        if (!this.tiles.some(({ node }) => node === this.selected)) this.selected = this.tiles[0]?.node;
        this.updateFocus();
        if (hadFocus) this.tile(this.selected)?.focus();
        this.drawPath();
        this.drawList();
        this.describe(null);
    }

    /** Returns the rectangle of an item of the current directory. */
    button(node, place) {
        const button = element("button", "tile");
        button.type = "button";
        button.setAttribute("aria-label", this.label(node));
        button.dataset.number = node.number;
        button.dataset.bytes = node.bytes;
        this.fill(button, node, place, 0);
        button.addEventListener("click", () => {
            this.selected = node;
            this.updateFocus();
            this.activate(node);
        });
        for (const name of ["focus", "pointerenter"]) button.addEventListener(name, () => this.describe(node));
        button.addEventListener("pointerleave", () => this.describe(null));
        return button;
    }

    /** Places an item and what is visible of its content. */
    fill(target, node, place, level) {
        target.style.left = `${place.x}px`;
        target.style.top = `${place.y}px`;
        target.style.width = `${Math.max(0, place.width - gap)}px`;
        target.style.height = `${Math.max(0, place.height - gap)}px`;
        const isLarge = place.width >= smallest.width && place.height >= smallest.height;
        const inside = {
            x: 2, y: captionHeight, width: place.width - gap - 2, height: place.height - gap - captionHeight,
        };
        const isNested = isOpenable(node) && isLarge && inside.height >= 12 && level < 4;
        target.classList.add(isNested ? "nested" : `class-${this.classes[mainClass(node)][0]}`);
        if (isOpenable(node)) target.classList.add("directory");
        if (isLarge) target.append(this.caption(node, place));
        if (!isNested) return;
        const items = node.children.filter((child) => child.bytes > 0).sort((a, b) => b.bytes - a.bytes);
        const places = squarify(items.map((item) => item.bytes), inside);
        items.forEach((item, index) => {
            if (places[index].width < 3 || places[index].height < 3) return;
            const part = element("span", "part");
            this.fill(part, item, places[index], level + 1);
            target.append(part);
        });
    }

    caption(node, place) {
        const caption = element("span", "caption");
        caption.append(isolated(nameOf(node, this.title), "name"));
        if (node.findings > 0 && place.width > (isOpenable(node) ? 84 : 140)) {
            const badge = caption.appendChild(element("span", "badge"));
            badge.append(element("span", `mark ${node.worst}`), grouped(node.findings));
        }
        if (place.width > 132) caption.append(element("span", "bytes", size(node.bytes)));
        return caption;
    }

    drawPath() {
        const parts = chain(this.current);
        this.path.replaceChildren(...parts.map((node, index) => {
            const item = element("li");
            const isLast = index === parts.length - 1;
            const name = isolated(nameOf(node, index === 0 ? "All" : ""));
            if (isLast) {
                const text = item.appendChild(element("span"));
                text.setAttribute("aria-current", "location");
                text.append(name);
            } else {
                const button = item.appendChild(element("button"));
                button.type = "button";
                button.append(name);
                button.addEventListener("click", () => this.open(node, { focused: parts[index + 1] }));
            }
            return item;
        }));
    }

    drawList() {
        if (!this.list.open) return;
        const table = element("table");
        const head = table.createTHead().insertRow();
        for (const [name, isNumber] of [["Name"], ["Treatment"], ["Items", true], ["Size", true], ["Share", true]]) {
            const cell = head.appendChild(element("th", isNumber ? "number" : "", name));
            cell.scope = "col";
        }
        const body = table.createTBody();
        const items = [...this.current.children].sort((a, b) => b.bytes - a.bytes);
        for (const node of items.slice(0, mostRows)) {
            const row = body.insertRow();
            const name = isolated(nameOf(node, this.title));
            if (isOpenable(node)) {
                const button = row.insertCell().appendChild(element("button", "link"));
                button.type = "button";
                button.append(name);
                button.addEventListener("click", () => this.activate(node));
            } else {
                row.insertCell().append(name);
            }
            const treatment = row.insertCell();
            const swatch = treatment.appendChild(element("span", `swatch class-${this.classes[mainClass(node)][0]}`));
            swatch.setAttribute("aria-hidden", "true");
            treatment.append(this.treatment(node));
            const numbers = [grouped(node.items), size(node.bytes), share(node.bytes, this.current.bytes)];
            for (const number of numbers) row.append(element("td", "number", number));
        }
        const scroll = this.list.querySelector(".scroll");
        scroll.replaceChildren(table);
        if (items.length > mostRows) {
            scroll.append(element("p", "hint", `${count(items.length - mostRows, "smaller item")} not listed.`));
        }
    }

    // Texts

    /** Returns the class of an item, with its share if there are others. */
    treatment(node) {
        const label = this.classes[mainClass(node)][1];
        const bytes = bytesByClass(node)[mainClass(node)] ?? 0;
        return bytes === node.bytes ? label : `${label}: ${share(bytes, node.bytes)}`;
    }

    facts(node) {
        const facts = [size(node.bytes)];
        if (node.kind === kinds.directory || node.kind === kinds.rest) facts.push(count(node.items, "item"));
        facts.push(this.treatment(node));
        for (const other of this.others) {
            const same = counterpart(node, other.root);
            facts.push(`${other.title}: ${same ? size(same.bytes) : "not listed"}`);
        }
        if (node.findings > 0) facts.push(count(node.findings, "finding"));
        return facts;
    }

    label(node) {
        const kind = { [kinds.directory]: "directory", [kinds.wholeDirectory]: "directory" }[node.kind];
        return [nameOf(node, this.title), kind, ...this.facts(node)].filter(Boolean).join(", ");
    }

    /** Shows an item, or the current directory, below the map. */
    describe(node) {
        const shown = node ?? this.current;
        const path = pathOf(shown);
        this.detail.replaceChildren(
            isolated(path === "" ? "All" : path, "name"), element("span", "facts", this.facts(shown).join(" · ")));
    }
}
