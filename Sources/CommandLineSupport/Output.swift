internal import FileSystem
internal import Secrets
package import SystemPackage
package import TextOutput

/// Buffered standard output of the current command.
package final class Output {
    private let sink = Invocation.current.output
    private var buffer: [UInt8] = []
    private var text: TerminalText
    private let isStyled: Bool
    private var failure: Errno?
    /// True if the reader of the output is gone, so that nothing more is needed.
    package private(set) var isClosed = false

    /// Creates an output for text in a style, which is fitted to the terminal, or for other data.
    package init(_ style: Style = Style(colored: false)) {
        text = TerminalText(style)
        isStyled = style.isStyled
    }

    /// Creates an output for text that has a style already, and is not fitted to the terminal.
    package init(fitted style: Style) {
        text = TerminalText(Style(colored: false))
        isStyled = style.isStyled
    }

    /// Writes text without secrets and control characters. See `ByteText.displayable`.
    package func write(_ piece: String) { write(text.add(ByteText.displayable(piece, isStyled: isStyled)).utf8) }

    /// Writes bytes without changes.
    package func write(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= 1 << 16 { flush() }
    }

    /// Writes the remaining output.
    ///
    /// - Throws: `UnwrittenOutput` if a part could not be written.
    package func end() throws(UnwrittenOutput) {
        buffer.append(contentsOf: text.end().utf8)
        flush()
        if let failure { throw UnwrittenOutput(cause: failure) }
    }

    /// Writes the buffer. `end` reports errors.
    package func flush() {
        let wrong = failure == nil ? sink.write(buffer) : nil
        // A reader that has closed the pipe (`| head`) is not an error.
        if wrong == .brokenPipe { isClosed = true } else { failure = failure ?? wrong }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// An error of writing standard output: a full disk or a closed descriptor.
package struct UnwrittenOutput: Error, CustomStringConvertible {
    /// The reason.
    package let cause: Errno
    /// The failure and a solution.
    package var description: String {
        "standard output cannot be written: \(cause). The output is incomplete; free some space, or redirect it elsewhere."
    }
}

/// Standard error of the current command.
package enum StandardError {
    /// Writes lines. Control characters are replaced.
    package static func printMessage(_ text: String) { Invocation.current.errors.printMessage(text) }

    /// Writes a message of the tool on one line: its name, then the text.
    package static func printNote(_ text: String) {
        printMessage("\(Invocation.current.tool): \(LineBreaks.escaped(text))")
    }

    /// Writes a warning of the tool on one line.
    package static func warn(_ text: String) { printNote("warning: \(text)") }

    /// Writes text without secrets. Errors are ignored.
    package static func write(_ text: String) { _ = Invocation.current.errors.write(Array(text.withoutSecrets.utf8)) }
}

extension ByteSink {
    /// Writes lines. Control characters are replaced, and errors are ignored.
    func printMessage(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        _ = write(Array(lines.map { ByteText.printable($0) + "\n" }.joined().utf8))
    }
}
