/// The kinds of records that are not exactly the book itself: works about or derived from it, other forms of it, several books, or a part of it.
struct EditionKinds: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// A work about the book: summary, study guide, companion, journal.
    static let guide = EditionKinds(rawValue: 1)
    /// Several books in one: box set, omnibus, complete series.
    static let collection = EditionKinds(rawValue: 2)
    /// Another form, or a work derived from the book: graphic novel, screenplay, retelling, sequel.
    static let adaptation = EditionKinds(rawValue: 4)
    /// The same book, shortened or simplified.
    static let abridgement = EditionKinds(rawValue: 8)
    /// The same book for children.
    static let youngReaders = EditionKinds(rawValue: 16)
    /// A part of the book: part m of n, or an excerpt.
    static let part = EditionKinds(rawValue: 32)
    /// The same text with substantial additions: annotated, bilingual.
    static let annotated = EditionKinds(rawValue: 64)

    /// The kinds that make a record a different book; the other kinds only leave a doubt.
    static let otherBooks: EditionKinds = [.guide, .collection, .adaptation]

    var names: [String] {
        let all: [(EditionKinds, String)] = [
            (.guide, "a guide"), (.collection, "a collection"), (.adaptation, "an adaptation"),
            (.abridgement, "an abridgment"),
            (.youngReaders, "an edition for young readers"), (.part, "a part"), (.annotated, "an annotated edition"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

/// The phrases that indicate ``EditionKinds``, in the languages of the catalogs.
enum EditionWords {
    /// Phrases of folded words by their first word; `words` are those after it.
    private static let phrases: [String: [(words: ArraySlice<String>, kind: EditionKinds)]] = {
        var phrases: [String: [(words: ArraySlice<String>, kind: EditionKinds)]] = [:]
        for (kind, text) in vocabulary {
            for phrase in text.split(separator: ",") {
                let words = phrase.split(separator: " ").map(String.init)
                phrases[words[0], default: []].append((words.dropFirst(), kind))
            }
        }
        return phrases
    }()

    private static let vocabulary: [(EditionKinds, String)] = [
        (
            .guide,
            "summary,summaries,study guide,pocket guide,guide,guides,sparknotes,spark notes,cliffsnotes,cliffs notes,cliff notes,litchart,"
                + "litcharts,york notes,notes,analysis,workbook,work book,conversation starters,companion,companions,teachers,teacher edition,instructors edition,lesson plan,"
                + "lesson plans,reading group,discussion questions,trivia,quiz,quizzes,coloring,notebook,critical essays,"
                + "essays on,book review,review of,sketchbook,journal,guided journal,planner,diary planner,calendar,cookbook,"
                + "sticker book,activity book,playbook companion,study,studies,commentary,criticism,interpretation,"
                + "interpretations,handbook to,reference,encyclopedia,making of,for beginners,for dummies,explained,revisited,music from,unofficial,unauthorized,"
                + "unauthorised,parody,key takeaways,takeaways,insights from,instaread,blinkist,supersummary,bookrags,gradesaver,"
                + "quicklet,shmoop,maxnotes,passnotes,critical insights,critical companion,critical interpretations,critical perspectives,"
                + "casebook,approaches to teaching,readings on,understanding,reading guide,crossword,word search,colorir,"
                + "zusammenfassung,lekturehilfe,lektureschlussel,erlauterungen,arbeitsheft,lehrerheft,unterrichtsmaterial,interpretationen,konigs,"
                + "resume,fiche de lecture,profil dune oeuvre,cahier,guia,guia de lectura,resumen,cuaderno,analisis,analyse,etude,etudes,riassunto,"
                + "guida,quaderno,resumo,краткое содержание,краткое изложение,в кратком изложении,opracowanie,streszczenie,lektura z opracowaniem,tutmutato,samenvatting,uittreksel,sammanfattning,ozet,"
                + "postscript to,postille,nachschrift,apostillas,apostille,рабочая тетрадь,путеводитель,комментарии,анализ"
        ),
        (
            .collection,
            "box set,dual edition,double edition,boxset,boxedset,book set,books set,gift set,slipcase,slipcased,set of,bundle,omnibus,collection set,"
                + "paperback set,hardcover set,hardback set,complete collection,complete set,complete series,complete trilogy,"
                + "complete saga,complete novels,complete stories,complete books,complete works,complete chronicles,complete quartet,"
                + "complete edition,entire series,collected works,collected novels,series set,trilogy set,"
                + "and other stories,and other tales,and other plays,and other writings,and other works,and other poems,and other essays,"
                + "2 novels,3 novels,4 novels,5 novels,6 novels,2 plays,3 plays,4 plays,5 plays,2 complete,3 complete,"
                + "trilogy,duology,tetralogy,compendium,quartet,quintet,series collection,book collection,ebook collection,"
                + "2 in 1,3 in 1,4 in 1,2 book,3 book,4 book,5 book,6 book,7 book,book 1 2,"
                + "oeuvres completes,samtliche werke,полное собрание,schuber,sammelband,gesamtausgabe,gesammelte werke,trilogie,coffret,integrale,lintegrale,estuche,"
                + "obras completas,trilogia,cofanetto,opere complete,собрание сочинении,комплект,трилогия,全巻,全集,セット,"
                + "全巻セット,套装"
        ),
        (
            .adaptation,
            "graphic novel,graphic novels,graphics,graphic adaptation,graphic history,manga,comic,comics,webtoon,bande dessinee,screenplay,screenplays,script,scripts,shooting script,"
                + "playtext,playscript,playscripts,the play,a play,stage play,the musical,a musical,libretto,babylit,counting primer,alphabet book,opera,movie novelization,novelization,"
                + "classics illustrated,illustrated classics,classic starts,stepping stone,picture classics,"
                + "adaptation,adapted,dramatization,dramatized,dramatised,radio play,radio drama,audio drama,full cast,retelling,"
                + "retold,board book,board books,picture book,picture books,storybook,pop up,junior novelization,junior novel,sequel,prequel,fan fiction,"
                + "short story,novella,vocal score,piano,songbook,soundtrack,vocal selections,horspiel,comicadaption,"
                + "novela grafica,roman graphique,adaptacion,romanzo a fumetti,fumetto,комикс,сценарии,пьеса,漫画,漫画版,まんが"
        ),
        (
            .abridgement,
            "abridged,abridgement,abridgment,condensed,simplified,readers digest,graded reader,graded readers,easy reader,"
                + "penguin readers,macmillan readers,guided reader,guided readers,ladybird,little golden,childrens thrift classics,pacemaker,saddleback,oxford bookworms,bookworms library,level 1,level 2,level 3,level 4,level 5,"
                + "level 6,young reading,usborne,reading series,stage 1,stage 2,stage 3,stage 4,stage 5,stage 6,easy reading,in plain english,modern translation,modern english,modern language,todays language,todays english,"
                + "no fear,gekurzt,gekurzte,leicht lesbar,abrege,texte abrege,extraits,abreviada,abreviado,"
                + "lectura graduada,ridotto,в сокращении,сокращенныи,адаптированныи"
        ),
        (
            .youngReaders,
            "young readers,young reader,young adult,young adults,younger readers,ya edition,kids edition,for kids,for children,"
                + "for young,childrens edition,junior edition,middle grade edition,student edition,students edition,teen edition,school edition,educational edition,"
                + "fur kinder,fur junge,raconte aux enfants,para ninos,per bambini,для детеи"
        ),
        (
            .part,
            "excerpt,excerpts,extract,extracts,sampler,preview,sneak peek,free chapter,chapter 1,bonus chapter,deleted scenes,selections from,"
                + "selections,leseprobe,extrait,fragment"
        ),
        (
            .annotated,
            "annotated,edition of,bilingual,dual language,parallel text,critical edition,critical editions,school shakespeare,zweisprachig,bilingue,variorum"
        ),
    ]

    /// Nouns for works about something else or derived from it. "A Guide to Freedom" after a title other than "Freedom" only describes the book; "A
    /// Guide to Hamlet" after the title "Hamlet" means a work about it.
    private static let treatises: Set<String> = [
        "guide", "guides", "notes", "analysis", "study", "studies", "interpretation", "interpretations", "commentary",
        "reference",
        "essays", "review", "sequel", "prequel", "retelling", "guia", "guida", "analisis",
    ]
    private static let wholeTexts: Set<String> = ["ediz", "edizione", "texte", "version", "versione", "edition"]
    private static let objectWords: Set<String> = [
        "to", "of", "on", "for", "from", "in", "about", "into", "toward", "towards", "zum", "zur",
    ]

    /// The kinds indicated by folded words.
    ///
    /// - Parameter main: The title, if the words are its subtitle; a subtitle that calls the book a guide to something else describes the book
    ///   itself.
    static func read(_ words: [String], subtitleOf main: [String]? = nil) -> EditionKinds {
        var kinds: EditionKinds = []
        for index in words.indices {
            guard let candidates = phrases[words[index]] else { continue }
            for phrase in candidates where words[(index + 1)...].starts(with: phrase.words) {
                let end = index + 1 + phrase.words.count
                let object = phrase.words.last.map(objectWords.contains) == true ? end - 1 : end
                if let main, treatises.contains(words[index]), hasOtherObject(words, object, main) { continue }
                if main != nil, describesItself(words, index..<end) { continue }
                if let main, phrase.kind == .guide, words[0] == "including" || isObject(words, index, main) { continue }
                // The subtitle "The Making of the Oxford English Dictionary" states a book's own subject, but "The Making of Dune" after the title
                // "Dune" means a book about "Dune".
                if let main, words[index] == "making",
                    !words[end...].drop(while: TitleWords.isFiller).starts(with: main)
                {
                    continue
                }
                // "Ediz. integrale" and "texte intégral" mean the complete text of one book; "intégrale" alone means several books.
                if words[index] == "integrale", index > 0, wholeTexts.contains(words[index - 1]) { continue }
                kinds.insert(phrase.kind)
            }
        }
        return kinds
    }

    /// Whether a phrase belongs to a subtitle that describes the book itself, although elsewhere the phrase indicates a kind: "A Cookbook", "A
    /// Preliminary Study", "A Play in Four Acts", "A Practical Guide".
    private static func describesItself(_ words: [String], _ phrase: Range<Int>) -> Bool {
        let before = phrase.lowerBound > 0 ? words[phrase.lowerBound - 1] : ""
        switch words[phrase.lowerBound] {
        case "cookbook": return before == "a"
        // "Ein Roman für Kinder"
        case "fur", "for": return SubtitleShape.isNovel(before)
        case "guide", "guides": return guideSubjects.contains(before)
        case "study":
            return words == ["a", "study"] || phrase.lowerBound > 1 && words[0] == "a" && !ofLiterature.contains(before)
        case "a":
            return words[phrase].last == "play" && words[phrase.upperBound...].first == "in" && words.last == "acts"
        // "An Autobiography Revisited", "The Greek Myths Retold"
        case "revisited": return SubtitleShape.describes([before])
        case "retold":
            return words[..<phrase.lowerBound].contains { TitleWords.tells($0) && !SubtitleShape.describes([$0]) }
        default: return false
        }
    }

    /// Words before "guide" in a book's description of itself: "Self-Help Guide", "A Hands-On Guide", "A Brain-Friendly Guide".
    private static let guideSubjects: Set<String> = [
        "help", "practical", "on", "friendly", "step", "beginners", "field", "survival", "gentle", "nonsense", "owners",
    ]
    private static let ofLiterature: Set<String> = ["critical", "literary", "literature", "novel", "book", "reading"]

    /// Whether the work named by a subtitle is about something other than the title, so the subtitle describes the book itself: "The Basic Handbook
    /// of Transactional Analysis", "The Classic Guide to Understanding the Opposite Sex".
    private static func isObject(_ words: [String], _ index: Int, _ main: [String]) -> Bool {
        guard let preposition = words[..<index].firstIndex(where: objectWords.contains), preposition > 0 else {
            return false
        }
        return hasOtherObject(words, preposition, main)
    }

    private static func hasOtherObject(_ words: [String], _ end: Int, _ main: [String]) -> Bool {
        guard end < words.count, objectWords.contains(words[end]) else { return false }
        let object = words[(end + 1)...].drop { TitleWords.isFiller($0) }
        return !object.starts(with: main)
    }

    /// The languages named in the words, in their order, separated by spaces; nil if there are fewer than two.
    static func languages(in words: [String]) -> String? {
        let named = words.filter(languageNames.contains)
        return named.count > 1 ? named.joined(separator: " ") : nil
    }

    /// The first language other than English in the words, as in "(Spanish Edition)", and its ISO 639-1 code if it is in ``languageCodes``; nil if no
    /// other language is named.
    static func foreignLanguage(in words: [String]) -> (name: String, codes: Set<String>)? {
        guard let name = words.first(where: { languageNames.contains($0) && $0 != "english" }) else { return nil }
        return (name, languageCodes[name].map { [$0] } ?? [])
    }

    private static let languageCodes = [
        "german": "de", "deutsch": "de", "french": "fr", "francais": "fr", "spanish": "es", "espanol": "es",
        "italian": "it",
        "italiano": "it", "portuguese": "pt", "dutch": "nl", "polish": "pl", "russian": "ru", "swedish": "sv",
        "danish": "da",
    ]

    private static let languageNames = set(
        "english german french spanish italian russian japanese chinese portuguese dutch polish hebrew korean arabic swedish danish "
            + "norwegian finnish turkish greek latin hindi deutsch francais espanol italiano")

    private static func set(_ words: String) -> Set<String> { Set(words.split(separator: " ").map(String.init)) }
}
