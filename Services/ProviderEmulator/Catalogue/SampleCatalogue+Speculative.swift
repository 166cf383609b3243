extension SampleCatalogue {
    /// Science fiction and fantasy.
    static let speculative: [SampleBook] = [
        SampleBook(
            "9780441172719", "Dune", by: ["Frank Herbert"],
            first: 1965, in: .english, series: "Dune #1",
            edition: .init("1990-09-01", from: "Ace Books", pages: 535, as: .massMarket),
            subjects: ["Science Fiction", "Fantasy"],
            about: "A duke's son is betrayed on the one planet that has the spice."),
        SampleBook(
            "9780441013593", "Dune", by: ["Frank Herbert"],
            first: 1965, in: .english, series: "Dune #1",
            edition: .init("2005-08-02", from: "Ace Books", pages: 528, as: .paperback),
            subjects: ["Science Fiction"],
            about: "Politics, religion and ecology on a desert world."),
        SampleBook(
            "9780441569595", "Neuromancer", by: ["William Gibson"],
            first: 1984, in: .english,
            edition: .init("1986-07", from: "Ace Books", pages: 271, as: .massMarket),
            subjects: ["Science Fiction", "Cyberpunk"],
            about: "A burnt-out hacker is hired for one last run by somebody who is not a person."),
        SampleBook(
            "9780441478125", "The Left Hand of Darkness", by: ["Ursula K. Le Guin"],
            first: 1969, in: .english,
            edition: .init("2000-07-01", from: "Ace Books", pages: 304, as: .massMarket),
            subjects: ["Science Fiction", "Fiction"],
            about: "An envoy crosses a frozen world whose people are neither men nor women."),
        SampleBook(
            "9780553383041", "A Wizard of Earthsea", by: ["Ursula K. Le Guin"],
            first: 1968, in: .english, series: "Earthsea #1",
            edition: .init("2004-09-28", from: "Bantam Spectra", pages: 183, as: .paperback),
            subjects: ["Fantasy", "Young Adult"],
            about: "A gifted boy lets loose a shadow and has to hunt what hunts him."),
        SampleBook(
            "9780618260300", "The Hobbit", subtitle: "Or There and Back Again", by: ["J. R. R. Tolkien"],
            first: 1937, in: .english,
            edition: .init("2002-08-15", from: "Houghton Mifflin", pages: 366, as: .paperback),
            subjects: ["Fantasy", "Children's", "Adventure"],
            about: "A hobbit who likes his armchair joins thirteen dwarves on the way to a dragon."),
        SampleBook(
            "9780618640157", "The Lord of the Rings", by: ["J. R. R. Tolkien"],
            first: 1954, in: .english,
            edition: .init("2005-10-12", from: "Houghton Mifflin", pages: 1178, as: .paperback),
            subjects: ["Fantasy", "Adventure"],
            about: "A ring must be unmade where it was made, and the smallest people have to carry it."),
        SampleBook(
            "9780553588484", "A Game of Thrones", by: ["George R. R. Martin"],
            first: 1996, in: .english, series: "A Song of Ice and Fire #1",
            edition: .init("2005", from: "Bantam", pages: 835, as: .massMarket),
            subjects: ["Fantasy", "Fiction"],
            about: "Great houses plot for a throne while winter comes closer."),
        SampleBook(
            "9780765311788", "Mistborn: The Final Empire", by: ["Brandon Sanderson"],
            first: 2006, in: .english, series: "Mistborn #1",
            edition: .init("2006-07-25", from: "Tor Books", pages: 541, as: .hardcover),
            subjects: ["Fantasy"],
            about: "Thieves who draw power from metals plan to rob the Lord Ruler himself."),
        SampleBook(
            "9780804139021", "The Martian", by: ["Andy Weir"],
            first: 2011, in: .english,
            edition: .init("2014-02-11", from: "Crown", pages: 384, as: .hardcover),
            subjects: ["Science Fiction", "Survival"],
            about: "A botanist is left on Mars and does the sums."),
        SampleBook(
            "9780307887436", "Ready Player One", by: ["Ernest Cline"],
            first: 2011, in: .english,
            edition: .init("2011-08-16", from: "Crown Publishers", pages: 374, as: .hardcover),
            subjects: ["Science Fiction", "Dystopian"],
            about: "A treasure hunt in a virtual world made of the 1980s.",
            knownTo: [.googleBooks]),
        SampleBook(
            "9780553278224", "The Martian Chronicles", by: ["Ray Bradbury"],
            first: 1950, in: .english,
            edition: .init("1984", from: "Bantam Spectra", pages: 182, as: .massMarket),
            subjects: ["Science Fiction", "Short stories"],
            about: "People settle Mars in a chain of short stories and bring everything along.",
            knownTo: [.openLibrary]),
        SampleBook(
            "9780451457998", "2001: A Space Odyssey", by: ["Arthur C. Clarke"],
            first: 1968, in: .english, series: "Space Odyssey #1",
            edition: .init("2000-09-01", from: "Roc", pages: 297, as: .paperback),
            subjects: ["Science Fiction"],
            about: "A slab of black stone leads a crew and its computer to the outer planets."),
        SampleBook(
            "9780345453747", "The Ultimate Hitchhiker's Guide to the Galaxy", by: ["Douglas Adams"],
            first: 1996, in: .english,
            edition: .init("2002-04-30", from: "Del Rey Books", pages: 815, as: .paperback),
            subjects: ["Science Fiction", "Humor"],
            about: "An Englishman in a dressing gown survives the end of the Earth in five parts."),
        SampleBook(
            "9780060853983", "Good Omens", by: ["Terry Pratchett", "Neil Gaiman"],
            first: 1990, in: .english,
            edition: .init("2006-11-28", from: "HarperTorch", pages: 491, as: .massMarket),
            subjects: ["Fantasy", "Humor"],
            about: "An angel and a demon have grown fond of the world that they are to end."),
        SampleBook(
            "9780380395866", "Watership Down", by: ["Richard Adams"],
            first: 1972, in: .english,
            edition: .init("1975", from: "Avon Books", pages: 478, as: .massMarket),
            subjects: ["Fantasy", "Children's", "Animals"],
            about: "Rabbits leave their doomed warren and look for a hill of their own."),
        SampleBook(
            "9780375759239", "The War of the Worlds", by: ["H. G. Wells"],
            first: 1898, in: .english,
            edition: .init("2002-04-09", from: "Modern Library", pages: 192, as: .paperback),
            subjects: ["Science Fiction", "Classics"],
            about: "Cylinders from Mars come down in Surrey."),
    ]
}
