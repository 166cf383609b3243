import BookstrackContract
import HTTPTypes
import SuiteMethods

/// Pictures of covers.
enum CoverOperations {
    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: [CoverRoutes.path], id: "readCover", group: .search, summary: "Read a cover",
            notes: "Only of the hosts that answers of this API point at.",
            parameters: [
                .query(
                    "url", .text(.init(format: "uri")), "Address of the cover, https.", isRequired: true,
                    example: "https://covers.openlibrary.org/b/id/240727-L.jpg"),
                .query("size", .choice(CoverSize.allCases.map(\.rawValue)), "Size wanted; medium when absent."),
            ],
            answers: [
                Answer(
                    status: 200, meaning: "The picture.", schema: .bytes,
                    types: PictureType.allCases.map(\.rawValue)),
                Answer(status: 304, meaning: "The picture is the one that If-None-Match names."),
            ],
            failures: [
                .invalidQuery, .forbidden, .notFound, .providerError, .quotaExhausted, .serviceUnavailable,
                .providerTimeout,
            ])
    ]
}
