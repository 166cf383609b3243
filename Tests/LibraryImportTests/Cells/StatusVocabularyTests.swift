import BookstrackContract
import LibraryImport
import Testing

/// The words for reading statuses that applications write, by language. A book has no status if the vocabulary lacks
/// its word.
@Suite("Reading status words")
struct StatusVocabularyTests {
    private func expect(
        _ words: [String], _ status: ReadingStatus?, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for word in words { #expect(StatusWords.status(word) == status, "\(word)", sourceLocation: sourceLocation) }
    }

    @Test("English words for reading statuses are recognized")
    func english() {
        expect(
            [
                "to-read", "to read", "Want to Read", "TBR", "planned", "Plan to read", "Unread", "Not read",
                "Not begun",
                "not started", "backlog",
            ], .toRead)
        expect(
            [
                "currently-reading", "Currently Reading", "reading", "Reading now", "In progress", "in-progress",
                "in_progress", "started", "begun", "IS_READING",
            ], .reading)
        expect(["read", "Already Read", "finished", "completed", "Complete", "done", "Read it", "100%"], .read)
        expect(
            [
                "did-not-finish", "did not finish", "Didn't finish", "DNF", "abandoned", "Dropped", "gave up",
                "unfinished", "stopped", "stopped-reading",
            ], .didNotFinish)
        expect(["paused", "on hold", "on-hold"], .paused)
        expect(["owned", "own", "In library", "in my library"], .owned)
        expect(["wishlist", "Wish List", "wish-list", "wanted", "to buy"], .wishlist)
    }

    @Test("German words for reading statuses are recognized")
    func german() {
        expect(["Leseliste", "zu lesen", "ungelesen", "möchte ich lesen"], .toRead)
        expect(["Liest gerade", "lese ich gerade", "am Lesen"], .reading)
        expect(["Gelesen", "fertig", "ausgelesen"], .read)
        expect(["Aufgehört zu lesen", "abgebrochen", "nicht beendet"], .didNotFinish)
        expect(["pausiert", "unterbrochen"], .paused)
        expect(["Wunschliste", "Wunschzettel"], .wishlist)
        expect(["besitze ich", "im Besitz"], .owned)
    }

    @Test("Spanish and Catalan words for reading statuses are recognized")
    func spanish() {
        expect(["Para leer", "Por leer", "quiero leer", "Pendiente", "Pendent de llegir"], .toRead)
        expect(["Leyendo actualmente", "leyendo", "Llegint actualment", "llegint"], .reading)
        expect(["Leído", "leido", "terminado", "Llegit"], .read)
        expect(["Lectura interrumpida", "abandonado", "Lectura interrompuda", "abandonat"], .didNotFinish)
        expect(["en pausa", "pausado"], .paused)
        expect(["lista de deseos"], .wishlist)
    }

    @Test("French words for reading statuses are recognized")
    func french() {
        expect(["À lire", "a lire", "pense-bête", "Non lu"], .toRead)
        expect(["Lectures en cours", "lecture en cours", "En cours", "en train de lire"], .reading)
        expect(["Lu", "LU", "lus", "terminé", "Fini"], .read)
        expect(["Lecture interrompue", "Abandonné"], .didNotFinish)
        expect(["en pause"], .paused)
        expect(["possédé", "je possède"], .owned)
        expect(["liste de souhaits", "Liste d'envies"], .wishlist)
    }

    @Test("Italian and Portuguese words for reading statuses are recognized")
    func italian() {
        expect(["Da leggere", "voglio leggere", "Quero ler", "para ler"], .toRead)
        expect(["Letture correnti", "in lettura", "sto leggendo", "Lendo atualmente", "lendo"], .reading)
        expect(["Letti", "letto", "finito", "Lido", "lidos"], .read)
        expect(["Lettura in pausa", "abbandonato", "abandonei", "Parou de ler"], .didNotFinish)
        expect(["in pausa", "em pausa"], .paused)
    }

    @Test("Polish words for reading statuses are recognized")
    func polish() {
        expect(["Do przeczytania", "chcę przeczytać"], .toRead)
        expect(["Obecnie czytane", "czytam", "teraz czytam"], .reading)
        expect(["Przeczytane", "przeczytana"], .read)
        expect(["Zaprzestano czytania", "porzucone"], .didNotFinish)
        expect(["wstrzymane"], .paused)
        expect(["posiadam"], .owned)
    }

    @Test("Dutch words for reading statuses are recognized")
    func dutch() {
        expect(["Te lezen", "wil ik lezen", "nog te lezen"], .toRead)
        expect(["Aan het lezen", "mee bezig"], .reading)
        expect(["Gelezen", "uitgelezen"], .read)
        expect(["Gestopt met lezen", "niet uitgelezen", "afgebroken"], .didNotFinish)
        expect(["verlanglijst", "verlanglijstje"], .wishlist)
    }

    @Test("words for reading statuses in the Nordic languages are recognized")
    func nordic() {
        expect(["Att läsa", "vill läsa", "Lukujono", "aion lukea", "vil lese", "vil læse"], .toRead)
        expect(["Läser just nu", "läser", "Luettavana", "leser nå", "læser nu"], .reading)
        expect(["Lästa", "läst", "Luettu", "luetut", "lest", "læst"], .read)
        expect(["Slutade läsa", "avbruten", "Jäi kesken", "avbrutt", "afbrudt"], .didNotFinish)
        expect(["önskelista", "ønskeliste", "toivelista"], .wishlist)
    }

    @Test("Russian and Ukrainian words for reading statuses are recognized")
    func cyrillic() {
        expect(["Хочу прочитать", "в планах", "до прочитання", "хочу прочитати"], .toRead)
        expect(["Читаю", "сейчас читаю", "зараз читаю"], .reading)
        expect(["Прочитано", "прочитал", "ПРОЧИТАНА"], .read)
        expect(["Бросил", "не дочитал", "заброшено", "кинуто"], .didNotFinish)
        expect(["отложено", "відкладено"], .paused)
        expect(["список желаний", "список бажань"], .wishlist)
    }

    @Test("Chinese and Japanese words for reading statuses are recognized")
    func eastAsian() {
        expect(["想读", "想讀", "未读", "未讀", "読みたい", "積読"], .toRead)
        expect(["在读", "在讀", "読んでいる", "読んでる", "いま読んでる", "読書中"], .reading)
        expect(["读过", "讀過", "已读", "読んだ", "読み終わった", "読了"], .read)
        expect(["已停止阅读"], .didNotFinish)
        expect(["心愿单"], .wishlist)
    }

    @Test(
        "in a status word, hyphens and underscores count as spaces; case, outer punctuation and extra spaces are ignored"
    )
    func writing() {
        expect(["TO READ", "To-Read", "to_read", " to  read ", "to—read"], .toRead)
        expect(["GELESEN", "gelesen.", "(gelesen)"], .read)
    }

    @Test("a shelf with a user-defined name is not a status")
    func ownShelves() {
        expect(
            [
                "waiting", "ai-books", "leseliste-2020", "leseliste-fra-bokhyllen", "favourites", "2021",
                "read in 2021",
                "to read soon", "re-read", "unread-pile", "lässta", "borrowed", "None", "unknown", "", " ", "…",
                String(repeating: "read ", count: 40),
            ], nil)
    }
}
