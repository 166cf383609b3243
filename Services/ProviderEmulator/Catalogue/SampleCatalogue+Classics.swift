extension SampleCatalogue {
    /// Novels and epics that never went out of print.
    static let classics: [SampleBook] = [
        SampleBook(
            "9780743273565", "The Great Gatsby", by: ["F. Scott Fitzgerald"],
            first: 1925, in: .english,
            edition: .init("2004-09-30", from: "Scribner", pages: 180, as: .paperback),
            subjects: ["Classics", "Fiction", "American literature"],
            about:
                "A narrator from the Midwest watches his rich neighbour give parties for a love that is already lost."),
        SampleBook(
            "9780141439600", "A Tale of Two Cities", by: ["Charles Dickens"],
            first: 1859, in: .english,
            edition: .init("2003-05", from: "Penguin Classics", pages: 489, as: .paperback),
            subjects: ["Classics", "Historical Fiction"],
            about: "A family between London and Paris is caught by the French Revolution."),
        SampleBook(
            "9780142437209", "Jane Eyre", by: ["Charlotte Brontë"],
            first: 1847, in: .english,
            edition: .init("2003", from: "Penguin", pages: 532, as: .paperback),
            subjects: ["Classics", "Romance", "Governesses"],
            about:
                "An orphan becomes a governess, falls in love with the master of the house and learns what its attic hides."
        ),
        SampleBook(
            "9780393978896", "Wuthering Heights", by: ["Emily Brontë"],
            first: 1847, in: .english,
            edition: .init("2002", from: "W. W. Norton", pages: 464, as: .paperback),
            subjects: ["Classics", "Fiction"],
            about: "Love and revenge bind two families on the Yorkshire moors.",
            knownTo: [.openLibrary]),
        SampleBook(
            "9780141439471", "Frankenstein", subtitle: "Or, the Modern Prometheus", by: ["Mary Shelley"],
            first: 1818, in: .english,
            edition: .init("2003", from: "Penguin Classics", pages: 288, as: .paperback),
            subjects: ["Classics", "Horror", "Science Fiction"],
            about: "A student makes a living being and then leaves it alone."),
        SampleBook(
            "9780141439587", "Emma", by: ["Jane Austen"],
            first: 1815, in: .english,
            edition: .init("2003-05-06", from: "Penguin Books", pages: 474, as: .paperback),
            subjects: ["Classics", "Romance"],
            about: "A young woman who arranges other people's marriages misjudges all of them, her own included."),
        SampleBook(
            "9780141439518", "Pride and Prejudice", by: ["Jane Austen"],
            first: 1813, in: .english,
            edition: .init("2002-12-31", from: "Penguin Classics", pages: 480, as: .paperback),
            subjects: ["Classics", "Romance"],
            about: "Elizabeth Bennet and Mr Darcy revise their first impressions of each other."),
        SampleBook(
            "9780679783268", "Pride and Prejudice", by: ["Jane Austen"],
            first: 1813, in: .english,
            edition: .init("2000-10-10", from: "Modern Library", pages: 279, as: .paperback),
            subjects: ["Classics", "Romance"],
            about: "Five sisters, a new tenant next door and a great deal of conversation."),
        SampleBook(
            "9780393970128", "Dracula", by: ["Bram Stoker"],
            first: 1897, in: .english,
            edition: .init("1997", from: "W. W. Norton", pages: 488, as: .paperback),
            subjects: ["Classics", "Horror", "Vampires"],
            about: "Letters and diaries tell how a count from Transylvania comes to England."),
        SampleBook(
            "9780140449266", "The Count of Monte Cristo", by: ["Alexandre Dumas"],
            first: 1844, in: .english,
            edition: .init("2003-05-27", from: "Penguin Classics", pages: 1276, as: .paperback),
            subjects: ["Classics", "Adventure", "Revenge"],
            about: "A sailor is locked up without guilt, escapes, finds a treasure and takes his time."),
        SampleBook(
            "9780451525260", "Les Misérables", by: ["Victor Hugo"],
            first: 1862, in: .english,
            edition: .init("1987", from: "Signet Classics", pages: 1463, as: .massMarket),
            subjects: ["Classics", "Historical Fiction"],
            about: "A released convict and the inspector who cannot let him go."),
        SampleBook(
            "9780142437230", "Don Quixote", by: ["Miguel de Cervantes Saavedra"],
            first: 1605, in: .english,
            edition: .init("2003-02", from: "Penguin Books", pages: 1023, as: .paperback),
            subjects: ["Classics", "Humor"],
            about: "A reader of romances rides out as a knight with a farmer for a squire."),
        SampleBook(
            "9780374528379", "The Brothers Karamazov", by: ["Fyodor Dostoyevsky"],
            first: 1880, in: .english,
            edition: .init("2002-06-14", from: "Farrar, Straus and Giroux", pages: 796, as: .paperback),
            subjects: ["Classics", "Philosophy"],
            about: "Three brothers, a murdered father and the question of who is guilty."),
        SampleBook(
            "9780143058144", "Crime and Punishment", by: ["Fyodor Dostoyevsky"],
            first: 1866, in: .english,
            edition: .init("2007", from: "Penguin", pages: 671, as: .paperback),
            subjects: ["Classics", "Psychological fiction"],
            about: "A poor student in Saint Petersburg kills and cannot bear to have done it."),
        SampleBook(
            "9781892295491", "Heart of Darkness", by: ["Joseph Conrad"],
            first: 1899, in: .english,
            edition: .init("2003", from: "Green Integer", pages: 188, as: .paperback),
            subjects: ["Classics", "Fiction"],
            about: "A captain travels up a river to find a trader whom everybody praises.",
            knownTo: [.googleBooks]),
        SampleBook(
            "9780141439556", "Wuthering Heights", by: ["Emily Brontë"],
            first: 1847, in: .english,
            edition: .init("2002-12-31", from: "Penguin Classics", pages: 353, as: .paperback),
            subjects: ["Classics", "Fiction"],
            about: "An adopted child grows into the scourge of two houses."),
        SampleBook(
            "9780553213690", "The Metamorphosis", by: ["Franz Kafka"],
            first: 1915, in: .english,
            edition: .init("1972", from: "Bantam Classics", pages: 201, as: .massMarket),
            subjects: ["Classics", "Fiction"],
            about: "A travelling salesman wakes up as vermin and worries about missing his train."),
        SampleBook(
            "9780375751516", "The Picture of Dorian Gray", by: ["Oscar Wilde"],
            first: 1890, in: .english,
            edition: .init("1998", from: "Modern Library", pages: 254, as: .paperback),
            subjects: ["Classics", "Gothic fiction"],
            about: "A portrait ages so that its sitter need not."),
    ]
}
