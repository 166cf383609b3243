package import BookstrackContract
import Glibc

/// A client's options for an uploaded file.
package struct ImportOptions: Codable, Sendable, Equatable {
    /// The application that wrote the file; nil to recognize it automatically.
    package var format: LibraryFormat?
    /// Roles by header or by column number, from 0; nil to recognize the columns.
    package var mapping: [String: ColumnRole]?
    /// Whether a model may be asked about unknown columns; nil means yes.
    package var ai: Bool?

    package init(format: LibraryFormat? = nil, mapping: [String: ColumnRole]? = nil, ai: Bool? = nil) {
        (self.format, self.mapping, self.ai) = (format, mapping, ai)
    }

    /// Whether a model may be asked about unknown columns.
    package var mayAsk: Bool { ai != false }
}

/// Why a file as a whole cannot be imported.
package enum ImportFailure: Error, Equatable, Sendable {
    /// The file cannot be read as a table.
    case file(LibraryFileFault)
    /// The file has a header but no rows.
    case headerOnly
    /// No column of titles, ISBNs or identifiers was recognized. The columns are given by header, or by number from 0 if they have none.
    case noUsableColumn(found: [String])
    /// The `mapping` cannot be used.
    case mapping(ColumnMapping.Fault)

    /// The end of the message about a file without a usable column. The command line mentions its own option instead.
    package static let mappingAdvice = "Specify the title column with mapping."

    /// The failure in words for users, in some cases with what to do about it.
    package var sentence: String {
        switch self {
        case .file(let fault): fault.sentence
        case .headerOnly: "The file has a header, but no rows."
        case .noUsableColumn(let found):
            "No column looks like a title. Columns found: \(found.prefix(20).joined(separator: ", ")). \(Self.mappingAdvice)"
        case .mapping(.unknownColumns(let columns)): "The file has no column \(columns.joined(separator: " or "))."
        case .mapping(.contradiction(let keys)):
            "\(keys.joined(separator: " and ")) are the same column, which cannot have two roles."
        case .mapping(.repeatedRole(let role, let columns)):
            "Only one column can have the role \(role.rawValue), but the mapping assigns it to \(columns.joined(separator: ", "))."
        }
    }

    /// The line at which reading stopped, if known.
    package var lineNumber: Int? {
        switch self {
        case .file(.tooManyColumns(let line, _)), .file(.cellTooLong(let line, _)), .file(.recordTooLong(let line, _)),
            .file(.otherHeader(let line)), .file(.invalidJSON(let line, _)):
            line
        default: nil
        }
    }
}

/// Reads one library file into books.
package struct LibraryReading: Sendable {
    private let table: LibraryTable
    private let options: ImportOptions
    private let answer: MappingAnswer?
    /// Maximum size in bytes of the rows kept in memory for merging rows with the same book; a file with more needs additional passes.
    private let heldBytes: Int

    /// - Parameters:
    ///   - answer: A model's response to ``question()``.
    package init(
        _ table: LibraryTable, options: ImportOptions = ImportOptions(), answer: MappingAnswer? = nil,
        heldBytes: Int = 4 << 20
    ) {
        (self.table, self.options, self.answer, self.heldBytes) = (table, options, answer, heldBytes)
    }

    // MARK: Columns

    /// The column plan; throws the reason if the file cannot be imported with it.
    package func plan() throws(ImportFailure) -> ColumnPlan {
        let plan = try proposedPlan()
        guard plan.isUsable else { throw .noUsableColumn(found: plan.columns.map(\.name)) }
        return plan
    }

    /// The question for a model; nil if a column with titles, ISBNs or identifiers is recognized.
    package func question() throws(ImportFailure) -> MappingQuestion? {
        let plan = try proposedPlan(answer: nil)
        guard !plan.isUsable else { return nil }
        return MappingQuestion(plan: plan, rows: table.leadingRows.dropFirst(plan.hasHeader ? 1 : 0).map(\.cells))
    }

    /// The plan made without a model's response if it is usable or there is no response; otherwise, the plan made with the response.
    private func proposedPlan() throws(ImportFailure) -> ColumnPlan {
        let plan = try proposedPlan(answer: nil)
        guard let answer, !plan.isUsable else { return plan }
        return try proposedPlan(answer: answer)
    }

    private func proposedPlan(answer: MappingAnswer?) throws(ImportFailure) -> ColumnPlan {
        var plan = ColumnPlanner(
            rows: table.leadingRows.map(\.cells), kind: table.shape.kind,
            namedHeaders: options.mapping.map { Array($0.keys) } ?? [], guesses: answer?.roles ?? [:]
        ).plan(format: options.format)
        let rows = table.leadingRows.dropFirst(plan.hasHeader ? 1 : 0)
        if let mapping = options.mapping {
            do throws(ColumnMapping.Fault) {
                try ColumnMapping.apply(mapping, to: &plan, rows: rows.map(\.cells))
            } catch {
                throw .mapping(error)
            }
        }
        guard !rows.isEmpty else { throw .headerOnly }
        return plan
    }

    /// The file's properties, for results.
    private func source(_ plan: ColumnPlan) -> ImportSource {
        ImportSource(
            format: plan.format, confidence: (plan.confidence * 100).rounded() / 100,
            encoding: table.shape.encoding.rawValue,
            delimiter: table.shape.delimiter.map { String(UnicodeScalar($0)) } ?? "",
            lineEnd: table.shape.lineEnd.rawValue,
            hasHeader: plan.hasHeader, columns: plan.importColumns)
    }

    // MARK: Rows

    /// Reads the file and delivers its books, errors and skipped rows in pages.
    ///
    /// There are at least two passes over the file: one to find rows with the same book, and one to deliver the rows. Apart from a few numbers per
    /// row, memory use does not grow with the file, unless it is JSON.
    ///
    /// - Parameters:
    ///   - progress: Called with the progress as a number of bytes from 0 to ``LibraryTable/byteCount``, which never decreases.
    ///   - deliver: Called with every page.
    /// - Throws: `ImportFailure`, or errors thrown by `progress` or `deliver`.
    package func read(progress: (Int) throws -> Void = { _ in }, _ deliver: (ImportPage) throws -> Void) throws
        -> ImportSummary
    {
        try withoutActuallyEscaping(deliver) { deliver in
            var pages = ImportPages(deliver: deliver)
            let summary = try read(into: &pages, progress: progress)
            try pages.finish()
            return summary
        }
    }

    /// Returns what an import would produce: the first books and errors, and the totals of the whole file.
    package func preview(rows: Int = 20) throws -> ImportPreview {
        var (books, errors) = ([ImportedBook](), [ImportRowError]())
        let summary = try readRows(progress: { _ in }) { outcome in
            switch outcome {
            case .book(let book): if books.count < rows { books.append(book) }
            case .error(let error): if errors.count < rows { errors.append(error) }
            case .skipped: break
            }
        }
        return ImportPreview(
            source: summary.source, totalRows: summary.totalRows, books: books, errors: errors,
            duplicates: summary.duplicatesSkipped)
    }

    /// Reads the file and delivers one outcome after another, in file order.
    package func readRows(progress: (Int) throws -> Void = { _ in }, _ body: (RowOutcome) throws -> Void) throws
        -> ImportSummary
    {
        try withoutActuallyEscaping(body) { body in
            var outcomes = OutcomeReceiver(body: body)
            return try read(into: &outcomes, progress: progress)
        }
    }

    private func read(
        into receiver: inout some RowReceiver & ~Copyable, progress: (Int) throws -> Void
    ) throws -> ImportSummary {
        let plan = try plan()
        do {
            let reader = RowReader(plan: plan)
            let half = table.byteCount / 2
            let survey = try FileSurvey.of(table, reader, heldBytes: heldBytes) { try progress($0 / 2) }
            var walk = BookWalk(table: table, reader: reader, survey: survey, heldBytes: heldBytes)
            var summary = ImportSummary(source: source(plan))
            try walk.run(into: &receiver) { try progress(half + $0 / 2) }
            try progress(table.byteCount)
            summary.totalRows = survey.rows
            summary.booksCreated = survey.books
            summary.duplicatesSkipped = survey.firstRow.count
            summary.errorCount = survey.errors
            summary.skippedRows = survey.skipped
            summary.statuses = (ReadingStatus.allCases + [nil]).compactMap { status in
                walk.statuses.first { $0.status == status }
            }
            return summary
        } catch let fault as LibraryFileFault {
            throw ImportFailure.file(fault)
        }
    }
}

/// Passes on rows as outcomes.
private struct OutcomeReceiver: RowReceiver {
    let body: (RowOutcome) throws -> Void

    func add(_ book: borrowing ImportedBook) throws { try body(.book(copy book)) }
    func add(_ error: ImportRowError) throws { try body(.error(error)) }
    func add(_ row: SkippedRow) throws { try body(.skipped(row)) }
}

extension LibraryFileFault {
    /// The fault in words for users, in some cases with what to do about it.
    package var sentence: String {
        switch self {
        case .unreadable(_, ENOENT): "The uploaded file is gone. Upload it again."
        case .unreadable(_, EIO): "The uploaded file is damaged. Upload it again."
        case .unreadable(_, let errno): "The file cannot be read (error \(errno))."
        case .empty: "The file is empty."
        case .notText: "The file is not text. Export the books as a CSV file."
        case .multibyteText:
            "The file's text is in an encoding that cannot be read, such as Shift_JIS, GBK, Big5 or EUC-KR. Save the file as UTF-8."
        case .tooManyColumns(let line, let limit): "The file has more than \(limit) columns (line \(line))."
        case .cellTooLong(let line, let limit): "A cell in line \(line) is longer than \(limit) bytes."
        case .recordTooLong(let line, let limit): "The record in line \(line) is longer than \(limit) bytes."
        case .otherHeader(let line):
            "Line \(line) is the header of another table with other columns. Import each table as a file of its own."
        case .tooManyRows(let rows, let limit): "The file has \(rows) rows; at most \(limit) can be imported at once."
        case .invalidJSON(let line, let reason): "The file cannot be read as a JSON export (line \(line): \(reason))."
        }
    }
}
