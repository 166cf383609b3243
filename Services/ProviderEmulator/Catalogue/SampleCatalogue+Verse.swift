extension SampleCatalogue {
    /// Poetry, drama and graphic novels.
    static let verse: [SampleBook] = [
        SampleBook(
            "9780143039952", "The Odyssey", by: ["Homer"],
            first: -720, in: .english,
            edition: .init("2006-11-30", from: "Penguin Classics", pages: 541, as: .paperback),
            subjects: ["Poetry", "Classics", "Epic"],
            about: "A king needs ten years to come home from a war of ten years."),
        SampleBook(
            "9780140275360", "The Iliad", by: ["Homer"],
            first: -750, in: .english,
            edition: .init("1998-11-01", from: "Penguin Classics", pages: 683, as: .paperback),
            subjects: ["Poetry", "Classics", "Epic"],
            about: "Some weeks of anger before the walls of Troy."),
        SampleBook(
            "9780393320978", "Beowulf", subtitle: "A New Verse Translation", by: ["Seamus Heaney"],
            first: 975, in: .english,
            edition: .init("2001-02-17", from: "W. W. Norton", pages: 256, as: .paperback),
            subjects: ["Poetry", "Classics"],
            about: "A hero fights a monster, its mother and, when old, a dragon."),
        SampleBook(
            "9780743477116", "Romeo and Juliet", by: ["William Shakespeare"],
            first: 1597, in: .english,
            edition: .init("2004-01", from: "Washington Square Press", pages: 283, as: .massMarket),
            subjects: ["Classics", "Drama"],
            about: "Two children of hostile houses marry in secret."),
        SampleBook(
            "9780142437339", "The Crucible", by: ["Arthur Miller"],
            first: 1953, in: .english,
            edition: .init("2003-03-25", from: "Penguin Books", pages: 143, as: .paperback),
            subjects: ["Drama", "Classics"],
            about: "A village accuses itself of witchcraft."),
        SampleBook(
            "9780930289232", "Watchmen", by: ["Alan Moore", "Dave Gibbons"],
            first: 1987, in: .english,
            edition: .init("1987", from: "DC Comics", pages: 416, as: .paperback),
            subjects: ["Graphic Novels", "Science Fiction"],
            about: "Somebody kills retired heroes while the clock goes towards midnight."),
        SampleBook(
            "9781401207922", "V for Vendetta", by: ["Alan Moore", "David Lloyd"],
            first: 1988, in: .english,
            edition: .init("2005", from: "Vertigo", pages: 296, as: .hardcover),
            subjects: ["Graphic Novels", "Dystopian"],
            about: "A masked man blows up a police state, one building at a time."),
        SampleBook(
            "9780394747231", "Maus I", subtitle: "A Survivor's Tale: My Father Bleeds History", by: ["Art Spiegelman"],
            first: 1986, in: .english,
            edition: .init("1986-08-12", from: "Pantheon", pages: 159, as: .paperback),
            subjects: ["Graphic Novels", "Biography", "History"],
            about: "A father tells his son how he survived; mice and cats stand for people."),
        SampleBook(
            "9780375714573", "Persepolis", subtitle: "The Story of a Childhood", by: ["Marjane Satrapi"],
            first: 2000, in: .english,
            edition: .init("2004-06-01", from: "Pantheon", pages: 153, as: .paperback),
            subjects: ["Graphic Novels", "Biography"],
            about: "A girl grows up in Tehran during the revolution."),
        SampleBook(
            "9781421501680", "Death Note, Vol. 1: Boredom", by: ["Tsugumi Ohba", "Takeshi Obata"],
            first: 2004, in: .english, series: "Death Note #1",
            edition: .init("2005-10-10", from: "VIZ Media", pages: 195, as: .paperback),
            subjects: ["Graphic Novels", "Manga"],
            about: "A pupil finds a notebook that kills whoever is named in it.",
            knownTo: [.openLibrary]),
        SampleBook(
            "9784770030634", "Basho: The Complete Haiku", by: ["Matsuo Bashō"],
            in: .english,
            edition: .init(from: "Kodansha", as: .hardcover),
            subjects: ["Poetry", "Haiku"],
            about: "All poems of the wandering master, in the order of his life.",
            knownTo: [.openLibrary]),
    ]
}
