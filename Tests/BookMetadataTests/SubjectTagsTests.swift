import BookstrackContract
import BookMetadata
import Testing

@Suite("Subject tags")
struct SubjectTagsTests {
    @Test("compound BISAC headings are split and mapped to genres")
    func bisac() {
        #expect(
            SubjectTags.normalize(["Fiction / Science Fiction / General", "Fiction / Science Fiction / Space Opera"])
                == ["Fiction", "Science Fiction", "Space Opera"])
        #expect(SubjectTags.normalize(["Fiction, fantasy, general"]) == ["Fiction", "Fantasy"])
        #expect(SubjectTags.normalize(["Juvenile Fiction"]) == ["Children's", "Fiction"])
        #expect(SubjectTags.normalize(["Biography & Autobiography"]) == ["Biography"])
    }

    @Test(
        "a word such as “Historical” denotes a genre only in headings of fiction",
        arguments: [
            ("BIOGRAPHY & AUTOBIOGRAPHY / Historical", ["Biography", "Historical"]),
            ("Biography & Autobiography / Literary", ["Biography", "Literary"]),
            ("Photography / Subjects & Themes / Historical", ["Photography", "Subjects & Themes", "Historical"]),
            ("Family & Relationships / Children", ["Family & Relationships", "Children"]),
            ("Atlases - Historical", ["Atlases", "Historical"]),
            ("Fiction / Historical / General", ["Fiction", "Historical Fiction"]),
            ("Juvenile Fiction / Fantasy & Magic", ["Children's", "Fiction", "Fantasy"]),
            ("Juvenile Fiction / Historical / Europe", ["Children's", "Fiction", "Historical Fiction", "Europe"]),
            ("Comics & Graphic Novels / Literary", ["Graphic Novels", "Literary Fiction"]),
            ("Romance / Historical", ["Romance", "Historical Fiction"]),
            ("Children / Fiction", ["Children's", "Fiction"]),
        ])
    func adjectives(heading: String, tags: [String]) {
        #expect(SubjectTags.normalize([heading]) == tags)
    }

    @Test("Library of Congress subdivisions are split")
    func libraryOfCongress() {
        #expect(SubjectTags.normalize(["Traffic accidents -- Fiction"]) == ["Fiction", "Traffic accidents"])
    }

    @Test(
        "criticism or history of a genre is not mapped to that genre",
        arguments: [
            "Fiction -- History and criticism", "Shakespeare, William -- Criticism and interpretation",
            "Fiction, history and criticism", "Literary Criticism / Poetry",
            "Science fiction -- History and criticism.",
        ])
    func criticism(heading: String) {
        let tags = SubjectTags.normalize([heading])
        #expect(tags == [heading.hasSuffix(".") ? String(heading.dropLast()) : heading])
    }

    @Test("a slash does not split a subject unless it separates headings")
    func slashes() {
        let subject = "Designed / suitable for National Curriculum"
        #expect(SubjectTags.normalize([subject]) == [subject])
        #expect(SubjectTags.normalize(["fiction / fantasy / epic"]) == ["Fiction", "Fantasy", "epic"])
        #expect(SubjectTags.normalize(["Cooking / Regional & Ethnic"]) == ["Cooking", "Regional & Ethnic"])
    }

    @Test("genres come first, other subjects are unchanged, and duplicates are merged")
    func order() {
        #expect(
            SubjectTags.normalize([
                "Magical thinking", "Fantasy.", "magical  thinking", "FANTASY FICTION", "Époque", "epoque",
            ])
                == ["Fantasy", "Magical thinking", "Époque"])
        #expect(SubjectTags.normalize(["Science Fiction & Fantasy"]) == ["Science Fiction", "Fantasy"])
    }

    @Test("a subject that only contains a genre's name is not that genre")
    func wholeSubjectsOnly() {
        #expect(
            SubjectTags.normalize(["History of science", "Romance languages"]) == [
                "History of science", "Romance languages",
            ])
    }

    @Test("every canonical genre maps to itself")
    func canonical() {
        #expect(Genre.allCases.count == 24)
        for genre in Genre.allCases {
            #expect(SubjectTags.normalize([genre.rawValue.uppercased()]) == [genre.rawValue])
        }
    }

    @Test("tags for lists and awards are not subjects, and at most 25 tags are kept")
    func bounds() {
        #expect(
            SubjectTags.normalize(["nyt:hardcover-fiction=2011-05-01", "award:hugo_award=1966", "Q: Skills"]) == [
                "Q: Skills"
            ])
        let many = SubjectTags.normalize((1...100).map { "Subject \($0)" } + ["Poetry"])
        #expect(many.count == 25)
        #expect(many.first == "Poetry")
    }

    @Test(
        "a heading that may be a single subject is split only if one of its parts is a genre or General",
        arguments: [
            ("Business/Economics", ["Business", "Economics"]), ("Science/Mathematics", ["Science", "Mathematics"]),
            ("Computer Books: General", ["Computer Books"]), ("United States - General", ["United States"]),
            ("Children: Young Adult (Gr. 10-12)", ["Children's", "Young Adult"]), ("HIV/AIDS", ["HIV/AIDS"]),
            ("English law: contract law", ["English law: contract law"]), ("AC/DC", ["AC/DC"]),
            ("Mystery, Thriller & Suspense", ["Mystery", "Thriller"]), ("Literature & Fiction", ["Fiction"]),
            ("Fiction, Historical, General", ["Fiction", "Historical Fiction"]),
        ])
    func looseHeadings(subject: String, tags: [String]) {
        #expect(SubjectTags.normalize([subject]) == tags)
    }

    @Test("class marks, and tags about a copy or a shop, are not subjects, but SF and a single ideograph are")
    func bookkeeping() {
        let subjects = [
            "Accessible book", "Protected DAISY", "Self Service", "PQ", "878", "General", "Reading Level-Grade 7", "SF",
            "茶",
        ]
        #expect(SubjectTags.normalize(subjects) == ["Science Fiction", "茶"])
    }
}
