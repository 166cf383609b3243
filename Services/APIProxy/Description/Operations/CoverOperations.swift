import BookstrackContract
import HTTPTypes
import SuiteMethods

/// Pictures of covers.
enum CoverOperations {
    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: [CoverRoutes.path], id: "readCover", group: .covers, summary: "Get a cover image",
            notes:
                "Only from the hosts that this API's responses link to. With `Accept: application/octet-stream` the response has that type.",
            parameters: [
                .query(
                    "url", .text(.init(format: "uri")), "URL of the cover, https.", isRequired: true,
                    example: "https://covers.openlibrary.org/b/id/13473958-L.jpg"),
                .query("size", .choice(CoverSize.allCases.map(\.rawValue)), "Size; medium by default."),
            ],
            answers: [
                Answer(
                    status: 200, meaning: "The image.", schema: .bytes,
                    types: PictureType.allCases.map(\.rawValue) + [CoverRoutes.anyBytes]),
                Answer(status: 304, meaning: "The image matches `If-None-Match`."),
            ],
            failures: [
                .invalidQuery, .forbidden, .notFound, .providerError, .quotaExhausted, .serviceUnavailable,
                .providerTimeout,
            ])
    ]
}
