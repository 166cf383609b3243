import BookstrackContract
import HTTPTypes
import SuiteMethods

/// Reports of missing metadata (http-api.md "Reports").
enum ReportOperations {
    static let all: [APIOperation] = [
        APIOperation(
            method: .post, paths: [ReportRoutes.path], id: "reportMissingMetadata", group: .search,
            summary: "Report a book's missing metadata",
            notes:
                "Provide either `isbn`, or `jobId` and `index`. A book that a search or job requested or returned within the last day is "
                + "looked up again at the providers, at most once a day, after all other work, and within a share of their budgets; results that were already "
                + "returned do not change.",
            body: RequestBody(schema: .report, example: Example()),
            answers: [.envelope(202, .reportReceipt, "How the report is handled.")],
            failures: [.invalidISBN, .notFound, .serviceUnavailable])
    ]

    private struct Example: Encodable {
        var isbn = "9780441172719"
        var fields = [BookField.cover, .description]
        var note = "The cover of another edition"
    }
}

/// A report, and how it is handled.
enum ReportSchemas {
    private static let fields = Schema.list(of: .choice(of: BookField.self), atMost: BookField.allCases.count)
    private static let further: [Property] = [
        .optional("fields", fields, "What is missing."),
        .optional("note", .text(.init(length: 0...ReportMissingMetadata.noteLimit)), "For the operators."),
    ]

    static let request = Schema.oneOf([.named(.reportByISBN), .named(.reportOfRow)])

    static let byISBN = Schema.object(
        [.required("isbn", .text(.init(length: 1...32)), "In any format that needs no repair.")] + further)
    static let ofRow = Schema.object(
        [
            .required("jobId", .jobId, "A job that has ended."),
            .required(
                "index", .count,
                "Zero-based index of the book in the job's results. The books of an import can be reported once its linked job has ended."
            ),
        ] + further)

    static let receipt = Schema.object([
        .required("isbn", .text, "As ISBN-13."),
        .required("fields", fields),
        .required(
            "lookup", .choice(of: ReportReceipt.Lookup.self),
            "`scheduled` if the book is looked up again. Otherwise the reason: `recent` (an earlier report led to a lookup within the last day), "
                + "`not_asked` (no search or job requested or returned the book within the last day) or "
                + "`budget` (reports have used up their share of today's provider budgets)."
        ),
    ])
}
