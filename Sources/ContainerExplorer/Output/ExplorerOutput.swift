package import TextOutput

/// The result of a command as text and as JSON.
package protocol ExplorerOutput {
    /// Writes lines of text that fit the width of the style.
    func writeText(in style: Style, to output: (String) -> Void)
    /// Writes the fields of the JSON object.
    func write(_ json: inout JSONWriter)
}
