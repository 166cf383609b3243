extension SampleCatalogue {
    /// Books for children and young people.
    static let young: [SampleBook] = [
        SampleBook(
            "9780747532699", "Harry Potter and the Philosopher's Stone", by: ["J. K. Rowling"],
            first: 1997, in: .english, series: "Harry Potter #1",
            edition: .init("1997-06-26", from: "Bloomsbury", pages: 223, as: .hardcover),
            subjects: ["Fantasy", "Children's", "Schools"],
            about: "A boy in a cupboard under the stairs gets a letter from a school of magic."),
        SampleBook(
            "9780439064866", "Harry Potter and the Chamber of Secrets", by: ["J. K. Rowling", "Mary GrandPré"],
            first: 1998, in: .english, series: "Harry Potter #2",
            edition: .init("1999-06-02", from: "Arthur A. Levine Books", pages: 341, as: .hardcover),
            subjects: ["Fantasy", "Children's"],
            about: "Something in the walls of the school turns pupils to stone."),
        SampleBook(
            "9780439023481", "The Hunger Games", by: ["Suzanne Collins"],
            first: 2008, in: .english, series: "The Hunger Games #1",
            edition: .init("2008-10-01", from: "Scholastic Press", pages: 374, as: .hardcover),
            subjects: ["Young Adult", "Dystopian"],
            about: "A girl takes her sister's place in a contest that only one survives."),
        SampleBook(
            "9780064410939", "Charlotte's Web", by: ["E. B. White", "Garth Williams"],
            first: 1952, in: .english,
            edition: .init("2001-10-01", from: "HarperCollins", pages: 184, as: .paperback),
            subjects: ["Children's", "Animals", "Friendship"],
            about: "A spider writes a pig's praise into her web."),
        SampleBook(
            "9780060256654", "The Giving Tree", by: ["Shel Silverstein"],
            first: 1964, in: .english,
            edition: .init("1964", from: "Harper & Row", pages: 64, as: .hardcover),
            subjects: ["Children's", "Picture books"],
            about: "A tree gives a boy all it has, one piece after the other."),
        SampleBook(
            "9780060775858", "Goodnight Moon", by: ["Margaret Wise Brown", "Clement Hurd"],
            first: 1947, in: .english,
            edition: .init("2005", from: "HarperCollins", pages: 32, as: .hardcover),
            subjects: ["Children's", "Picture books"],
            about: "A small rabbit wishes everything in the room a good night.",
            knownTo: [.openLibrary]),
        SampleBook(
            "9780394820378", "The Phantom Tollbooth", by: ["Norton Juster", "Jules Feiffer"],
            first: 1961, in: .english,
            edition: .init("1961", from: "Random House", pages: 256, as: .hardcover),
            subjects: ["Children's", "Fantasy"],
            about: "A bored boy drives a toy car into the lands of words and numbers."),
        SampleBook(
            "9780440498056", "A Wrinkle in Time", by: ["Madeleine L'Engle"],
            first: 1962, in: .english, series: "Time Quintet #1",
            edition: .init("1973", from: "Yearling", pages: 211, as: .paperback),
            subjects: ["Children's", "Science Fiction", "Middle Grade"],
            about: "Three children cross space by folding it to find a missing father."),
        SampleBook(
            "9780451528827", "Anne of Green Gables", by: ["L. M. Montgomery"],
            first: 1908, in: .english,
            edition: .init("2003", from: "Signet", pages: 320, as: .massMarket),
            subjects: ["Children's", "Classics"],
            about: "An orphan girl arrives where a boy had been ordered, and stays."),
        SampleBook(
            "9780439244190", "Holes", by: ["Louis Sachar"],
            first: 1998, in: .english,
            edition: .init("2000", from: "Scholastic", pages: 233, as: .paperback),
            subjects: ["Children's", "Middle Grade"],
            about: "Boys in a camp dig holes all day and are not told what for.",
            knownTo: [.googleBooks]),
        SampleBook(
            "9781857993288", "Sophie's World", by: ["Jostein Gaarder"],
            first: 1991, in: .english,
            edition: .init("1995", from: "Phoenix", pages: 403, as: .paperback),
            subjects: ["Philosophy", "Young Adult"],
            about: "A girl finds questions in her letter box and learns the history of thinking."),
        SampleBook(
            "9780375831003", "The Book Thief", by: ["Markus Zusak"],
            first: 2005, in: .english,
            edition: .init("2006-03-14", from: "Alfred A. Knopf", pages: 552, as: .hardcover),
            subjects: ["Young Adult", "Historical Fiction"],
            about: "Death tells of a girl in wartime Germany who steals books."),
    ]
}
