internal import FileSystem
package import SystemPackage

/// Standard output, written in large pieces.
package final class Output {
    private var buffer: [UInt8] = []
    private var text: TerminalText
    private var failure: Errno?

    /// For text in a style, which is made to fit its terminal; for all else without one.
    package init(_ style: Style = Style(colored: false)) { text = TerminalText(style) }

    package func write(_ piece: String) { write(text.add(piece).utf8) }

    /// The same of bytes as they are.
    package func write(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= 1 << 16 { flush() }
    }

    /// Ends it.
    ///
    /// - Throws: `UnwrittenOutput` where not all of it could be written.
    package func end() throws(UnwrittenOutput) {
        buffer.append(contentsOf: text.end().utf8)
        flush()
        if let failure { throw UnwrittenOutput(cause: failure) }
    }

    /// Sends what has been written so far; `end` tells what went wrong.
    package func flush() {
        let wrong = failure == nil ? Host.write(buffer, to: 1) : nil
        // A reader that has gone away (`| head`) is no error of ours.
        if wrong != .brokenPipe { failure = failure ?? wrong }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Standard output that could not be written: a full disk, or a descriptor that is closed.
package struct UnwrittenOutput: Error, CustomStringConvertible {
    /// Why.
    package let cause: Errno
    /// What happened, and what to do.
    package var description: String {
        "standard output cannot be written: \(cause). What was shown is not whole; make room, or send it elsewhere."
    }
}
