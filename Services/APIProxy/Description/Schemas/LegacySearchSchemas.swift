/// The answers of the deprecated searches, shaped like those of Google Books (http-api.md "Deprecated searches").
enum LegacySearchSchemas {
    static let volume = Schema.object([
        .required("kind", .text, "Always books#volume."),
        .required("id", .text),
        .required(
            "volumeInfo",
            .object([
                .required("title", .text),
                .optional("authors", .list(of: .text)),
                .optional("publisher", .text),
                .optional("publishedDate", .text),
                .optional("description", .text),
                .optional(
                    "industryIdentifiers",
                    .list(
                        of: .object([
                            .required("type", .choice(["ISBN_10", "ISBN_13"])), .required("identifier", .text),
                        ]))),
                .optional("pageCount", .integer),
                .optional("categories", .list(of: .text)),
                .optional(
                    "imageLinks", .object([.required("smallThumbnail", .text), .required("thumbnail", .text)])),
                .optional("language", .text),
            ])),
    ])

    static let volumeList = Schema.object([
        .required("items", .list(of: .volume)), .required("totalItems", .count),
    ])
}
