/// A folded word for a number or for a volume.
enum NumberWord {
    /// A word for a volume, in its common spelling.
    case volume(String)
    /// An English number word, which is always a number.
    case cardinal(Int)
    /// A number word that is not English and may be an ordinary word in another language; it counts as a number only next to a volume word, at the
    /// end of the title or alone.
    case foreign(Int)
    /// An ordinal, which is read as a number only in certain positions, such as next to a volume word: "Second Foundation" is not a second volume.
    case ordinal(Int)
    /// A word that multiplies: "hundred", "thousand".
    case scale(Int)

    init?(_ word: String) {
        guard let known = Self.known[word] else { return nil }
        self = known
    }

    /// The common spellings of words for volumes.
    static let volumeNames = Set(volumes.map(\.name))

    /// The English ordinals up to twelve, by their notation in digits: "1st".
    static let writtenOrdinals = Dictionary(
        uniqueKeysWithValues: ordinals[0].split(separator: " ").prefix(12).enumerated().map { index, word in
            ("\(index + 1)" + (index < 3 ? ["st", "nd", "rd"][index] : "th"), String(word))
        })

    /// The meanings of the known words; a word in several lists has its meaning in the first of them.
    private static let known: [String: NumberWord] = {
        var known: [String: NumberWord] = ["hundred": .scale(100), "thousand": .scale(1000)]
        func add(_ words: String, _ meaning: (Int) -> NumberWord) {
            for (index, word) in words.split(separator: " ").enumerated() where known[String(word)] == nil {
                known[String(word)] = meaning(index)
            }
        }
        for (name, words) in volumes { add(words) { _ in .volume(name) } }
        add(cardinals) { .cardinal($0) }
        add("twenty thirty forty fifty sixty seventy eighty ninety") { .cardinal(($0 + 2) * 10) }
        add("thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth hundredth") { .ordinal(($0 + 3) * 10) }
        for words in ordinals { add(words) { .ordinal($0 + 1) } }
        for words in foreignCardinals { add(words) { .foreign($0 + 1) } }
        return known
    }()

    private static let volumes: [(name: String, words: String)] = [
        (
            "volume",
            "vol vols volume volumes tome tomes t tomo tom tomul band bande bd volumen volumul bind cilt kotet "
                + "jilid tap том тома томах т جلد مجلد المجلد כרך τομος खंड खण्ड"
        ),
        (
            "book",
            "bk bks book books buch livre libro livro boek bok boken bog kniha ksiega kitap kirja книга кн βιβλιο ספר "
                + "کتاب"
        ),
        (
            "part",
            "pt part parts resz bolum nide svazek teil theil abteilung abtheilung bandchen partie parte deel del osa "
                + "dil diel czesc partea часть частина част ч μερος חלק جزء الجزء भाग"
        ),
        ("serial", "series serie"),
        ("issue", "issue no n nr num number numero nummer episode folge season staffel saison heft выпуск"),
    ]

    /// English cardinal numbers, from zero.
    private static let cardinals =
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        + "seventeen eighteen nineteen"

    /// Ordinal numbers; each list begins with "first".
    private static let ordinals = [
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
            + "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
        "erster zweiter dritter vierter funfter sechster siebter achter",
        "erste zweite dritte vierte funfte sechste siebte",
        "erstes zweites drittes viertes funftes sechstes siebtes",
        "premier deuxieme troisieme quatrieme cinquieme sixieme", "premiere seconde",
        "primero segundo tercero cuarto quinto sexto", "primera segunda tercera cuarta quinta sexta", "primer",
        "primo secondo terzo quarto", "prima seconda terza quarta", "первыи второи третии четвертыи пятыи шестои",
        "первая вторая третья четвертая пятая шестая", "первое второе третье четвертое",
        "перша друга третя", "першии другии третіи", "eerste tweede derde vierde vijfde",
        "forsta andra tredje fjarde", "forste andre", "forste anden", "primeiro segundo terceiro",
        "primeira segunda terceira",
        "pierwszy drugi trzeci czwarty", "pierwsza druga trzecia", "prvni druhy treti", "birinci ikinci ucuncu",
        "elso masodik harmadik", "ensimmainen toinen kolmas", "πρωτος δευτερος τριτος", "πρωτο δευτερο τριτο",
        "الاول الثانی الثالث الرابع", "اول دوم سوم چهارم", "ראשון שני שלישי רביעי", "पहला दूसरा तीसरा",
    ]

    /// Cardinal numbers in other languages; each list begins with "one".
    private static let foreignCardinals = [
        "eins zwei drei vier funf sechs sieben acht neun zehn", "un deux trois quatre cinq six sept huit neuf dix",
        "uno dos tres cuatro cinco seis siete ocho nueve diez", "uno due tre quattro cinque sei sette otto nove dieci",
        "um dois tres quatro cinco seis sete oito nove dez", "een twee drie vier vijf zes zeven acht negen tien",
        "один два три четыре пять шесть семь восемь девять десять",
    ]
}
