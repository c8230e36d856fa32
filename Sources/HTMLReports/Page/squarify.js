// A squarified treemap. Source: Bruls, Huizing, van Wijk, “Squarified Treemaps”, 2000.

/**
 * Divides a rectangle into rectangles with areas in proportion to sizes, as square as possible.
 *
 * `sizes` are positive numbers, the largest first. Returns a rectangle for each, in the same order.
 */
function squarify(sizes, { x, y, width, height }) {
    const places = [];
    let left = sizes.reduce((sum, size) => sum + size, 0);
    let start = 0;
    while (start < sizes.length) {
        const scale = left > 0 ? (width * height) / left : 0;
        const side = Math.min(width, height);
        // A row along the shorter side grows while its worst rectangle gets more square.
        let end = start + 1;
        let sum = sizes[start];
        let worst = worstRatio(sizes[start] * scale, sizes[start] * scale, sum * scale, side);
        while (end < sizes.length) {
            const next = sum + sizes[end];
            const ratio = worstRatio(sizes[start] * scale, sizes[end] * scale, next * scale, side);
            if (ratio > worst) break;
            [sum, worst, end] = [next, ratio, end + 1];
        }
        const thickness = side > 0 ? (sum * scale) / side : 0;
        let offset = 0;
        for (const size of sizes.slice(start, end)) {
            const length = sum > 0 ? (size / sum) * side : 0;
            places.push(width < height
                ? { x: x + offset, y, width: length, height: thickness }
                : { x, y: y + offset, width: thickness, height: length });
            offset += length;
        }
        if (width < height) {
            y += thickness;
            height = Math.max(0, height - thickness);
        } else {
            x += thickness;
            width = Math.max(0, width - thickness);
        }
        left -= sum;
        start = end;
    }
    return places;
}

/** Returns the worst aspect ratio in a row with the given largest and smallest area, total area, and length. */
function worstRatio(largest, smallest, area, side) {
    const square = side * side;
    return Math.max((square * largest) / (area * area), (area * area) / (square * smallest));
}
