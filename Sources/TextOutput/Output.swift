internal import Foundation

/// Standard output, written in large pieces.
package final class Output {
    private var buffer = Data()

    package init() {}

    package func write(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= 1 << 16 { flush() }
    }

    package func flush() {
        // A reader that has gone away (`| head`) is no error of ours.
        try? FileHandle.standardOutput.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
