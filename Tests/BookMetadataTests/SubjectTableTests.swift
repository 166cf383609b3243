import BookMetadata
import BookstrackContract
import Testing

/// metadata.md "Mapping": the 24 canonical genres, and the headings in catalogs and shops that denote them.
@Suite("Headings and genres")
struct SubjectTableTests {
    @Test("there are 24 canonical genres")
    func genres() {
        #expect(
            Genre.allCases.map(\.rawValue) == [
                "Science Fiction", "Fantasy", "Mystery", "Thriller", "Romance", "Horror", "Literary Fiction",
                "Historical Fiction", "Biography", "History", "Science", "Philosophy", "Self-Help", "Business",
                "True Crime", "Young Adult", "Children's", "Middle Grade", "Classics", "Contemporary", "Graphic Novels",
                "Poetry", "Dystopian", "Fiction",
            ])
    }

    @Test(
        "a heading that denotes a genre becomes that genre",
        arguments: [
            ("sci-fi", ["Science Fiction"]), ("SF", ["Science Fiction"]),
            ("Science Fiction & Fantasy", ["Science Fiction", "Fantasy"]),
            ("Epic fantasy", ["Fantasy"]), ("Fantasy fiction", ["Fantasy"]),
            ("Detective and mystery stories", ["Mystery"]),
            ("Mystery & Detective", ["Mystery"]), ("Mystery, Thriller & Suspense", ["Mystery", "Thriller"]),
            ("Suspense", ["Thriller"]), ("Thrillers", ["Thriller"]), ("Love stories", ["Romance"]),
            ("Romance fiction", ["Romance"]),
            ("Horror tales", ["Horror"]), ("Literary", ["Literary Fiction"]), ("Historical", ["Historical Fiction"]),
            ("Biography & Autobiography", ["Biography"]), ("Memoirs", ["Biography"]),
            ("Autobiographies", ["Biography"]),
            ("Popular science", ["Science"]), ("Self-help techniques", ["Self-Help"]),
            ("Self improvement", ["Self-Help"]),
            ("Business & Economics", ["Business"]), ("Business & Money", ["Business"]), ("True Crime", ["True Crime"]),
            ("YA", ["Young Adult"]), ("Teen & Young Adult", ["Young Adult"]),
            ("Young Adult Fiction", ["Young Adult", "Fiction"]),
            ("Children's books", ["Children's"]), ("Juvenile literature", ["Children's"]),
            ("Juvenile Nonfiction", ["Children's"]),
            ("Juvenile fiction", ["Children's", "Fiction"]), ("Children's stories", ["Children's"]),
            ("Middle grade books", ["Middle Grade"]), ("Classic literature", ["Classics"]),
            ("Contemporary Fiction", ["Contemporary"]),
            ("Comics & Graphic Novels", ["Graphic Novels"]), ("Manga", ["Graphic Novels"]),
            ("Comic books, strips, etc.", ["Graphic Novels"]), ("Poems", ["Poetry"]), ("Dystopias", ["Dystopian"]),
            ("Dystopian fiction", ["Dystopian"]), ("Novels", ["Fiction"]), ("Fiction, general", ["Fiction"]),
            ("Literature & Fiction", ["Fiction"]),
        ] as [(String, [String])])
    func headings(heading: String, tags: [String]) {
        #expect(SubjectTags.normalize([heading]) == tags)
    }

    @Test(
        "a compound heading is split into genres and subjects",
        arguments: [
            ("FICTION / Thrillers / Espionage", ["Fiction", "Thriller", "Espionage"]),
            ("Fiction / Fantasy / Epic", ["Fiction", "Fantasy", "Epic"]),
            ("Fiction, romance, general", ["Fiction", "Romance"]),
            ("Young Adult Fiction / Dystopian", ["Young Adult", "Fiction", "Dystopian"]),
            ("Biography & Autobiography / Personal Memoirs", ["Biography", "Personal Memoirs"]),
            ("History / Europe / General", ["History", "Europe"]),
            ("World War, 1939-1945 -- Fiction", ["Fiction", "World War, 1939-1945"]),
            ("Fiction, mystery & detective, general", ["Fiction", "Mystery"]),
        ] as [(String, [String])])
    func compounds(heading: String, tags: [String]) {
        #expect(SubjectTags.normalize([heading]) == tags)
    }

    @Test(
        "library and shop tags, numbers and empty headings are not subjects",
        arguments: [
            "Accessible book", "Protected DAISY", "In library", "Lending library", "OverDrive",
            "Internet Archive Wishlist",
            "Open Library Staff Picks", "Reading Level-Grade 11", "General", "etc.", "nyt:hardcover-fiction=2011-05-07",
            "award:hugo_award=1966", "1984", "", " ", "-",
        ])
    func bookkeeping(mark: String) {
        #expect(SubjectTags.normalize([mark]).isEmpty)
    }

    @Test(
        "a subject that only sounds like a genre remains a subject",
        arguments: [
            "Business ethics", "History of science", "Poetry therapy", "Children of immigrants", "Romance languages",
            "Science teachers", "Mystery plays", "Philosophy of mind", "Horror vacui",
        ])
    func subjects(subject: String) {
        #expect(SubjectTags.normalize([subject]) == [subject])
    }

    @Test("at most 25 tags are kept, with genres before other tags")
    func limit() {
        let tags = SubjectTags.normalize((1...40).map { "Subject number \($0)" } + ["Fantasy", "Horror"])
        #expect(tags.count == 25)
        #expect(tags.prefix(2) == ["Fantasy", "Horror"])
        #expect(tags.last == "Subject number 23")
    }

    @Test("a subject of more than 100 characters is omitted")
    func longSubject() {
        let long = "S" + String(repeating: "u", count: 100)
        #expect(SubjectTags.normalize([long, String(long.dropLast())]) == [String(long.dropLast())])
    }
}
