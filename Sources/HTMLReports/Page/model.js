// The items of a map, from the data of the page.

const kinds = { item: 0, directory: 1, wholeDirectory: 2, rest: 3 };

/** Returns the container of a map. Items are numbered in the order of the data; `last` is the last number below an item. */
function makeTree(data) {
    let count = 0;
    function node([name, kind, storage, bytes, items, content], parent) {
        const made = { name, kind, storage, bytes, items, parent, number: count++, findings: 0, worst: null, children: [] };
        if (content) made.children = content.map((child) => node(child, made));
        made.last = count - 1;
        return made;
    }
    return node(data, null);
}

/** Returns the item with a number. */
function find(root, number) {
    let node = root;
    while (node.number !== number) {
        const next = node.children.find((child) => child.number <= number && number <= child.last);
        if (!next) return node;
        node = next;
    }
    return node;
}

/** Returns the items from the container to an item. */
function chain(node) {
    return node ? [...chain(node.parent), node] : [];
}

/** Returns the item of another map with the same path, or null. */
function counterpart(node, root) {
    let found = root;
    for (const { name, kind, storage } of chain(node).slice(1)) {
        found = found.children.find((child) =>
            child.name === name && (kind === kinds.rest) === (child.kind === kinds.rest) &&
            (kind !== kinds.rest || child.storage === storage));
        if (!found) return null;
    }
    return found;
}

/** Returns the bytes of an item by class. */
function bytesByClass(node, sums = []) {
    if (node.children.length === 0) sums[node.storage] = (sums[node.storage] ?? 0) + node.bytes;
    for (const child of node.children) bytesByClass(child, sums);
    return sums;
}

/** Returns the class that has most bytes of an item. */
function mainClass(node) {
    if (node.main === undefined) {
        node.main = node.storage;
        let most = 0;
        bytesByClass(node).forEach((bytes, storage) => {
            if (bytes > most) [most, node.main] = [bytes, storage];
        });
    }
    return node.main;
}

function isOpenable(node) {
    return node.children.length > 0;
}

function nameOf(node, title) {
    if (node.kind === kinds.rest) return `… ${grouped(node.items)} more`;
    return node.parent ? node.name : title;
}

function pathOf(node) {
    return chain(node).slice(1).map((part) => nameOf(part, "")).join("/");
}

// Quantities, as everywhere in the reports.

function grouped(number) {
    return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

function count(number, noun) {
    return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function size(bytes) {
    if (bytes === 1) return "1 byte";
    let value = bytes;
    for (const unit of ["bytes", "KB", "MB", "GB", "TB"]) {
        if (value < 999.5 || unit === "TB") {
            const isWhole = unit === "bytes" || value >= 99.95 || Math.round(value * 10) % 10 === 0;
            return `${isWhole ? Math.round(value) : value.toFixed(1)} ${unit}`;
        }
        value /= 1000;
    }
}

function share(part, whole) {
    if (!(whole > 0 && part > 0)) return "0 %";
    const percent = (part / whole) * 100;
    return percent < 1 ? "< 1 %" : `${Math.round(percent)} %`;
}

/** Returns an element with classes and text. */
function element(name, style, text) {
    const made = document.createElement(name);
    if (style) made.className = style;
    if (text !== undefined) made.textContent = text;
    return made;
}

/** Returns an element with a name, which is isolated from the direction of the text around it. */
function isolated(name, style) {
    return element("bdi", style, name);
}
