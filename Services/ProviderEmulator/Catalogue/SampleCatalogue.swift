/// Well-known books that the emulator always knows: facts as far as its authors know them, with descriptions of their own. Some are known to
/// one provider only, some to none.
///
/// They are Swift values and not a resource file, so that the program works wherever its binary alone is copied and a mistake
/// in an entry does not compile.
enum SampleCatalogue {
    static let entries: [SampleBook] =
        classics + modern + speculative + young + knowledge + verse + romanceLanguages + otherEuropeanLanguages
        + asianLanguages + unknown + (furtherEditions + homonyms).flatMap(\.books)

    static let books: [CatalogueBook] = entries.enumerated().compactMap { $1.catalogueBook(at: $0) }
}
