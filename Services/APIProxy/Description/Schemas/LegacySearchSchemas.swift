/// The answers of the deprecated searches, shaped like those of Google Books (contract §10.2, spec/07).
enum LegacySearchSchemas {
    static let volume = Schema.object([
        .optional("kind", .text),
        .optional("id", .text),
        .required(
            "volumeInfo",
            .object([
                .required("title", .text),
                .optional("subtitle", .text),
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
                    "imageLinks", .object([.optional("smallThumbnail", .text), .optional("thumbnail", .text)])),
                .optional("language", .text),
            ])),
    ])

    static let volumeList = Schema.object([
        .required("items", .list(of: .volume)), .required("totalItems", .count),
    ])
}
