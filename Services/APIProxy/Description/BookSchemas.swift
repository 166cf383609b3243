import BookstrackContract

/// Works, editions, authors and search responses (metadata.md "Books").
enum BookSchemas {
    private static let quality = Schema.integer(0...100)
    private static let providers = Schema.list(of: .choice(of: DataProvider.self))

    static let work = Schema.object([
        .required("title", .text, "Without additions such as edition names."),
        .required("subjectTags", .list(of: .text, atMost: 25), "Canonical genres first, then other subjects."),
        .required("goodreadsWorkIDs", .list(of: .text)),
        .required("amazonASINs", .list(of: .text)),
        .required("librarythingIDs", .list(of: .text)),
        .required("googleBooksVolumeIDs", .list(of: .text)),
        .required("isbndbQuality", quality, "Completeness from 0 to 100, on the same scale for all providers."),
        .required("reviewStatus", .choice(of: ReviewStatus.self), "Whether the match needs human review."),
        .optional("originalLanguage", .text, "ISO 639-1 code."),
        .optional("firstPublicationYear", .integer, "First publication year; negative for BCE."),
        .optional("description", .text, "Plain-text synopsis."),
        .optional("coverImageURL", .text(.init(format: "uri")), "URL of the largest known cover."),
        .optional("synthetic", .flag, "True if the work was inferred from an edition."),
        .optional("primaryProvider", .choice(of: DataProvider.self), "The provider of the match."),
        .optional("contributors", providers, "Every provider that contributed at least one field."),
        .optional("openLibraryID", .text, "Open Library work key, for example OL45804W."),
        .optional("openLibraryWorkID", .text, "Same as `openLibraryID`."),
        .optional("isbndbID", .text),
        .optional("googleBooksVolumeID", .text, "First of `googleBooksVolumeIDs`, for older clients."),
        .optional("goodreadsID", .text, "First of `goodreadsWorkIDs`, for older clients."),
        .optional(
            "lastISBNDBSync", .time, "When ISBNdb was queried, if it contributed a field; without fractional seconds."),
        .optional("originalImagePath", .text, "Path of the photo, in scan results."),
        .optional("boundingBox", .named(.boundingBox), "The spine in the photo, in scan results."),
    ])

    static let edition = Schema.object([
        .required("isbns", .list(of: .text), "ISBN-13 before ISBN-10, without hyphens."),
        .required("format", .choice(of: EditionFormat.self), "`Paperback` if unknown; see `formatInferred`."),
        .required("amazonASINs", .list(of: .text)),
        .required("googleBooksVolumeIDs", .list(of: .text)),
        .required("librarythingIDs", .list(of: .text)),
        .required("isbndbQuality", quality, "Completeness from 0 to 100, on the same scale for all providers."),
        .optional("formatInferred", .flag, "True if no provider specifies the binding; otherwise absent."),
        .optional("isbn", .text, "The first of `isbns`."),
        .optional("title", .text, "With the subtitle."),
        .optional("publisher", .text),
        .optional(
            "publicationDate", .text(.init(pattern: "^-?[0-9]+(-[0-9]{2}){0,2}$")), "YYYY, YYYY-MM or YYYY-MM-DD."),
        .optional("pageCount", .integer),
        .optional("coverImageURL", .text(.init(format: "uri"))),
        .optional("editionTitle", .text, "For example \"Deluxe Illustrated Edition\"."),
        .optional("editionDescription", .text, "Plain text."),
        .optional("language", .text, "ISO 639-1 code."),
        .optional("primaryProvider", .choice(of: DataProvider.self)),
        .optional("contributors", providers),
        .optional("openLibraryID", .text, "Open Library edition key, for example OL7353617M."),
        .optional("openLibraryEditionID", .text, "Same as `openLibraryID`."),
        .optional("isbndbID", .text),
        .optional("googleBooksVolumeID", .text, "First of `googleBooksVolumeIDs`, for older clients."),
        .optional("goodreadsID", .text),
        .optional(
            "lastISBNDBSync", .time, "When ISBNdb was queried, if it contributed a field; without fractional seconds."),
    ])

    static let author = Schema.object([
        .required("name", .text, "In reading order."),
        .required("gender", .choice(of: AuthorGender.self), "`Unknown` unless Wikidata is unambiguous."),
        .optional(
            "culturalRegion", .choice(of: CulturalRegion.self),
            "Region of the countries of citizenship, if they share one."),
        .optional("nationality", .text, "Country of citizenship, if there is only one."),
        .optional("birthYear", .integer, "Negative for BCE."),
        .optional("deathYear", .integer, "Negative for BCE."),
        .optional("openLibraryID", .text, "Open Library author key, for example OL26320A."),
        .optional("isbndbID", .text),
        .optional("googleBooksID", .text),
        .optional("goodreadsID", .text),
        .optional("bookCount", .integer, "Number of this author's works on Open Library."),
    ])

    static let searchResults = Schema.object([
        .required("works", .list(of: .work, atMost: 20), "Best first; the authors are listed separately."),
        .required("editions", .list(of: .edition), "`editions[i]` belongs to `works[i]`; further editions follow."),
        .required("authors", .list(of: .author), "Unique by name, in order of first appearance."),
        .required("totalResults", .count, "Estimated number of matches, including those not returned."),
        .required("resultCount", .count, "Number of works."),
        .optional("matching", .named(.matchReport), "Only with `explain=true`."),
    ])

    static let matchReport = Schema.object([
        .required("verifiedFrom", .fraction, "Minimum score of a verified work."),
        .required("reviewFrom", .fraction, "Minimum score of a work that needs review."),
        .required(
            "works",
            .list(
                of: .object([
                    .required("title", .text),
                    .required("authors", .list(of: .text)),
                    .required("verdict", .choice(of: MatchReport.Verdict.self)),
                    .required("score", .fraction, "Rounded down to hundredths."),
                    .required(
                        "reasons",
                        .list(
                            of: .object([
                                .required(
                                    "agrees", .flag, "False if it counts against the book and limits the score."),
                                .required("text", .text, "In English."),
                            ])), "Reasons for the score."),
                ]), atMost: 20), "Each element explains the work at the same index in the response."),
    ])

    static let editionResults = Schema.object([
        .required("editions", .list(of: .edition, atMost: 50), "Most complete first."),
        .required("totalResults", .count, "Estimated number of editions, including those not returned."),
        .required("resultCount", .count, "Number of editions."),
    ])
}

/// The responses of the deprecated searches, in the format of Google Books (http-api.md "Deprecated searches").
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
