// both: 'init(validating:as:)' is only available in
func text(_ bytes: [UInt8]) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { return "" }
    return text
}
