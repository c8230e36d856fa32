// The start of the page: makes the maps, and connects them with the findings.

function start() {
    document.documentElement.classList.add("has-script");
    const data = JSON.parse(document.getElementById("data").textContent);
    const roots = data.maps.map(makeTree);
    const maps = [];
    const section = document.querySelector(".findings");
    const findings = section && new Findings(section, (map, number) => maps[map]?.reveal(number));
    if (findings) roots.forEach((root, index) => findings.countIn(root, index));
    document.querySelectorAll(".map").forEach((section, index) => {
        maps.push(new Treemap(section, roots[index], data.classes, (map, node) => {
            if (!findings) return;
            const path = pathOf(node);
            findings.setScope(path === "" ? null
                : { map: index, first: node.number, last: node.last, path });
        }));
    });
    for (const map of maps) map.others = maps.filter((other) => other !== map);
    for (const map of maps) map.draw();
    printAll(findings);
}

/** Opens the details of all findings while the page is printed. */
function printAll(findings) {
    let opened = [];
    window.addEventListener("beforeprint", () => {
        opened = [...document.querySelectorAll(".finding details:not([open])")];
        for (const details of opened) details.open = true;
        findings?.expandAll();
    });
    window.addEventListener("afterprint", () => {
        for (const details of opened) details.open = false;
    });
}
