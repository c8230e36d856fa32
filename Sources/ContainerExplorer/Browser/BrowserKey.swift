/// A key of a terminal, or an action of its mouse.
package enum BrowserKey: Sendable, Hashable {
    case character(Unicode.Scalar)
    case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace, delete
    /// A function key, from 1.
    case function(Int)
    /// A click of the first button, at a position from 0.
    case click(column: Int, line: Int)
    /// A turn of the wheel, at a position from 0.
    case wheel(isUp: Bool, column: Int, line: Int)
    /// A key without a command.
    case other

    static let tab = BrowserKey.character("\t")

    /// The name of the key in texts.
    package var name: String {
        switch self {
        case .character(" "): "Space"
        case .tab: "Tab"
        case .character(let character) where (1..<27).contains(character.value):
            "Ctrl-" + String(Character(Unicode.Scalar(UInt8(character.value) + 64)))
        case .character(let character): String(character)
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .pageUp: "Page Up"
        case .pageDown: "Page Down"
        case .home: "Home"
        case .end: "End"
        case .enter: "Enter"
        case .escape: "Esc"
        case .backspace: "Backspace"
        case .delete: "Delete"
        case .function(let number): "F\(number)"
        case .click: "click"
        case .wheel: "wheel"
        case .other: "other"
        }
    }
}
