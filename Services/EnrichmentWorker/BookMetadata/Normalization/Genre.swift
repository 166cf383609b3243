import BookstrackContract

extension Genre {
    /// Genres by the folded words of a subject. Only whole subjects count: "History of science" belongs to neither `History` nor `Science`.
    static let synonyms: [String: [Genre]] = {
        var synonyms: [String: [Genre]] = [:]
        for genre in allCases { synonyms[MatchKey.phrase(genre.rawValue)] = [genre] }
        for (genres, names) in otherNames {
            for name in names { synonyms[name] = genres }
        }
        return synonyms
    }()

    /// The genres for a whole subject; nil if it stands for none.
    static func named(_ subject: Substring) -> [Genre]? { synonyms[MatchKey.phrase(String(subject))] }

    /// Whether folded words denote a genre only on their own, at the start of a heading, or after a kind of fiction: "Fiction / Historical" is
    /// historical fiction, "Biography / Historical" is not.
    static func isAdjective(_ words: String) -> Bool { adjectives.contains(words) }

    private static let adjectives: Set<String> = ["historical", "literary", "children", "children s"]

    /// Whether the genre is a kind of fiction, which the further parts of a heading subdivide.
    var isFiction: Bool {
        switch self {
        case .fiction, .scienceFiction, .fantasy, .mystery, .thriller, .romance, .horror, .literaryFiction,
            .historicalFiction, .contemporary, .dystopian, .graphicNovels:
            true
        case .biography, .history, .science, .philosophy, .selfHelp, .business, .trueCrime, .youngAdult, .childrens,
            .middleGrade, .classics, .poetry:
            false
        }
    }

    /// Whether a subject that begins with these words and a comma is a BISAC heading as Open Library prints it: "Fiction, fantasy, general".
    static func isBISACHead(_ head: Substring) -> Bool { bisacHeads.contains(head.lowercased()) }

    private static let bisacHeads: Set<String> = [
        "fiction", "juvenile fiction", "juvenile nonfiction", "young adult fiction", "young adult nonfiction",
    ]

    private static let otherNames: [([Genre], [String])] = [
        (
            [.scienceFiction, .fantasy],
            ["science fiction and fantasy", "fantasy and science fiction", "sci fi and fantasy"]
        ),
        ([.scienceFiction], ["sci fi", "scifi", "sf", "science fiction fiction"]),
        ([.fantasy], ["fantasy fiction", "fiction fantasy", "epic fantasy", "fantasy and magic"]),
        (
            [.mystery],
            [
                "mysteries", "mystery fiction", "mystery and detective", "mystery and detective stories",
                "detective and mystery stories", "detective and mystery fiction", "detective stories",
                "detective fiction",
            ]
        ),
        (
            [.thriller],
            ["thrillers", "suspense", "suspense fiction", "thrillers and suspense"]
        ),
        ([.mystery, .thriller], ["mystery thriller and suspense", "mystery and thriller", "mystery and suspense"]),
        ([.romance], ["romance fiction", "love stories", "romances", "romance literature", "contemporary romance"]),
        ([.horror], ["horror fiction", "horror tales", "horror stories", "ghost stories and horror"]),
        ([.literaryFiction], ["literary"]),
        ([.historicalFiction], ["historical", "fiction historical"]),
        (
            [.biography],
            [
                "biographies", "biography and autobiography", "biography autobiography", "autobiography",
                "autobiographies", "biographies and memoirs", "memoir", "memoirs",
            ]
        ),
        ([.science], ["sciences", "popular science", "science and nature"]),
        ([.selfHelp], ["self help techniques", "self improvement"]),
        ([.business], ["business and economics", "business economics", "business and money"]),
        (
            [.youngAdult],
            ["teen", "teens", "ya", "young adult literature", "young adult nonfiction", "teen and young adult"]
        ),
        ([.youngAdult, .fiction], ["young adult fiction", "teen fiction"]),
        (
            [.childrens],
            [
                "children", "children s", "childrens books", "childrens literature", "juvenile literature", "childrens",
                "juvenile nonfiction", "childrens stories", "children s stories", "children s literature",
                "children s books", "juvenile works",
            ]
        ),
        (
            [.childrens, .fiction],
            ["juvenile fiction", "childrens fiction", "children s fiction", "children s stories fiction"]
        ),
        ([.middleGrade], ["middle grade fiction", "middle grade books"]),
        ([.classics], ["classic", "classic literature", "classic fiction", "literary classics"]),
        ([.contemporary], ["contemporary fiction", "contemporary women"]),
        (
            [.graphicNovels],
            [
                "graphic novel", "comics and graphic novels", "comics graphic novels", "comic books strips etc",
                "comics", "manga",
            ]
        ),
        ([.poetry], ["poems", "poetry poems"]),
        ([.dystopian], ["dystopia", "dystopias", "dystopian fiction", "dystopian literature"]),
        ([.fiction], ["fiction general", "general fiction", "novel", "novels", "literature and fiction"]),
    ]
}
