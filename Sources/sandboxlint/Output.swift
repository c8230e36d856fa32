import ArgumentParser
import FileSystem
import PolicyReports
import SystemPackage

/// The form of what is shown.
enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// Standard output, written in large pieces.
final class Output {
    private var buffer: [UInt8] = []
    private var text: TerminalText
    private var failure: Errno?

    /// For text in a style, which is made to fit its terminal; for all else without one.
    init(_ style: Style = Style(colored: false)) { text = TerminalText(style) }

    func write(_ piece: String) {
        buffer.append(contentsOf: text.add(piece).utf8)
        if buffer.count >= 1 << 16 { send() }
    }

    /// Ends it.
    ///
    /// - Throws: `UnwrittenOutput` where not all of it could be written.
    func end() throws(UnwrittenOutput) {
        buffer.append(contentsOf: text.end().utf8)
        send()
        if let failure { throw UnwrittenOutput(cause: failure) }
    }

    private func send() {
        let wrong = failure == nil ? Host.write(buffer, to: 1) : nil
        // A reader that has gone away (`| head`) is no error of ours.
        if wrong != .brokenPipe { failure = failure ?? wrong }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Shows what is made for a person, or for a program.
    static func show(
        _ format: Format, style: Style, text: (@escaping (String) -> Void) -> Void,
        json: (@escaping (String) -> Void) -> Void
    ) throws(UnwrittenOutput) {
        let output = Output(format == .text ? style : Style(colored: false))
        format == .text ? text(output.write) : json(output.write)
        try output.end()
    }

    /// The same of texts that are there, without colours.
    static func show(
        _ format: Format, text: @autoclosure () -> String, json: @autoclosure () -> String
    ) throws(UnwrittenOutput) {
        try show(format, style: Terminal.plainStyle, text: { $0(text()) }, json: { $0(json()) })
    }
}

/// Standard output that could not be written: a full disk, or a descriptor that is closed.
struct UnwrittenOutput: Error, CustomStringConvertible {
    let cause: Errno
    var description: String {
        "standard output cannot be written: \(cause). What was shown is not whole; make room, or send it elsewhere."
    }
}
