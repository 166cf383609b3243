import BookMetadata
import BookstrackContract
import Testing

@Suite("Matching by title and author")
struct TitleMatchTests {
    private func work(_ title: String, _ authors: [String], subtitle: String? = nil) throws -> BookCandidate {
        var work = WorkRecord(provider: .openLibrary, key: "OL\(abs(title.hashValue % 1000))W")
        let names = authors.map { "{\"name\": \"\($0)\"}" }.joined(separator: ",")
        work.title = title
        work.subtitle = subtitle
        work.authors = try OpenLibrary.decodeEdition("{\"authors\": [\(names)]}".utf8).authors
        return .work(work)
    }

    private func verdict(_ title: String, _ author: String?, _ candidates: [BookCandidate]) -> MatchVerdict {
        TitleMatch.best(for: BookQuery(title: title, author: author), among: candidates)
    }

    private func isVerified(_ verdict: MatchVerdict) -> String? {
        if case .verified(let match, _) = verdict { match.candidate.title } else { nil }
    }

    @Test(
        "a book is recognized although its title or author is written differently",
        arguments: [
            ("The Hunger Games (The Hunger Games, #1)", "Suzanne Collins", "The Hunger Games", "Suzanne Collins"),
            ("hunger games, the", "Collins, Suzanne", "The Hunger Games", "Suzanne Collins"),
            (
                "Harry Potter and the Sorcerer's Stone", "J.K. Rowling", "Harry Potter and the Sorcerer’s Stone",
                "J. K. Rowling"
            ),
            ("The Casual Vacancy", "Joanne Rowling", "The Casual Vacancy", "J. K. Rowling"),
            ("The Hobbit", "JRR Tolkien", "The Hobbit, or There and Back Again", "J. R. R. Tolkien"),
            ("The Hobbit", "Tolkien, J. R. R. (John Ronald Reuel), 1892-1973", "The Hobbit", "J.R.R. Tolkien"),
            ("Les Miserables", "Victor Hugo", "Les Misérables", "Victor Hugo"),
            ("Преступление и наказание", "Фёдор Достоевский", "Преступление и Наказание", "Федор Достоевский"),
            ("銀河鉄道の夜", "宮沢賢治", "銀河鉄道の夜", "宮沢賢治"), ("War and Peace", "Leo Tolstoy", "War & Peace", "Lev Tolstoy"),
            ("Good Omens", "Neil Gaiman, Terry Pratchett", "Good Omens", "Terry Pratchett"),
            ("Peste (La)", "Albert Camus", "La Peste", "Albert Camus"),
            ("Dune (and)", "Frank Herbert", "Dune (Volume)", "Frank Herbert"),
            ("A Wizard of Earthsea", "Le Guin, Ursula K.", "A Wizard of Earthsea", "Ursula K. Le Guin"),
            ("Kafka on the Shore", "Murakami Haruki", "Kafka on the Shore", "Haruki Murakami"),
            (
                "One Hundred Years of Solitude", "Gabriel Garcia Marquez", "One Hundred Years of Solitude",
                "Gabriel García Márquez"
            ),
            ("Sapiens: A Brief History of Humankind", "Yuval Noah Harari", "Sapiens", "Yuval N. Harari"),
            ("Emma", "Tolkien, Unknown; Austen, Jane", "Emma", "Jane Austen"),
            ("Missing You", "Harlan Coben", "Missing Υou", "Harlan Coben"),  // a Greek letter
            ("Broken Harbor", "Tana French", "Broken Harbour (Dublin Murder Squad, #4)", "Tana French"),
            ("The Island of Dr. Moreau", "H.G. Wells", "The Island of Doctor Moreau", "H. G. Wells"),
            (
                "Who Moved My Cheese?", "Spencer Johnson", "Who Moved My Cheese? An Amazing Way to Deal with Change",
                "Spencer Johnson"
            ),
            (
                "A People's History of the United States: 1492 - Present", "Howard Zinn",
                "A People's History of the United States", "Howard Zinn"
            ),
            ("Blue Team Field Manual (BTFM)", "Alan White", "Blue Team Field Manual", "Alan White"),
            ("The Three (The Three, #1)", "Sarah Lotz", "The Three", "Sarah Lotz"),
            (
                "The Restaurant at the End of the Universe (Hitchhiker's Guide, #2)", "Douglas Adams",
                "The Restaurant at the End of the Universe", "Douglas Adams"
            ),
            (
                "Grass for His Pillow", "Lian Hearn", "Grass for His Pillow: Tales of the Otori, Book 2", "Lian Hearn"
            ),
        ])
    func recognized(title: String, author: String, candidateTitle: String, candidateAuthor: String) throws {
        #expect(isVerified(verdict(title, author, [try work(candidateTitle, [candidateAuthor])])) == candidateTitle)
    }

    @Test(
        "a candidate that may be a different book is not verified",
        arguments: [
            ("Dune", "Frank Herbert", "Dune Messiah", "Frank Herbert"),
            ("Emma", "Jane Austen", "Persuasion", "Jane Austen"),
            (
                "Harry Potter and the Chamber of Secrets", "J.K. Rowling", "Harry Potter and the Goblet of Fire",
                "J. K. Rowling"
            ),
            ("Naruto, Vol. 1", "Masashi Kishimoto", "Naruto, Vol. 2", "Masashi Kishimoto"),
            ("It", "Stephen King", "It", "Alexa Chung"),
            ("Dune", "Frank Herbert", "Dune", "Brian Herbert"),
            ("Hamlet", "William Shakespeare", "Summary of Hamlet", "William Shakespeare"),
            ("Chapterhouse: Dune (Dune Chronicles #6)", "Frank Herbert", "Dune", "Frank Herbert"),
            ("Come Back, Amelia Bedelia", "Peggy Parish", "Amelia Bedelia (Amelia Bedelia #1)", "Peggy Parish"),
            ("Unbroken: A World War II Story of Survival", "L. Hillenbrand", "Unbroken: Book Two", "L. Hillenbrand"),
            ("The School of Life", "The School of Life", "Kluge Ideen: The School of Life", "The School of Life"),
            ("A Dictionary (German-English)", "Winfried Honig", "A Dictionary (English-German)", "Winfried Honig"),
            ("Dune", "Frank Herbert", "Dune (Dune Collection)", "Frank Herbert"),
            ("Richard III", "William Shakespeare", "Richard III (Folger Shakespeare Library)", "William Shakespeare"),
        ])
    func notTaken(title: String, author: String, candidateTitle: String, candidateAuthor: String) throws {
        #expect(isVerified(verdict(title, author, [try work(candidateTitle, [candidateAuthor])])) == nil)
    }

    @Test("the book itself is preferred to summaries, study guides and box sets")
    func derivatives() throws {
        let candidates = [
            try work("Summary of The Hunger Games", ["Suzanne Collins"]),
            try work("The Hunger Games Box Set", ["Suzanne Collins"]),
            try work("The Hunger Games", ["SparkNotes"], subtitle: "Study Guide"),
            try work("The Hunger Games", ["Suzanne Collins"]),
            try work("The Hunger Games / Catching Fire / Mockingjay", ["Suzanne Collins"]),
        ]
        guard case .verified(let match, _) = verdict("The Hunger Games", "Suzanne Collins", candidates) else {
            Issue.record("the book was not verified")
            return
        }
        #expect(match.candidate == candidates[3])
        #expect(
            isVerified(verdict("The Hunger Games Box Set", "Suzanne Collins", candidates)) == "The Hunger Games Box Set"
        )
    }

    @Test("a book with the same title by another author does not match, and is kept only as a candidate")
    func otherAuthor() throws {
        guard case .notFound(let candidates) = verdict("Legend", "Marie Lu", [try work("Legend", ["David Gemmell"])])
        else {
            Issue.record("a book by another author was accepted")
            return
        }
        #expect(candidates.map(\.candidate.title) == ["Legend"])
    }

    /// An imported row without an ISBN.
    private func row(_ title: String, subtitle: String? = nil, series: ImportedSeries? = nil) -> BookQuery {
        var book = ImportedBook(row: 1, lineNumber: 2, title: title, author: "Ann Author")
        (book.subtitle, book.series) = (subtitle, series)
        return BookQuery(title: book.lookupTitle, author: book.author)
    }

    @Test(
        "an imported row is never matched with another book of its series, and is matched with the book itself",
        arguments: [
            ("The Lord of the Rings", "The Two Towers", nil, "The Lord of the Rings", "The Two Towers"),
            ("Mistborn", "The Hero of Ages", nil, "Mistborn", "Mistborn: The Hero of Ages"),
            ("Maus", "And Here My Troubles Began", nil, "Maus", "Maus: And Here My Troubles Began"),
            ("Saga", nil, ImportedSeries(name: "Saga", position: "2"), "Saga", "Saga, Volume 2"),
        ] as [(String, String?, ImportedSeries?, String, String)])
    func importedVolumes(title: String, subtitle: String?, series: ImportedSeries?, sibling: String, book: String)
        throws
    {
        let query = row(title, subtitle: subtitle, series: series)
        let candidates = [try work(sibling, ["Ann Author"]), try work(book, ["Ann Author"])]
        #expect(isVerified(TitleMatch.best(for: query, among: candidates)) == book)
        guard case .notFound = TitleMatch.best(for: query, among: [candidates[0]]) else {
            Issue.record("another book of the series was accepted")
            return
        }
    }

    @Test(
        "an imported row whose subtitle describes the book is matched with a record that has no subtitle or another one",
        arguments: [
            ("Sapiens", "A Brief History of Humankind", "Sapiens"), ("Emma", "A Novel", "Emma"),
            ("Hillel the Elder", "The Emergence of Classical Judaism", "Hillel the Elder"),
            (
                "Why We Sleep", "Unlocking the Power of Sleep and Dreams",
                "Why We Sleep: The New Science of Sleep and Dreams"
            ),
        ])
    func importedSubtitles(title: String, subtitle: String, book: String) throws {
        let verdict = TitleMatch.best(for: row(title, subtitle: subtitle), among: [try work(book, ["Ann Author"])])
        #expect(isVerified(verdict) == book)
    }

    @Test(
        "an imported first volume or whole series that has the series' name is matched with a record without a number",
        arguments: ["1", "1-3"])
    func firstVolume(position: String) throws {
        let query = row("Dune", series: ImportedSeries(name: "Dune", position: position))
        #expect(isVerified(TitleMatch.best(for: query, among: [try work("Dune", ["Ann Author"])])) == "Dune")
    }

    @Test("brackets in a subtitle that the provider supplies separately count like those in a title")
    func bracketsInSubtitle() throws {
        let volume = try work("Berserk", ["Kentaro Miura"], subtitle: "Deluxe Edition (Volume 2)")
        #expect(isVerified(verdict("Berserk", "Kentaro Miura", [volume])) == nil)
        #expect(isVerified(verdict("Berserk: Deluxe Edition (Volume 2)", "Kentaro Miura", [volume])) == "Berserk")
    }

    @Test("at most three near matches are kept, with the best one first")
    func nearMisses() throws {
        let candidates = try ["Dune Messiah", "Dune House", "Dunes", "Dune Genesis", "Zebra"].map {
            try work($0, ["Nobody Else"])
        }
        guard case .notFound(let kept) = verdict("Dune", "Frank Herbert", candidates) else {
            Issue.record("a near match was accepted")
            return
        }
        #expect(kept.count == 3)
        #expect(kept.map(\.score) == kept.map(\.score).sorted(by: >))
    }

    @Test("a placeholder author never matches an author, and a row with such an author is judged by its title alone")
    func pseudoAuthors() throws {
        let byUnknown = try work("Beowulf", ["Unknown"])
        #expect(byUnknown.authors == [])
        #expect(isVerified(verdict("Beowulf", "Unknown", [byUnknown])) == "Beowulf")
        #expect(isVerified(verdict("Beowulf", "Seamus Heaney", [byUnknown])) == nil)
    }

    @Test("a title alone is not sufficient if two authors each wrote a book with that title")
    func ambiguousTitle() throws {
        let candidates = [try work("Legend", ["Marie Lu"]), try work("Legend", ["David Gemmell"])]
        guard case .needsReview = verdict("Legend", nil, candidates) else {
            Issue.record("the ambiguous title was not left for review")
            return
        }
        #expect(isVerified(verdict("Legend", "Marie Lu", candidates)) == "Legend")
    }

    @Test("a match with authors in different scripts is left for review")
    func differentScripts() throws {
        guard case .needsReview = verdict("Idiot", "Достоевский", [try work("Idiot", ["Fyodor Dostoyevsky"])]) else {
            Issue.record("the match was not left for review")
            return
        }
    }

    @Test(
        "a title with a long sequence of number words can be matched",
        arguments: ["hundred", "thousand", "twenty", "nineteen"])
    func endlessNumbers(word: String) throws {
        let title = Array(repeating: word, count: 80).joined(separator: " ")
        #expect(isVerified(verdict(title, "Frank Herbert", [try work(title, ["Frank Herbert"])])) == title)
    }

    @Test("a row without words in its title matches nothing", arguments: [nil, "", "…", "..."])
    func noTitle(title: String?) throws {
        let query = BookQuery(title: title, author: "Jane Austen")
        let book = try work("Emma", ["Jane Austen"])
        #expect(TitleMatch.best(for: query, among: [book]) == .notFound(candidates: []))
    }
}

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
        "a title that may be the series of the book named before it is not verified, in both directions",
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
        "a title after its series is verified, in both directions",
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
        "a volume of a spin-off is not verified as the volume with the same number, but the volume with its own title is",
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
    func translated(asked: String, author: String, original: String, catalogd: String) throws {
        #expect(isVerified(asked, author, try work(original, catalogd, edition: asked)))
        #expect(!isVerified(asked, author, try work(original, catalogd)))
    }

    @Test(
        "titles in different scripts are compared by their letters",
        arguments: [
            ("преступление И наказание", "Достоевский, Фёдор", "Преступление и наказание", "Федор Достоевский"),
            ("銀河鉄道の夜", "宮沢 賢治", "銀河鉄道の夜", "宮沢賢治"), ("채식주의자", "한강", "채식주의자", "한강"),
            ("Cien anos de soledad", "GARCIA MARQUEZ, Gabriel", "Cien años de soledad", "Gabriel García Márquez"),
            ("الأيام", "طه حسين", "الأيام", "طه حسين"), ("गोदान", "प्रेमचंद", "गोदान", "प्रेमचंद"),
        ])
    func scripts(asked: String, author: String, candidate: String, catalogd: String) throws {
        #expect(isVerified(asked, author, try work(candidate, catalogd)))
    }

    @Test("different books in the same script are not confused", arguments: [("銀河鉄道の夜", "銀河鉄道999"), ("Бесы", "Басни")])
    func otherTitle(asked: String, candidate: String) throws {
        #expect(!isVerified(asked, "宮沢賢治", try work(candidate, "宮沢賢治")))
    }
}
