internal import Foundation
internal import PropertyLists

/// The kinds of NSValue that archives can contain, by their number in the field `NS.special`.
///
/// Source: NSGeometry.swift and NSSpecialValue.swift of swift-corelibs-foundation, and archives of Apple's systems.
enum ArchivedGeometry: Int, CaseIterable {
    case point = 1, size, rect, range

    /// The type encoding of the C structure.
    var encoding: String {
        switch self {
        case .point: "{CGPoint=dd}"
        case .size: "{CGSize=dd}"
        case .rect: "{CGRect={CGPoint=dd}{CGSize=dd}}"
        case .range: String(cString: NSValue(range: NSRange()).objCType)
        }
    }

    /// The field of the text. A range has two numbers instead.
    var field: String {
        switch self {
        case .point: "NS.pointval"
        case .size: "NS.sizeval"
        case .rect: "NS.rectval"
        case .range: "NS.rangeval"
        }
    }

    /// The number of coordinates in the text.
    private var count: Int { self == .rect ? 4 : 2 }

    /// Returns the text of coordinates, such as `{1.5, -2}` or `{{0, 0}, {32, 32}}`.
    func text(_ numbers: [Double]) -> String {
        let texts = numbers.map { number in
            let text = number.description
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        let pairs = stride(from: 0, to: texts.count, by: 2).map { "{\(texts[$0]), \(texts[$0 + 1])}" }
        return self == .rect ? "{\(pairs.joined(separator: ", "))}" : pairs.joined()
    }

    /// Returns the coordinates in a text, or nil if it does not have exactly the form that `text` returns, apart from
    /// blanks and the form of the numbers.
    func numbers(_ text: String) -> [Double]? {
        guard text.utf8.count < 400 else { return nil }
        let compact = text.filter { $0 != " " }
        let (open, close) = self == .rect ? ("{{", "}}") : ("{", "}")
        guard compact.hasPrefix(open), compact.hasSuffix(close) else { return nil }
        let inner = String(compact.dropFirst(open.count).dropLast(close.count))
        let parts = self == .rect ? inner.components(separatedBy: "},{") : [inner]
        let fields = parts.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let numbers = fields.compactMap { Double($0) }.filter(\.isFinite)
        return fields.count == count && numbers.count == count && parts.count * 2 == count ? numbers : nil
    }
}

extension ArchiveReader {
    func geometry(_ fields: ArchiveFields) throws(ArchiveFault) -> NSValue {
        guard let kind = ArchivedGeometry(rawValue: try integer(fields, key: "NS.special")) else {
            throw fault(
                .wrongType, text: "an NSValue is not a range, point, size or rectangle",
                hint: "Archive its numbers instead.")
        }
        guard kind != .range else { return try range(fields) }
        guard let text = try value(fields, key: kind.field).string, let numbers = kind.numbers(text) else {
            throw fault(
                .wrongType, text: "\(kind.field) is not the text of \(kind.rawValue == 3 ? "four" : "two") numbers")
        }
        let coordinates = numbers.map { CGFloat($0) }
        return coordinates.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return NSValue(range: NSRange()) }
            return NSValue(bytes: start, objCType: kind.encoding)
        }
    }

    private func range(_ fields: ArchiveFields) throws(ArchiveFault) -> NSValue {
        let location = try integer(fields, key: "NS.rangeval.location")
        let length = try integer(fields, key: "NS.rangeval.length")
        guard location >= 0, length >= 0, !location.addingReportingOverflow(length).overflow else {
            throw fault(.wrongType, text: "a range is not valid")
        }
        return NSValue(range: NSRange(location: location, length: length))
    }
}
