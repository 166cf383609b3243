import BookstrackContract

/// Imports of library files (imports.md "Results").
enum ImportSchemas {
    private static let position = Schema.integer(1...Int(Int32.max))
    private static let year = Schema.integer(-10_000...10_000)

    /// The parts of an upload form. If the body is the file itself, the other parts are sent as query parameters.
    static let upload = Schema.object([
        .required("file", .bytes, "The library file: a CSV file or another export from a book app."),
        .optional("jobId", .newJobId, "Your own identifier; repeating it with the same file returns the same job."),
        .optional(
            "mapping", .text,
            "Column roles as JSON, by header or by number from 0: `{\"Naam\":\"title\",\"3\":\"isbn\"}`."
        ),
        .optional(
            "format", .choice(of: LibraryFormat.self), "The app that wrote the file; detected if omitted."),
        .optional("enrich", .choice(["true", "false"]), "Whether a linked job enriches the books; false by default."),
        .optional(
            "ai", .choice(["true", "false"]),
            "Whether a configured AI model may be asked what the columns mean if they are not recognized; true by default."
        ),
    ])

    static let started = Schema.object(
        [
            .required("success", .flag, "Always true."),
            .required("jobId", .jobId),
            .required("token", .text, "The job's token, valid for two hours by default."),
            .required("authToken", .text, "Same as `token`."),
            .required("status", .choice(of: JobStatus.self)),
            .required("filename", .text, "Name of the file, for display."),
            .required("bytes", .count),
            .required("statusUrl", .text),
            .required("estimatedTime", .text, "A range as text, for example \"1-5s\"."),
            .required("estimatedDuration", .count, "Milliseconds."),
            .optional(
                "enrichment",
                .object([
                    .required("jobId", .jobId), .required("token", .text, "Sent only in this response."),
                    .required("websocketUrl", .text), .required("resultsUrl", .text),
                ]), "The linked enrichment, with `enrich=true`."),
        ] + BatchSchemas.addresses)

    static let book = Schema.object([
        .required("row", position, "Number of the data row, counted from 1."),
        .required("lineNumber", position, "Line of the file at which the row starts."),
        .required("title", .text, "Empty only if the row has an ISBN or another identifier."),
        .required("author", .text, "The first author; empty if the file has none."),
        .required("authors", .list(of: .text)),
        .optional("isbn", .text, "13 digits."),
        .optional("isbn10", .text),
        .optional("isbn13", .text, "Same as `isbn`."),
        .optional(
            "isbnRepair", .text,
            "Name of the repair, such as `lost_leading_zeros`; `lost` if a spreadsheet rounded the ISBN."),
        .required(
            "ids",
            .object([
                .optional("goodreadsBookId", .text), .optional("librarythingId", .text),
                .optional("openLibraryWork", .text), .optional("openLibraryEdition", .text), .optional("asin", .text),
                .optional("googleVolumeId", .text),
            ])),
        .optional("series", .object([.required("name", .text), .optional("position", .text)])),
        .optional("subtitle", .text), .optional("publisher", .text), .optional("publicationYear", year),
        .optional("originalYear", year), .optional("pageCount", .count), .optional("language", .text),
        .optional("format", .choice(of: EditionFormat.self)),
        .optional(
            "status", .choice(of: ReadingStatus.self),
            "As stated, or derived from shelves, reading dates or read count; absent if none of these reveals it."),
        .optional("statusRaw", .text, "As written in the file."),
        .required("shelves", .list(of: .text)), .required("tags", .list(of: .text)),
        .optional("rating", .number(0...5), "In steps of 0.25; absent if unrated."),
        .optional("ratingRaw", .text, "As written in the file."),
        .required(
            "datesRead", .list(of: .object([.optional("start", .text), .optional("end", .text)])),
            "Each time the book was read; a date is a day, a month or a year."),
        .optional("dateAdded", .text), .optional("readCount", .count), .optional("owned", .flag),
        .optional("review", .text), .optional("notes", .text),
        .required(
            "raw", .map(of: .text), "Cells in columns without a role, and cells that no other member can represent."),
        .required(
            "remarks",
            .list(
                of: .object([
                    .required("code", .choice(of: ImportRemark.Code.self)), .optional("column", .text),
                ])), "What was repaired, truncated or dropped."),
        .required("duplicateRows", .list(of: position), "Other rows for the same book."),
        .required("confidence", .fraction, "The lowest confidence among the columns used."),
        .required("success", .flag, "Always true."),
    ])

    static let rowError = Schema.object([
        .required("row", position), .required("lineNumber", position),
        .required("title", .text, "Empty if unknown."), .optional("isbn", .text),
        .required("error", .text, "Reason in a sentence."), .required("code", .choice(of: ImportRowError.Code.self)),
        .required(
            "raw", .map(of: .text),
            "The row's cells as they appear in the file, with `␦` for characters that could not be decoded."),
    ])

    static let skippedRow = Schema.object([
        .required("row", position), .required("lineNumber", position),
        .required("reason", .choice(of: SkippedRow.Reason.self)),
    ])

    static let source = Schema.object([
        .required("format", .choice(of: LibraryFormat.self)), .required("confidence", .fraction),
        .required("encoding", .text, "For example utf-8 or windows-1252."), .required("delimiter", .text),
        .required("lineEnd", .text), .required("hasHeader", .flag),
        .required(
            "columns",
            .list(
                of: .object([
                    .required("index", .count), .required("header", .text),
                    .optional("role", .choice(of: ColumnRole.self)), .required("confidence", .fraction),
                    .optional("by", .choice(of: ImportColumn.Evidence.self), "What determined the role."),
                ]))),
    ])

    private static let figures: [Property] = [
        .required("successRate", .text, "For example \"98/100\"."),
        .required("timestamp", .timestamp, "When the import ended, in milliseconds since 1970."),
        .required("totalRows", .count, "Data rows of the file."),
        .required("skippedRows", .count, "Rows that are not books."),
        .required("duplicatesSkipped", .count, "Rows with the same book as an earlier row."),
        .required("booksCreated", .count), .required("booksUpdated", .count, "Always 0."),
        .required("source", .named(.importSource)),
        .optional(
            "enrichment",
            .object([.required("jobId", .jobId), .required("websocketUrl", .text), .required("resultsUrl", .text)])),
        .required("metadata", .object([.optional("modelUsed", .text), .required("processingTime", .count)])),
        .required("resultsRevision", .count, "Constant, because the results do not change."),
        .required("expiresAt", .time, "When the results are deleted."),
    ]
    private static let skipped = Property.required(
        "skipped", .list(of: .skippedRow), "The first 1 000 rows that are not books.")

    static let results = Schema.object(
        [
            .required("books", .list(of: .importedBook), "The library, in the file's order."),
            .required("errors", .list(of: .importRowError), "Rows that could not become books."), skipped,
        ] + figures)

    static let shippedResults = Schema.object(
        [
            .required("books", .list(of: .importedBook)),
            .required("results", .list(of: .importedBook), "Same as `books`."),
            .required("errors", .list(of: .text), "A sentence for each row that could not become a book."), skipped,
            .required("enrichmentSucceeded", .count, "Always 0."), .required("enrichmentFailed", .count, "Always 0."),
        ] + figures)

    static let preview = Schema.object([
        .required("source", .named(.importSource)), .required("totalRows", .count, "Data rows of the file."),
        .required("books", .list(of: .importedBook, atMost: 20), "The first 20."),
        .required("errors", .list(of: .importRowError, atMost: 20), "The first 20."),
        .required("duplicates", .count, "Rows with the same book as an earlier row."),
    ])

    private static func status(_ words: [String]) -> [Property] {
        [
            .required("jobId", .jobId), .required("status", .choice(words)), .required("progress", .fraction),
            .required("processedCount", .count), .required("totalCount", .count, "An estimate until the import ends."),
        ]
    }

    static let statusData = Schema.object(status(JobStatus.allCases.map(\.rawValue)))
    static let shippedStatusData = Schema.object(status(JobStatus.shippedNames))
}
