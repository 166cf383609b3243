extension SampleCatalogue {
    /// History, science, lives and ideas.
    static let knowledge: [SampleBook] = [
        SampleBook(
            "9780062316097", "Sapiens", subtitle: "A Brief History of Humankind", by: ["Yuval Noah Harari"],
            first: 2011, in: .english,
            edition: .init("2015-02-10", from: "Harper", pages: 443, as: .hardcover),
            subjects: ["History", "Science", "Anthropology"],
            about: "How one kind of ape came to run the planet by believing in the same stories."),
        SampleBook(
            "9780553380163", "A Brief History of Time", by: ["Stephen Hawking"],
            first: 1988, in: .english,
            edition: .init("1998-09-01", from: "Bantam Books", pages: 212, as: .paperback),
            subjects: ["Science", "Cosmology"],
            about: "Where the universe comes from, with a single equation."),
        SampleBook(
            "9780374275631", "Thinking, Fast and Slow", by: ["Daniel Kahneman"],
            first: 2011, in: .english,
            edition: .init("2011-10-25", from: "Farrar, Straus and Giroux", pages: 499, as: .hardcover),
            subjects: ["Psychology", "Science"],
            about: "Two ways of judging, one quick and one lazy, and how they fool us."),
        SampleBook(
            "9780307352149", "Quiet", subtitle: "The Power of Introverts in a World That Can't Stop Talking",
            by: ["Susan Cain"],
            first: 2012, in: .english,
            edition: .init("2012-01-24", from: "Crown", pages: 333, as: .hardcover),
            subjects: ["Psychology", "Self-Help"],
            about: "What people who prefer listening contribute."),
        SampleBook(
            "9780316346627", "The Tipping Point", subtitle: "How Little Things Can Make a Big Difference",
            by: ["Malcolm Gladwell"],
            first: 2000, in: .english,
            edition: .init("2002-01-07", from: "Back Bay Books", pages: 301, as: .paperback),
            subjects: ["Business", "Sociology"],
            about: "Why small causes sometimes start epidemics of behaviour."),
        SampleBook(
            "9781590302255", "The Art of War", by: ["Sun Tzu"],
            first: -500, in: .english,
            edition: .init("2005-01-11", from: "Shambhala", pages: 273, as: .paperback),
            subjects: ["Philosophy", "History", "Military art"],
            about: "Thirteen short chapters on winning, best without a battle."),
        SampleBook(
            "9780143127741", "The Body Keeps the Score", by: ["Bessel van der Kolk"],
            first: 2014, in: .english,
            edition: .init("2015-09-08", from: "Penguin Books", pages: 464, as: .paperback),
            subjects: ["Psychology", "Science"],
            about: "What trauma does to mind and body, and what helps."),
        SampleBook(
            "9780553296983", "The Diary of a Young Girl", by: ["Anne Frank"],
            first: 1947, in: .english,
            edition: .init("1993", from: "Bantam", pages: 283, as: .massMarket),
            subjects: ["Biography", "History"],
            about: "Two years in a hiding place in Amsterdam, written by a girl for herself."),
        SampleBook(
            "9780374500016", "Night", by: ["Elie Wiesel"],
            first: 1956, in: .english,
            edition: .init("2006-01-16", from: "Hill & Wang", pages: 120, as: .paperback),
            subjects: ["Biography", "History"],
            about: "A boy's memory of Auschwitz and Buchenwald."),
        SampleBook(
            "9780553279375", "I Know Why the Caged Bird Sings", by: ["Maya Angelou"],
            first: 1969, in: .english,
            edition: .init("1993", from: "Bantam Books", pages: 289, as: .massMarket),
            subjects: ["Biography", "Poetry"],
            about: "A childhood in Arkansas and California, told by the poet it became.",
            knownTo: [.googleBooks]),
        SampleBook(
            "9780262033848", "Introduction to Algorithms",
            by: ["Thomas H. Cormen", "Charles E. Leiserson", "Ronald L. Rivest", "Clifford Stein"],
            first: 1990, in: .english,
            edition: .init("2009-07-31", from: "MIT Press", pages: 1292, as: .hardcover),
            subjects: ["Computers", "Science"],
            about: "The big textbook of sorting, graphs and everything with a running time."),
        SampleBook(
            "9780131103627", "The C Programming Language", by: ["Brian W. Kernighan", "Dennis M. Ritchie"],
            first: 1978, in: .english,
            edition: .init("1988-03-22", from: "Prentice Hall", pages: 272, as: .paperback),
            subjects: ["Computers"],
            about: "A language explained by those who made it."),
    ]
}
