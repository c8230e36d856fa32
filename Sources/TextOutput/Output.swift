internal import Foundation

/// Standard output, written in large pieces.
package final class Output {
    private var buffer = Data()

    package init() {}

    package func write(_ text: String) { write(text.utf8) }

    package func write(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= 1 << 16 { flush() }
    }

    package func flush() {
        // A reader that has gone away (`| head`) is no error of ours.
        try? FileHandle.standardOutput.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
