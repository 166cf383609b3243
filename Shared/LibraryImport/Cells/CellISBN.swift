package import BookIdentifiers

/// The parsed value of a cell that should contain an ISBN.
package enum CellISBN: Equatable {
    /// The cell is empty, or contains only zeros, a placeholder, or a label such as `ISBN`.
    case none
    /// A valid ISBN.
    case number(ISBN, repair: ISBNRepair?)
    /// A spreadsheet rounded the number; its last digits are unknown.
    case lost
    /// Anything else, such as a mistyped ISBN or an application's own identifier.
    case invalid(ISBNError)

    /// Reads a number as written by applications and spreadsheets: `="0439708184"`, `[0451524934]`, `978-0-306-40615-7`, `553290959` without its
    /// leading zero, `9780439708184.0`, or the first valid one of several numbers.
    package init(_ cell: String) { self = CellBytes.of(cell) { CellISBN($0) } }

    init(_ cell: CellBytes) {
        if cell.isEmpty || cell.isEmptyFormula {
            self = .none
            return
        }
        if let isbn = cell.isbn {
            self = .number(isbn, repair: nil)
            return
        }
        var text = CellText.value(cell)
        if text.hasSuffix(".0") { text.removeLast(2) }
        guard !text.isEmpty, !text.utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) else {
            self = .none
            return
        }
        do throws(ISBNError) {
            let parsed = try ISBN.parse(cell: text)
            self = .number(parsed.isbn, repair: Self.significant(parsed.repair, of: text))
        } catch .scientificNotation {
            self = .lost
        } catch .empty {
            self = .none
        } catch {
            self = .invalid(error)
        }
    }

    /// The repair to report. Taking the first of several numbers does not count as a repair if the text has no words.
    private static func significant(_ repair: ISBNRepair?, of text: String) -> ISBNRepair? {
        repair == .partOfCell && text.utf8.allSatisfy({ $0 < 0x40 || $0 == UInt8(ascii: "X") }) ? nil : repair
    }

    /// What is wrong with the cell; nil if it has an ISBN or counts as empty.
    var fault: ISBNError? {
        switch self {
        case .none, .number: nil
        case .lost: .scientificNotation
        case .invalid(let error): error
        }
    }

    package var isbn: ISBN? {
        if case .number(let isbn, _) = self { return isbn }
        return nil
    }
}
