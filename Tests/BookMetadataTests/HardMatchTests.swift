import BookMetadata
import BookstrackContract
import Testing

@Suite("Matching what is easily mistaken")
struct HardMatchTests {
    private func work(_ title: String, _ author: String?, edition: String? = nil) throws -> BookCandidate {
        let authors = author.map { #","author_name": ["\#($0)"]"# } ?? ""
        let editions = edition.map { #","editions": {"docs": [{"key": "/books/OL1M", "title": "\#($0)"}]}"# } ?? ""
        let page = try OpenLibrary.decodeSearchPage(
            #"{"docs": [{"key": "/works/OL1W", "title": "\#(title)"\#(authors)\#(editions)}]}"#.utf8)
        return .work(page.works[0])
    }

    private func isVerified(_ title: String, _ author: String?, _ candidate: BookCandidate) -> Bool {
        let query = BookQuery(title: title, author: author)
        if case .verified = TitleMatch.best(for: query, among: [candidate]) { return true }
        return false
    }

    @Test(
        "volumes, parts, guides, sets and other forms are not the book",
        arguments: [
            ("Y: The Last Man, Vol. 4: Safeword", "Y: The Last Man, Vol. 1: Unmanned"),
            ("Conversations with God, Book 1", "Conversations with God, Book 2"),
            ("Naruto, Vol. 02", "Naruto"), ("A Storm of Swords", "A Storm of Swords: Part 1 Steel and Snow"),
            ("Twilight", "Twilight: The Graphic Novel"), ("Twilight: The Graphic Novel", "Twilight"),
            ("Mort", "Mort - playtext"), ("The Hobbit", "The Hobbit: Study Guide"),
            ("The Hunger Games Box Set", "The Hunger Games"), ("Emma", "Emma / Persuasion / Sanditon"),
        ])
    func notTheBook(asked: String, candidate: String) throws {
        #expect(!isVerified(asked, "Ann Author", try work(candidate, "Ann Author")))
    }

    @Test(
        "one volume is the same however its number is written",
        arguments: [
            ("D.Gray-man, Volume 01", "D.Gray-man, Volume 1"), ("Catch-22", "Catch 22"),
            ("The Hunger Games Boxed Set", "The Hunger Games Box Set"), ("1984 (Signet Classics)", "1984"),
            ("The Final Empire (Mistborn, #1)", "The Final Empire"),
        ])
    func sameVolume(asked: String, candidate: String) throws {
        #expect(isVerified(asked, "Ann Author", try work(candidate, "Ann Author")))
    }

    @Test(
        "a work in another language is found by its translated edition",
        arguments: [
            ("Crime and Punishment", "Fyodor Dostoevsky", "Преступление и наказание", "Fyodor Dostoyevsky"),
            ("Night on the Galactic Railroad", "Kenji Miyazawa", "銀河鉄道の夜", "Miyazawa, Kenji"),
            ("The Little Prince", "Antoine de Saint-Exupery", "Le petit prince", "Antoine de Saint-Exupéry"),
        ])
    func translated(asked: String, author: String, original: String, catalogued: String) throws {
        #expect(isVerified(asked, author, try work(original, catalogued, edition: asked)))
        #expect(!isVerified(asked, author, try work(original, catalogued)))
    }

    @Test(
        "titles of every script are compared by their letters",
        arguments: [
            ("преступление И наказание", "Достоевский, Фёдор", "Преступление и наказание", "Федор Достоевский"),
            ("銀河鉄道の夜", "宮沢 賢治", "銀河鉄道の夜", "宮沢賢治"), ("채식주의자", "한강", "채식주의자", "한강"),
            ("Cien anos de soledad", "GARCIA MARQUEZ, Gabriel", "Cien años de soledad", "Gabriel García Márquez"),
            ("الأيام", "طه حسين", "الأيام", "طه حسين"), ("गोदान", "प्रेमचंद", "गोदान", "प्रेमचंद"),
        ])
    func scripts(asked: String, author: String, candidate: String, catalogued: String) throws {
        #expect(isVerified(asked, author, try work(candidate, catalogued)))
    }

    @Test("different books in one script stay different", arguments: [("銀河鉄道の夜", "銀河鉄道999"), ("Бесы", "Басни")])
    func otherTitle(asked: String, candidate: String) throws {
        #expect(!isVerified(asked, "宮沢賢治", try work(candidate, "宮沢賢治")))
    }
}
