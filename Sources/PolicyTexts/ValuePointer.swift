internal import Secrets
internal import TextOutput

/// The location of a value in a file: the names and positions that lead to it.
///
/// A pointer is a reference to its parent and one step, so it costs no text. Its text is composed when it is shown. It
/// is short for any file, and can be shown: a name that looks like a secret is left out.
package struct ValuePointer: Sendable {
    /// The last step to a value.
    private enum Step: Sendable {
        /// The whole file.
        case file
        /// A name in an object.
        case member(String)
        /// A position in an array.
        case position(Int)
        /// A name in a line of settings.
        case line(Int, name: String)
        /// A column, and the name of the value, which another column of the row may give.
        case column(Column, name: String)

        var isMember: Bool {
            guard case .member = self else { return false }
            return true
        }

        /// False for the whole file.
        var isInFile: Bool {
            guard case .file = self else { return true }
            return false
        }
    }

    /// A column of a table.
    package final class Column: Sendable {
        /// `table.column`.
        package let text: String
        fileprivate let name: String

        package init(_ name: String, of table: String) { (text, self.name) = ("\(table).\(name)", name) }
    }

    /// An object, an array or a row that contains values.
    package final class Parent: Sendable {
        fileprivate let pointer: ValuePointer
        /// The key of a row, if it is an integer.
        fileprivate let rowKey: Int64?
        /// True for a row and everything in its values.
        fileprivate let isInRow: Bool

        /// Creates a parent for the values of an object or array.
        package init(_ pointer: ValuePointer) {
            (self.pointer, rowKey, isInRow) = (pointer, nil, pointer.parent?.isInRow ?? false)
        }

        /// Creates a parent for the values of a row.
        package init(rowWithKey key: Int64?) { (pointer, rowKey, isInRow) = (.root, key, true) }

        /// Returns the pointer to the value with a name in an object.
        package func member(_ name: String) -> ValuePointer {
            ValuePointer(self, step: .member(ValuePointer.cut(name)))
        }

        /// Returns the pointer to an element of an array. The element has the name of the array.
        package func member(_ position: Int) -> ValuePointer { ValuePointer(self, step: .position(position)) }

        /// Returns the pointer to the value of a column in a row.
        package func value(of column: Column, named name: String) -> ValuePointer {
            ValuePointer(self, step: .column(column, name: name))
        }
    }

    private let parent: Parent?
    private let step: Step

    /// The maximum bytes of a name; the rest is cut off.
    private static let longestName = 128
    /// The maximum bytes of a name that is shown.
    private static let longestShownName = 64
    /// The maximum bytes of the text before the last step.
    private static let longest = 512

    /// The whole file.
    package static let root = ValuePointer(nil, step: .file)

    private init(_ parent: Parent?, step: Step) { (self.parent, self.step) = (parent, step) }

    /// A value in a line of settings.
    package init(line: Int, name: String) { self.init(nil, step: .line(line, name: Self.cut(name))) }

    /// All values of a column of a table.
    package init(_ column: Column) { self.init(nil, step: .column(column, name: column.name)) }

    /// Returns a name as it is kept.
    package static func cut(_ name: String) -> String {
        guard name.utf8.count > longestName else { return name }
        return String(decoding: name.utf8.prefix(longestName), as: UTF8.self)
    }

    /// The last name in the spelling of the file, cut after 128 bytes. An element of an array has the name of the array.
    package var name: String {
        var pointer = self
        while true {
            switch pointer.step {
            case .file: return ""
            case .member(let name), .line(_, let name), .column(_, let name): return name
            case .position:
                guard let parent = pointer.parent else { return "" }
                pointer = parent.pointer
            }
        }
    }

    /// The text to show: `/server/token`, `/items/3`, `table.column` or `line 3/name`; escaped. Empty for the whole file.
    package var text: String {
        var steps: [Step] = [step]
        var pointer = self
        while let parent = pointer.parent {
            pointer = parent.pointer
            steps.append(pointer.step)
        }
        return steps.reversed().reduce(into: "") { text, step in
            if text.utf8.count > Self.longest { text = "…" }
            switch step {
            case .file: break
            case .member(let name): text += "/" + Self.shown(name)
            case .position(let position): text += "/\(position)"
            case .line(let number, let name): text += "line \(number)/\(Self.shown(name))"
            case .column(let column, _): text += column.text
            }
        }
    }

    private static func shown(_ name: String) -> String {
        let isSecret = name.utf8.count > longestShownName || SecretValue.isOpaque(name)
        return isSecret && !SecretShape.isContained(in: name) ? "…" : ByteText.escaped(Array(name.utf8))
    }

    /// The column of a database that contains the value, as `table.column`; nil in other files.
    package var column: String? {
        var pointer = self
        while let parent = pointer.parent, parent.pointer.step.isInFile { pointer = parent.pointer }
        return pointer.ownColumn
    }

    /// The column whose value this is, as `table.column`; nil for a value of JSON in it, and in other files.
    package var ownColumn: String? {
        guard case .column(let column, _) = step else { return nil }
        return column.text
    }

    /// The record that contains the value: a row, or the nearest object; nil for the whole file.
    ///
    /// Its address identifies it. A row also contains the values of JSON in its columns.
    package var record: Parent? {
        var pointer = self
        while let parent = pointer.parent {
            if parent.isInRow ? !parent.pointer.step.isInFile : pointer.step.isMember { return parent }
            pointer = parent.pointer
        }
        return nil
    }

    /// The key of the record: the first column of a row if it is an integer, or the name of the object in the object that
    /// contains it; nil for others.
    var recordKey: String? {
        guard let record else { return nil }
        if record.isInRow { return record.rowKey.map(String.init) }
        guard case .member(let name) = record.pointer.step else { return nil }
        return name
    }

    /// Calls `body` with the parents of the value from the inside out, until it returns false.
    func forEachParent(_ body: (Parent) -> Bool) {
        var next = parent
        while let parent = next, body(parent) { next = parent.pointer.parent }
    }
}

extension ValuePointer.Parent {
    /// The name of the object or array; the name of the containing one for an element of an array.
    package var name: String { pointer.name }
}
