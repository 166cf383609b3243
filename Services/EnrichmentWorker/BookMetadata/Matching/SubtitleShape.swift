/// The likely kind of a subtitle.
enum SubtitleShape: Hashable, Sendable {
    /// Describes the book: "A Brief History of Humankind".
    case descriptive
    /// Looks like the title of a book in a series: "Catching Fire".
    case title
    /// Could be either.
    case doubtful

    /// Subtitles that do not distinguish books.
    static let plain: Set<[String]> = [
        ["a", "novel"], ["novel"], ["roman"], ["a", "memoir"], ["ein", "roman"], ["eine", "roman"], ["novela"],
        ["una", "novela"], ["un", "roman"],
        ["роман"], ["повесть"], ["romanzo"], ["romance"], ["een", "roman"], ["powiesc"], ["regeny"], ["장편소설"], ["소설"],
        ["長編小説"],
        ["长篇小说"], ["उपन्यास"], ["a", "mystery"], ["a", "romance"], ["by"],
        ["a", "thriller"], ["thriller"], ["a", "novella"], ["novella"], ["true", "stories"], ["stories"], ["poems"],
        ["essays"], ["小説"], ["der", "roman"], ["le", "roman"], ["la", "novela"], ["il", "romanzo"], ["erzahlung"],
        ["eine", "erzahlung"],
        ["fiction"], ["novelle"], ["eine", "novelle"], ["recit"], ["racconto"], ["рассказ"],
    ]

    private static let beginnings = words(
        "a an on von vom how why what when where who whose which because being or and my your our their ein eine einer un une una uno wie warum was "
            + "como por comment pourquoi как почему что from inside notes toward towards including being featuring containing"
    )

    private static let connectors = words(
        "in for from about who that how why what your our my we you us is are was were not with without through between against as "
            + "im am fur uber aus mit zwischen wie ohne dans pour sur avec en para con sobre per в о об для как с")

    /// Nouns that describe a book on their own.
    private static let genres = words(
        "novel memoir memoirs stories tales biography autobiography essays poems letters diaries geschichten erzahlungen gedichte "
            + "biografie biographie memorias cuentos poemas racconti рассказы повести воспоминания")

    private static let nouns = words(
        "novel memoir memoirs story stories saga tale tales myths legends fables history biography autobiography life lives essays poems letters diary diaries "
            + "introduction guide handbook manual survey account study inquiry investigation exploration reflections lessons rules principles art "
            + "science psychology philosophy politics economics power secrets truth making rise fall origins search quest journey adventures "
            + "confessions conversations interviews notes dispatches writings works text essay meditation meditations thoughts recipes cookbook people women men "
            + "geschichte geschichten erzahlungen leben biografie biographie tagebuch gedichte histoire vie memoires recueil historia vida "
            + "memorias cuentos poemas storia vita racconti история жизнь рассказы повести повесть роман поэма воспоминания theory practice methods "
            + "portrait portraits memories reminiscences recollections impressions scenes profiles impact meaning role effects consequences causes evolution foundations importance logic structure anatomy emergence development benefits "
            + "pursuit approach thinking chronicle chronicles chronik chronique cronica cronaca хроника handbuch lehrbuch praxisbuch ratgeber einfuhrung grundlagen manuel manuale woman man autobiografie autobiografia"
    )

    /// Nouns that occur in titles as often as in descriptions: "The Rise of the Empire", "A Tale of Two Kitties".
    private static let ambiguous = words(
        "tale tales power secrets truth making rise fall origins search quest journey adventures people men women man woman life lives"
    )

    /// Nouns that describe a book only after an indefinite article: "A Leadership Fable", "A Comedy".
    private static let examples = words(
        "tale life woman man girl boy childhood fable legend parable bestiary adventure manual primer treatise manifesto romance anthology dialog "
            + "monograph portrait play comedy tragedy farce satire fantasy mystery thriller western ballad elegy critique journey odyssey "
            + "lyric antidote marchen dichtung sequel prequel tragicomic tragicomedy testament confession polemic whodunit bericht pastoral idyll drama epic trauerspiel lustspiel schauspiel tragodie komodie "
            + "testimony testimonial defense apology plea miscellany treasury almanac lexicon phantasmagoria rhapsody requiem ode burlesque extravaganza monologue "
            + "provocation celebration appreciation retrospective reappraisal reconstruction"
    )

    /// The nouns among ``examples`` that show a description even if other words follow, because titles in a series rarely contain them: "An Antidote
    /// to Chaos".
    private static let rareExamples = examples.subtracting(
        words("tale life woman man girl boy childhood romance journey legend mystery"))

    /// Words for a film: the book of a film has a different or additional text.
    private static let films: Set<String> = ["film", "movie"]

    private static let articles = words("a an ein eine un une una uno en een")

    /// Whether a subtitle certainly describes the book if only the candidate has it. A user who omits a subtitle may mean another book, so the
    /// subtitle must contain a noun or phrase that shows that it is a description.
    static func areSurelySubject(_ words: [String]) -> Bool {
        if words.contains(where: { Numeral.isNumber($0) && !Numeral.mayCountVolumes($0) }) { return true }
        if words.contains(where: { isCompound($0) || (nouns.contains($0) && !ambiguous.contains($0)) }) { return true }
        guard let first = words.first, let last = words.last else { return true }
        // "Inside the Doomsday Machine", "Being a Ghost Story"
        if ["inside", "being", "including", "why", "toward", "towards"].contains(first), words.count > 2 {
            return true
        }
        // "The Origins of Our Discontents", "Shackleton's Incredible Voyage"
        if words.dropFirst().contains(where: ["our", "your", "us"].contains) { return true }
        if words.count > 2, let last = words.last, first.hasSuffix("s"), spans.contains(last) { return true }
        if words.count > 2, let time = words.prefix(2).firstIndex(where: spans.contains), time == 0 || first == "a",
            placings.contains(words[time + 1])
        {
            return true
        }
        // "My Month of Madness", "Your Journey to Mastery", "A Romance in Five Acts"
        if (possessives.contains(first) && words.contains(where: ["of", "to", "through"].contains))
            || acts.contains(last)
        {
            return true
        }
        return articles.contains(first)
            && (examples.contains(last) || words[1...].contains(where: rareExamples.contains) || isTale(words))
    }

    /// Nouns for a time or a journey that a book describes: "Life on a Farm", "A Year in Provence", "Shackleton's Incredible Voyage".
    private static let spans: Set<String> = [
        "life", "lives", "year", "season", "lifetime", "decade", "journey", "voyage", "walk",
    ]
    private static let placings: Set<String> = [
        "in", "on", "at", "with", "among", "through", "across", "under", "along", "around",
    ]
    private static let possessives: Set<String> = ["my", "our", "your", "their", "his", "her", "its"]
    private static let acts: Set<String> = [
        "acts", "akten", "aufzugen", "actes", "actos", "atti", "akter", "bedrijven",
    ]

    /// Whether a subtitle may belong to a play adapted from a novel: "A Mystery Play in Three Acts".
    private static func isPlayOfNovel(_ words: [String]) -> Bool {
        if words.count > 2, words.last == "play" { return true }
        guard let index = words.firstIndex(of: "play"), index > 0, let last = words.last, acts.contains(last) else {
            return false
        }
        return novelKinds.contains(words[index - 1])
    }

    private static let novelKinds: Set<String> = ["mystery", "detective", "thriller", "horror", "crime"]

    /// Whether a subtitle that begins with an article names a kind of story and its subject: "A Tale of the Seaboard", "A Romance of Exmoor". A
    /// subtitle with a number does not count, because it may play on a title: "A Tale of Two Kitties".
    private static func isTale(_ words: [String]) -> Bool {
        guard !words.contains(where: Numeral.isNumber),
            let index = words.prefix(3).firstIndex(where: { tales.contains($0) }), index + 2 < words.count
        else { return false }
        return ["of", "from", "von", "aus", "de", "di"].contains(words[index + 1])
    }

    private static let tales = examples.subtracting(words("life woman man girl boy childhood")).union(
        words("story saga chronicle idyll sketch"))

    /// Judges a subtitle, more strictly if only the candidate has it (``areSurelySubject(_:)``).
    ///
    /// - Parameter side: The title that has the subtitle.
    init(_ words: some Sequence<String>, onlyOf side: MatchEvidence.Side = .asked) {
        let words = Array(words)
        guard let first = words.first else {
            self = .descriptive
            return
        }
        let telling = words.filter { !TitleWords.isFiller($0) }
        if Self.additions.contains(first), words.count > 1, !Self.others.contains(words[1]) {
            // "And Here My Troubles Began" is another title; "And Other Clinical Tales" names further contents of the same book.
            self = .title
        } else if Self.beginnings.contains(first) || words.contains(where: Self.connectors.contains)
            || Self.areSubject(telling, of: words)
        {
            self = .descriptive
        } else if first.hasSuffix("ing"), telling.count == 2, words.count > 2, TitleWords.isFiller(words[1]) {
            // "Holding the Vision" describes a book; "Catching Fire" is a title.
            self = side == .asked ? .descriptive : .doubtful
        } else if NumberComparison.withoutVolume(telling).count <= 2 || first.utf8.first.map({ $0 >= 0xE3 }) == true {
            self = .title
        } else {
            self = NumberComparison.withoutVolume(telling).count == 3 ? .doubtful : .descriptive
        }
        guard self == .descriptive, side == .candidate else { return }
        if words.contains(where: Self.films.contains) || Self.isPlayOfNovel(words) {
            self = .doubtful
            return
        }
        if Self.areSurelySubject(words) { return }
        let bare = telling.filter { word in
            !Self.articles.contains(word) && !Self.beginnings.contains(word) && !Self.connectors.contains(word)
                && !Numeral.isNumber(word)
        }
        if bare.count <= 2 { self = .doubtful }
    }

    private static let additions = words("and und et y")
    private static let others = words("other andere autres otros otras")

    /// Whether a subtitle begins like that of an additional volume: "More Tales of the Wonder Club".
    static func goesOn(_ words: [String]) -> Bool { words.first.map(continuations.contains) == true }

    private static let continuations = additionsToVolumes.union(
        words("new neues neue nouveaux nouvelles nouveau nuevas nuevos nuovi nuove новые"))

    /// Whether a title begins like that of an additional volume, such as "More Tales of the City"; "new" does not count, because it may mean a new
    /// edition.
    static func addsVolume(_ words: [String]) -> Bool { words.first.map(additionsToVolumes.contains) == true }

    private static let additionsToVolumes = words(
        "more further another again still also noch mehr weitere encore mas otros altri altre ancora еще")

    /// Whether a word only indicates that a book is a novel.
    static func isNovel(_ word: String) -> Bool { novels.contains(word) }

    private static let novels = words("novel roman romanzo novela роман روایه رمان")

    /// Whether words are an indefinite article and a single word: "A Nightmare".
    static func isExample(_ words: [String]) -> Bool {
        words.count == 2 && articles.contains(words[0])
    }

    /// Whether at least two words follow "of", and none of them is an article or other filler: "The Fates of Human Societies", but not "The Voyage of
    /// the Dawn Treader".
    static func isSubject(_ words: [String]) -> Bool {
        guard let index = words.firstIndex(where: { $0 == "of" || $0 == "von" }), index + 2 < words.count else {
            return false
        }
        return !words[(index + 1)...].contains { TitleWords.isFiller($0) }
    }

    /// Whether the word names a form of writing: "Poems", "Lectures".
    static func isForm(_ word: String) -> Bool { genres.contains(word) || forms.contains(word) }

    /// Whether a word is a German compound that ends with a form of writing: "Kriminalroman", "Reisebericht".
    private static func isCompound(_ word: String) -> Bool {
        guard let form = compounds.first(where: word.hasSuffix) else { return false }
        return word.utf8.count > form.utf8.count + 2
    }

    private static let compounds = [
        "roman", "geschichte", "geschichten", "erzahlung", "erzahlungen", "marchen", "gedichte", "bericht", "tagebuch",
        "komodie", "tragodie",
    ]

    private static let forms = words(
        "verses lyrics sonnets sketches lectures sermons plays comedies tragedies dramas papers writings works fables sagen lieder novellen "
            + "dramen tragodie trauerspiel lustspiel komodie versek novellak elbeszelesek runoja runot kertomuksia dikter noveller berattelser digte poesias poesie poesies contes "
            + "nouvelles novelle stihi стихи стихотворения сказки пьесы ποιηματα διηγηματα")

    /// Whether a word names a kind of story or book, so that "of" and a title after it do not indicate another book: "The Strange Case of", "The
    /// Legend of".
    static func isStory(_ word: String) -> Bool {
        tales.contains(word) || word == "case" || isForm(word) || (nouns.contains(word) && !pursuits.contains(word))
    }

    private static let pursuits = words("power secrets truth making rise fall origins search quest journey art pursuit")

    /// Whether words are an uninformative phrase; one of two words may be followed by numbers: "A Novel 1-3".
    static func beginsPlainly(_ words: [String]) -> Bool {
        plain.contains(Array(words.prefix(2))) && words.dropFirst(2).allSatisfy(Numeral.isNumber)
    }

    /// Whether each of a title's subtitles certainly describes the book or is uninformative.
    static func isSure(_ title: TitleForms) -> Bool {
        title.parts.dropFirst().allSatisfy { plain.contains($0) || areSurelySubject($0) }
    }

    /// Whether words are only a general description that other books may also have: "The Story of a Life".
    static func describes(_ words: [String]) -> Bool {
        words.allSatisfy { nouns.contains($0) || isForm($0) || !TitleWords.tells($0) }
    }

    /// Whether words count the contents of a book: "Eight Stories", "101 Short Poems".
    static func isContents(_ words: [String]) -> Bool {
        guard let first = words.first, let last = words.last, (2...3).contains(words.count) else { return false }
        return Numeral.isNumber(first) && contents.contains(last)
    }

    private static let contents = words(
        "stories tales poems essays recipes lessons letters sermons geschichten erzahlungen gedichte cuentos poemas recettes racconti poesie "
            + "рассказов рассказа стихотворении")

    /// Whether words are a date: "August 27, 1883".
    static func isDate(_ words: [String]) -> Bool {
        words.contains { Numeral.isNumber($0) && $0.utf8.count == 4 } && words.contains(where: months.contains)
            && words.allSatisfy { Numeral.isNumber($0) || months.contains($0) }
    }

    private static let months = words(
        "january february march april may june july august september october november december")

    /// Whether the words after a subtitle continue its description.
    static func continues(_ rest: [String]) -> Bool {
        guard let first = rest.first else { return true }
        return ["of", "by", "including", "featuring", "covering", "containing"].contains(first)
            || connectors.contains(first)
    }

    /// The least descriptive shape among a title's subtitles.
    static func leastDescriptive(_ title: TitleForms, onlyOf side: MatchEvidence.Side) -> SubtitleShape {
        var subtitles = title.parts.dropFirst().filter { !plain.contains($0) }
        // "How It Can Help You Find - and Keep - Love" is one subtitle.
        if let first = subtitles.first, first.count > 6, SubtitleShape(first, onlyOf: side) == .descriptive {
            subtitles = [first]
        }
        let shapes = subtitles.enumerated().map { index, words in
            // An "and" after a dash continues the same subtitle.
            SubtitleShape(index > 0 ? words.drop { additions.contains($0) } : words[...], onlyOf: side)
        }
        return shapes.contains(.title) ? .title : (shapes.contains(.doubtful) ? .doubtful : .descriptive)
    }

    /// Whether words describe the subject of a book. One or two words, counting articles, may be a title instead ("Secret History"), unless they are
    /// a form of writing ("Memoirs", "Selected Essays") or contain a compound ("Kriminalroman") or a year.
    private static func areSubject(_ telling: [String], of words: [String]) -> Bool {
        if telling.contains(where: { Numeral.isNumber($0) && !Numeral.mayCountVolumes($0) }) { return true }
        if telling.contains(where: isCompound) { return true }
        guard telling.contains(where: nouns.contains) else { return false }
        // "Selected Essays"
        if words.count == 2, ["selected", "collected", "short"].contains(words[0]), isForm(words[1]) { return true }
        return words.count > 2 || (words.count == 1 && genres.contains(words[0]))
    }

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
}
