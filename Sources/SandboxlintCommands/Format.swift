import ArgumentParser
import CommandLineSupport
import TextOutput

/// The output format of a command.
enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// The option that selects the output format of a command.
struct FormatOptions: ParsableArguments {
    @Option(help: "Print text or JSON.")
    var format: Format = .text
}

extension ColorChoice: ExpressibleByArgument {}

extension Output {
    /// Prints text for a person or JSON for a program.
    static func show(
        _ format: Format, style: Style, text: (@escaping (String) -> Void) -> Void,
        json: (@escaping (String) -> Void) -> Void
    ) throws(UnwrittenOutput) {
        let output = Output(format == .text ? style : Style(colored: false))
        format == .text ? text(output.write) : json(output.write)
        try output.end()
    }

    /// Prints text without color, or JSON.
    static func show(
        _ format: Format, text: @autoclosure () -> String, json: @autoclosure () -> String
    ) throws(UnwrittenOutput) {
        try show(format, style: Terminal().plainStyle, text: { $0(text()) }, json: { $0(json()) })
    }
}
