import BookstrackContract
import LibraryImport
import Testing

/// Lists that library catalogs export.
@Suite("Lists from library catalogs")
struct LibraryCatalogTests {
    @Test("page counts with units and years with marks are recognized by their headers")
    func unitsAndMarks() throws {
        let read = try ReadText(
            """
            Title,Author,Pages,Year
            Emma,Jane Austen,474 pages,c2003
            Dune,Frank Herbert,535 p.,[1990]
            """)
        #expect(read.books.map(\.pageCount) == [474, 535])
        #expect(read.books.map(\.publicationYear) == [2_003, 1_990])
    }

    @Test("authors with the years of their lives are names with the family name first")
    func lives() throws {
        let read = try ReadText(
            """
            Author,Title
            "Austen, Jane, 1775-1817.",Emma
            "Herbert, Frank, 1920-1986.",Dune
            "Le Guin, Ursula K., 1929-2018.",The Dispossessed
            """)
        #expect(read.books.map(\.author) == ["Jane Austen", "Frank Herbert", "Ursula K. Le Guin"])
    }
}
