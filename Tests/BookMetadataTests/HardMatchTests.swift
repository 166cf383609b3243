import BookMetadata
import BookstrackContract
import Testing

@Suite("Matching easily confused titles")
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
        "volumes, parts, guides, sets and other forms are not verified as the book",
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
        "a candidate whose bracket indicates a part, an adapted text or a guide is not verified",
        arguments: [
            ("Unbroken", "Unbroken (The Young Adult Adaptation)"),
            ("I Am Malala", "I Am Malala (Young Readers Edition)"), ("War and Peace", "War and Peace (1/4)"),
            ("War and Peace", "War and Peace (Part 1 of 2)"), ("War and Peace", "War and Peace (Abridged)"),
            ("Macbeth", "Macbeth (Bloom's Guides)"), ("The Tempest", "The Tempest (No Fear Shakespeare)"),
            ("The Great Gatsby", "The Great Gatsby (Oxford Bookworms Library)"),
        ])
    func onlyBracket(asked: String, candidate: String) throws {
        #expect(!isVerified(asked, "Ann Author", try work(candidate, "Ann Author")))
    }

    @Test(
        "a French or German study guide is not even left for review",
        arguments: [
            ("L'Étranger", "L'Étranger (Profil d'une œuvre)"), ("Faust", "Faust: Lektürehilfe"),
            ("Le Petit Prince", "Le Petit Prince (Fiche de lecture)"),
        ])
    func guides(title: String, guide: String) throws {
        let query = BookQuery(title: title, author: "Ann Author")
        guard case .notFound = TitleMatch.best(for: query, among: [try work(guide, "Ann Author")]) else {
            Issue.record("the guide was accepted")
            return
        }
    }

    @Test(
        "a candidate with a different number, an edition word or a further title is not verified",
        arguments: [
            ("The Pillars of the Earth", "The Pillars of the Earth: Book Two"), ("Gone", "Gone 2"), ("Gone", "Gone II"),
            ("Twilight", "Twilight: The Complete Series"), ("Unbroken", "Unbroken: Young Readers Edition"),
            ("Becoming", "Becoming: A Guided Journal"), ("Mistborn", "Mistborn: Secret History"),
            ("The Hunger Games", "The Hunger Games: Catching Fire"), ("Maus I", "Maus II"),
            ("King Henry VI, Part I", "King Henry VI, Part III"), ("Faust", "Faust: Zweiter Teil"),
            ("Pelle Erobreren: Første del", "Pelle Erobreren: Anden del"),
        ])
    func onlyNumberOrWord(asked: String, candidate: String) throws {
        #expect(!isVerified(asked, "Ann Author", try work(candidate, "Ann Author")))
    }

    @Test(
        "the book itself is chosen, whether a near-duplicate precedes or follows it in the list",
        arguments: [
            ("I Am Malala", "I Am Malala (Young Readers Edition)"), ("Macbeth", "Macbeth (Bloom's Guides)"),
            ("Sapiens", "Sapiens: A Brief History of Humankind"), ("Nostromo", "Nostromo: A Tale of the Seaboard"),
            ("Becoming", "Becoming: A Guided Journal"), ("Gone", "Gone II"),
            ("Things Fall Apart", "Things Fall Apart (African Writers Series)"),
        ])
    func order(title: String, nearDuplicate: String) throws {
        let book = try work(title, "Ann Author")
        let other = try work(nearDuplicate, "Ann Author")
        for list in [[book, other], [other, book]] {
            let query = BookQuery(title: title, author: "Ann Author")
            guard case .verified(let match, _) = TitleMatch.best(for: query, among: list) else {
                Issue.record("the book was not verified")
                continue
            }
            #expect(match.candidate.title == title)
        }
    }

    @Test(
        "“Title: Series” and “Series” are not verified as each other, because “Series” may be another book",
        arguments: [
            ("Dune", "Chapterhouse: Dune"), ("Dune (Dune Chronicles, #1)", "Chapterhouse: Dune"),
            ("The Hunger Games (The Hunger Games, #1)", "Mockingjay: The Hunger Games"),
            ("Red Rising (Red Rising Saga, #1)", "Golden Son: Red Rising"),
            ("The Lord of the Rings (The Lord of the Rings, #1-3)", "The Two Towers: The Lord of the Rings"),
        ])
    func halfOfSeries(title: String, volume: String) throws {
        #expect(!isVerified(title, "Ann Author", try work(volume, "Ann Author")))
        #expect(!isVerified(volume, "Ann Author", try work(title, "Ann Author")))
    }

    @Test(
        "“Series: Title” and “Title” are verified as each other",
        arguments: [
            ("Secret History (Mistborn, #3.5)", "Mistborn: Secret History"),
            ("Twilight", "The Twilight Saga: Twilight"), ("Eclipse", "The Twilight Saga: Eclipse"),
            ("Inferno", "The Divine Comedy I: Inferno"), ("Catching Fire", "The Hunger Games: Catching Fire"),
            ("Emma", "Penguin Classics: Emma"), ("Emma", "Oxford World's Classics: Emma"),
        ])
    func halfAfterSeries(title: String, volume: String) throws {
        #expect(isVerified(title, "Ann Author", try work(volume, "Ann Author")))
        #expect(isVerified(volume, "Ann Author", try work(title, "Ann Author")))
    }

    @Test(
        "volumes of a series and of its spin-off that have the same number are not confused",
        arguments: [
            ("Tokyo Ghoul, Vol. 1", "Tokyo Ghoul: re, Vol. 1", "Tokyo Ghoul, Vol. 1: Tragedy"),
            (
                "Tokyo Ghoul, Vol. 1", "Tokyo Ghoul: re, Vol. 1 (Tokyo Ghoul: re, #1)",
                "Tokyo Ghoul: Volume 1: Tragedy"
            ),
            ("Sword Art Online, Vol. 1", "Sword Art Online: Progressive, Vol. 1", "Sword Art Online, Vol. 1: Aincrad"),
            ("Attack on Titan, Vol. 1", "Attack on Titan: Before the Fall, Vol. 1", "Attack on Titan, Vol. 1"),
            (
                "Star Wars, Vol. 2", "Star Wars: Darth Vader, Vol. 2",
                "Star Wars, Vol. 2: Showdown on the Smuggler's Moon"
            ),
        ])
    func spinOffs(volume: String, spinOff: String, book: String) throws {
        let (other, same) = (try work(spinOff, "Ann Author"), try work(book, "Ann Author"))
        #expect(!isVerified(volume, "Ann Author", other))
        #expect(!isVerified(spinOff, "Ann Author", try work(volume, "Ann Author")))
        guard
            case .verified(let match, _) = TitleMatch.best(
                for: BookQuery(title: volume, author: "Ann Author"), among: [other, same])
        else {
            Issue.record("the volume was not verified")
            return
        }
        #expect(match.candidate == same)
    }

    @Test(
        "books on C, C++ and C# are not confused, whichever comes first in the list",
        arguments: [
            ("Algorithms in C", "Algorithms in C++"), ("Effective C", "Effective C++"),
            ("C Primer Plus", "C++ Primer Plus"), ("Professional C", "Professional C#"),
            ("Data Structures: An Approach Using C", "Data Structures: An Approach Using C++"),
        ])
    func signs(one: String, other: String) throws {
        let list = [try work(one, "Ann Author"), try work(other, "Ann Author")]
        for (asked, book, wrong) in [(one, list[0], list[1]), (other, list[1], list[0])] {
            #expect(!isVerified(asked, "Ann Author", wrong))
            for candidates in [list, list.reversed()] {
                let verdict = TitleMatch.best(for: BookQuery(title: asked, author: "Ann Author"), among: candidates)
                guard case .verified(let match, _) = verdict else {
                    Issue.record("\(asked) was not verified")
                    continue
                }
                #expect(match.candidate == book)
            }
        }
    }

    @Test("if a title occurs with several subtitles, none of those books matches the title without a subtitle")
    func subtitlesOfSeries() throws {
        let query = BookQuery(title: "Becoming", author: "Ann Author")
        let first = try work("Becoming: A New Beginning", "Ann Author")
        let second = try work("Becoming: A Fresh Start", "Ann Author")
        guard case .needsReview = TitleMatch.best(for: query, among: [first]) else {
            Issue.record("a single candidate was not left for review")
            return
        }
        guard case .notFound = TitleMatch.best(for: query, among: [first, second]) else {
            Issue.record("one of the candidates was accepted")
            return
        }
    }

    @Test(
        "a book is recognized although its volume number, set or series is written differently",
        arguments: [
            ("D.Gray-man, Volume 01", "D.Gray-man, Volume 1"), ("Catch-22", "Catch 22"),
            ("The Hunger Games Boxed Set", "The Hunger Games Box Set"), ("1984 (Signet Classics)", "1984"),
            ("The Final Empire (Mistborn, #1)", "The Final Empire"),
            ("Кобзар. Том перший", "Кобзар, том 1"), ("Οδύσσεια, Τόμος 1 από 2", "Οδύσσεια, Τόμος 1"),
            ("銀河英雄伝説第二十二巻", "銀河英雄伝説 22"), ("L'Étranger (J'ai lu)", "L'Étranger"),
        ])
    func sameVolume(asked: String, candidate: String) throws {
        #expect(isVerified(asked, "Ann Author", try work(candidate, "Ann Author")))
    }

    @Test(
        "a work in another language is found through its translated edition",
        arguments: [
            ("Crime and Punishment", "Fyodor Dostoevsky", "Преступление и наказание", "Fyodor Dostoyevsky"),
            ("Night on the Galactic Railroad", "Kenji Miyazawa", "銀河鉄道の夜", "Miyazawa, Kenji"),
            ("The Little Prince", "Antoine de Saint-Exupery", "Le petit prince", "Antoine de Saint-Exupéry"),
        ])
    func translated(asked: String, author: String, original: String, cataloged: String) throws {
        #expect(isVerified(asked, author, try work(original, cataloged, edition: asked)))
        #expect(!isVerified(asked, author, try work(original, cataloged)))
    }

    @Test(
        "titles in different scripts are compared by their letters",
        arguments: [
            ("преступление И наказание", "Достоевский, Фёдор", "Преступление и наказание", "Федор Достоевский"),
            ("銀河鉄道の夜", "宮沢 賢治", "銀河鉄道の夜", "宮沢賢治"), ("채식주의자", "한강", "채식주의자", "한강"),
            ("Cien anos de soledad", "GARCIA MARQUEZ, Gabriel", "Cien años de soledad", "Gabriel García Márquez"),
            ("الأيام", "طه حسين", "الأيام", "طه حسين"), ("गोदान", "प्रेमचंद", "गोदान", "प्रेमचंद"),
        ])
    func scripts(asked: String, author: String, candidate: String, cataloged: String) throws {
        #expect(isVerified(asked, author, try work(candidate, cataloged)))
    }

    @Test("different books in the same script are not confused", arguments: [("銀河鉄道の夜", "銀河鉄道999"), ("Бесы", "Басни")])
    func otherTitle(asked: String, candidate: String) throws {
        #expect(!isVerified(asked, "宮沢賢治", try work(candidate, "宮沢賢治")))
    }
}
