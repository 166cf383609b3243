/// Words that describe how, and in which series, a book is printed and sold; they do not distinguish books.
enum PrintingWords {
    /// Words that may precede "edition" at the end of a title.
    private static let printings = set(
        "deluxe special anniversary collectors collector limited illustrated revised updated expanded enhanced reprint kindle ebook final global digital bicentennial jubilee facsimile "
            + "paperback hardcover international uk us new definitive centenary centennial rev and uberarbeitete erweiterte neue"
    )

    /// Whether a word may describe a printing: "complete", "revised", "paperback".
    static func isPrinting(_ word: String) -> Bool {
        printings.contains(word) || word == "complete" || word == "official"
    }

    private static let editionNames: Set<String> = ["edition", "ed", "auflage", "издание"]

    /// A title without a trailing edition: "Learning Python, 5th Edition", "On Writing Well, 25th Anniversary".
    static func withoutEdition(_ words: [String]) -> [String] {
        guard words.count > 2, let last = words.last, editionNames.contains(last) || printings.contains(last) else {
            return words
        }
        let end = words.indices.last { !editionNames.contains(words[$0]) && !isOfEdition(words, $0) } ?? 0
        let tail = words[(end + 1)...]
        guard tail.count > 1 else { return words }
        let isAnniversary = last == "anniversary" && Numeral.isNumber(words[words.count - 2])
        return isAnniversary || tail.contains(where: editionNames.contains) || nameAdditions(Array(tail))
            ? Array(words[...end]) : words
    }

    /// The trailing edition of a title, which ``withoutEdition(_:)`` removes.
    static func edition(_ words: [String]) -> ArraySlice<String> { words.dropFirst(withoutEdition(words).count) }

    /// A title without a final "complete", which only distinguishes a whole book from its volumes: "Eve's Diary, Complete".
    /// "Essays, Complete" is a collection.
    static func withoutComplete(_ words: [String]) -> [String] {
        guard words.count > 2, words.last == "complete", !words.contains(where: SubtitleShape.isForm) else {
            return words
        }
        return Array(words.dropLast())
    }

    private static let tieIns: Set<String> = ["tie", "in", "tiein", "movie", "film", "tv", "musical", "media"]

    /// Whether the word at an index belongs to the name of an edition; the number in "Year One Deluxe Edition" does not belong to it.
    private static func isOfEdition(_ words: [String], _ index: Int) -> Bool {
        let word = words[index]
        guard Numeral.isNumber(word) else { return printings.contains(word) || tieIns.contains(word) }
        return Numeral.mayCountVolumes(word) && index + 1 < words.count
            && !unnumberedPrintings.contains(words[index + 1])
    }

    /// Printings that are not numbered.
    private static let unnumberedPrintings: Set<String> = [
        "deluxe", "special", "collectors", "collector", "limited", "definitive",
    ]

    /// Words without a numbered edition, as in "3rd Edition, Vol. 5".
    static func withoutCountedEdition(_ words: [String]) -> [String] {
        guard words.count > 2,
            let index = words.indices.dropLast().first(where: {
                Numeral.isNumber(words[$0]) && editionNames.contains(words[$0 + 1])
            })
        else { return words }
        return Array(words[..<index] + words[(index + 2)...])
    }

    /// Whether words only describe how a book is printed and sold: "25th Anniversary Edition", "Penguin Classics".
    static func areNeutral(_ words: [String]) -> Bool {
        words.indices.allSatisfy { index in
            let word = words[index]
            if packaging.contains(word) || imprints.contains(word) { return true }
            guard Numeral.isNumber(word) else { return false }
            if word.utf8.count == 4 { return true }
            return index + 1 < words.count
                && (words[index + 1] == "edition" || words[index + 1] == "anniversary" || words[index + 1] == "ed")
        }
    }

    /// The words, other than numbers and volume words, that do not describe how a book is printed and sold; none for a tie-in.
    static func unfamiliar(_ words: [String]) -> [String] {
        // "(Theatrical Tie-in)"
        if words.last == "tiein" || words.suffix(2) == ["tie", "in"] { return [] }
        return words.filter {
            !packaging.contains($0) && !imprints.contains($0) && !Numeral.isNumber($0)
                && !Numeral.isVolumeWord($0)
        }
    }

    /// Whether words name a contributor to an edition or the additions to its text: "Translated by Emily Wilson", "Revised and Updated, with New
    /// Chapters".
    static func nameAdditions(_ given: [String]) -> Bool {
        let words = given.drop(while: {
            TitleWords.isFiller($0) || packaging.contains($0) && !additions.contains($0) && !revisions.contains($0)
        })
        guard words.count > 2, let first = words.first, let next = words.dropFirst().first else { return false }
        if additions.contains(first) { return ["by", "von", "par", "por", "de", "di"].contains(next) }
        if first == "revised", next == "by" { return true }
        return revisions.contains(first) && next == "and" && revisions.contains(words[words.startIndex + 2])
    }

    private static let additions = set(
        "translated translation introduction introduced foreword preface afterword illustrated illustrations edited narrated ubersetzt traduit traduction "
            + "traducido traduccion tradotto vertaald")
    private static let revisions = set(
        "revised updated expanded enlarged improved corrected augmented uberarbeitete erweiterte")

    /// Whether words are promotional text from a cover: "The International Bestseller", "Now a Major Motion Picture".
    static func isBlurb(_ words: [String]) -> Bool {
        guard EditionWords.read(words).isEmpty else { return false }
        if words.contains(where: blurbs.contains) { return true }
        return zip(words, words.dropFirst()).contains { pair in
            [
                "motion picture", "prize winning", "award winning", "bestselling author", "bestselling novel",
                "book club", "netflix series", "tv series",
                "bbc series",
            ].contains(
                "\(pair.0) \(pair.1)")
        }
    }

    private static let blurbs: Set<String> = [
        "bestseller", "bestsellers", "shortlisted", "longlisted", "unputdownable",
    ]

    /// Whether a part of a title only describes the printing and says so with a noun such as "edition" or "paperback".
    static func arePackaging(_ words: [String]) -> Bool {
        areNeutral(words) && words.contains(where: editionNouns.contains)
            && !zip(words, words.dropFirst()).contains { editionNames.contains($0) && $1 == "of" }
    }

    /// Whether words give an edition its own name: "The V-Day Edition".
    static func nameEdition(_ words: [String]) -> Bool {
        guard let index = words.firstIndex(where: editionNames.contains),
            !words[index...].dropFirst().contains(where: TitleWords.tells)
        else { return false }
        let name = words[..<index].filter(TitleWords.tells)
        return (1...2).contains(name.count) && unfamiliar(name) == name
    }

    /// Nouns for the size of a series, at the end of its name: "Black Jewels Trilogy".
    static let seriesSizes = set("duology trilogy tetralogy quartet quintet trilogie trilogia трилогия")

    /// Whether words name a series of a publisher, bookseller or author, without a volume number: "Vintage Crime", "African Writers Series".
    ///
    /// Words before a binding usually do, because only booksellers add a binding to the name of a series: "Red Dress Ink (Paperback)".
    static func nameSeries(_ given: [String]) -> Bool {
        let words = withoutBinding(given)
        let isBound = words.count < given.count
        guard words.count > (isBound ? 0 : 1), let first = words.first(where: { !TitleWords.isFiller($0) }),
            let last = words.last
        else {
            return false
        }
        let isCounted = words.indices.contains { index in
            Numeral.isNumber(words[index]) && Numeral.mayCountVolumes(words[index])
                && !(index + 1 < words.count && words[index + 1] == "century")
        }
        let isOfSeries = ["a", "an"].contains(words[0]) && words.count > 2 && membersOfSeries.contains(last)
        return !isCounted
            && (isOfSeries || (isBound && !retellings.contains(last)) || publishers.contains(first)
                || collections.contains(first)
                || endsSeries(last) || words.dropFirst().contains("series"))
    }

    /// Nouns that, after "a" or "an" and a name, only indicate the book's series: "A Toltec Wisdom Book".
    private static let membersOfSeries: Set<String> = [
        "book", "novel", "mystery", "thriller", "adventure", "romance", "story",
    ]

    /// The name of a series before the binding: "Jack Ryan Novels (Paperback)".
    static func withoutBinding(_ words: [String]) -> [String] {
        guard let last = words.last, bindings.contains(last), words.count > 1 else { return words }
        return Array(words.dropLast())
    }

    /// Nouns that end the names of series of retellings or easy readers as well as of complete texts.
    private static let retellings: Set<String> = ["classics", "classic", "library", "readers", "reader"]

    private static let bindings: Set<String> = [
        "paperback", "hardcover", "hardback", "softcover", "paper", "pbk", "paperbacks", "paperbook", "paperbooks",
    ]

    /// Nouns at the start of series names in Romance languages: "Collection Folio".
    private static let collections: Set<String> = ["collection", "coleccion", "colecao", "collana"]

    /// Whether series names may end with the word.
    static func endsSeries(_ word: String) -> Bool { seriesEnds.contains(word) || seriesSizes.contains(word) }

    /// Names at the start of publishers' series.
    private static let publishers = set(
        "penguin puffin vintage oxford signet bantam dover wordsworth everyman everymans norton harper harpercollins perennial faber "
            + "picador virago barnes collins macmillan popular gollancz tor bloomsbury mariner ballantine ace orbit plume scribner knopf "
            + "hachette cambridge canto daw dell avon berkley fawcett scholastic aladdin yearling pocket grove abacus arrow corgi pan "
            + "pantheon methuen heinemann longman routledge washington modern reclam fischer suhrkamp diogenes insel rororo dtv piper goldmann heyne "
            + "turtleback laurel delta apple harlequin silhouette tyndale zondervan zebra jove leisure spectra touchstone warner hyperion harcourt houghton "
            + "doubleday roc baen hodder coronet headline quercus canongate granta verso sunburst bison alma pushkin hesperus europa maclehose harvill weidenfeld sceptre chatto hutchinson "
            + "ullstein gallimard flammarion alianza austral catedra adelphi einaudi mondadori эксмо аст азбука")

    /// Nouns at the end of series names; "S." is a bookseller's abbreviation for "Series". "Classics" and "Library" are not included: they just as
    /// often end the names of retellings and easy readers, so they require a publisher's name.
    private static let seriesEnds = set(
        "series s saga cycle chronicle chronicles sequence novels books editions fiction circle club universe mysteries adventures reihe serie collana "
            + "coleccion серия 叢書")

    private static let editionNouns = set(
        "edition editions anniversary print sonderausgabe bolsillo poche unabridged hardcover hardback paperback audiobook kindle ebook tie tiein ausgabe edicion edizione edicao translation uncut "
            + "taschenbuch издание")

    private static let packaging = set(
        "edition editions ed paper pbk tm r final global digital bicentennial jubilee golden silver platinum diamond premium facsimile audible copy preferred remastered heirloom keepsake compact deluxe special anniversary collectors collector limited illustrated revised updated expanded enhanced "
            + "reprint reissue reissued rereleased hardcover hardback paperback softcover kindle ebook epub audiobook audio cd mp3 unabridged "
            + "complete and unabridged rom dvd rack large print mass market pocket international uk us usa american british export movie film tv tie in tiein "
            + "media cover signed novel a an the of with new definitive authoritative original restored text uncut version leather bound "
            + "leatherbound library binding sprayed edges exclusive barnes noble target waterstones foil gift standard trade "
            + "english german french spanish italian russian japanese chinese portuguese dutch polish hebrew korean arabic swedish danish "
            + "norwegian finnish turkish greek latin hindi language translation translated deutsch deutsche francais espanol italiano "
            + "oprah oprahs reese reeses club selection winner winners finalist shortlist shortlisted longlist longlisted nominee honor prize award awards caldecott pulitzer booker nebula hugo bestseller bestselling national integral integrale 上下 上中下 "
            + "conmemorativa aniversario del cincuentenario centenario revisada ampliada edicao edizione ediz edition editie wydanie kiadas baski utgave udgave upplaga "
            + "collected poems poetry drama उपन्यास 장편소설 소설 長編小説 长篇小说 "
            + "ausgabe sonderausgabe jubilaumsausgabe taschenbuch gebunden gebundene neuausgabe illustrierte auflage roman edicion especial "
            + "bolsillo tapa blanda dura ilustrada nouvelle poche grand format illustre broche издание подарочное роман мягкая обложка "
            + "文庫 文庫版 新版 新装版 愛蔵版 新潮文庫 角川文庫 岩波文庫 講談社文庫 精装 平装 典藏版 修订版")

    private static let imprints = set(
        "penguin puffin vintage oxford review hbj worlds world modern signet bantam dover thrift wordsworth everyman everymans norton harper "
            + "harpercollins harperperennial harperteen perennial faber picador virago nyrb york barnes noble collins macmillan popular twentieth 20 century gollancz sf "
            + "masterworks fantasy tor essentials press bloomsbury mariner bantam ballantine del rey ace orbit anchor "
            + "trophy laurel leaf yearling evergreen jellybean thorndike shambhala riverhead minotaur classics classic library books book contemporaries contemporary color plume harvest newbery medal fiction repr scribner simon schuster random house knopf hachette cambridge mit university canto reclam "
            + "fischer suhrkamp diogenes insel rororo dtv piper goldmann heyne ullstein folio gallimard livre jai j ai lu catedra letras "
            + "hispanicas alianza austral debolsillo adelphi einaudi mondadori эксмо аст азбука классика clothbound canons"
    )

    private static func set(_ words: String) -> Set<String> { Set(words.split(separator: " ").map(String.init)) }
}
