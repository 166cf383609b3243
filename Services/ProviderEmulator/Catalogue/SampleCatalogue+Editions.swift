extension SampleCatalogue {
    /// More editions of works of the catalogue: other formats, publishers, years and languages.
    static let furtherEditions: [SampleWork] = [
        SampleWork(
            "Dune", by: ["Frank Herbert"], first: 1965, subjects: ["Science Fiction"],
            [
                .init("9780593099322", .init("2019-10-01", from: "Ace", pages: 688, as: .hardcover)),
                .init("9780340960196", .init("2015-07-16", from: "Hodder", pages: 592, as: .paperback)),
                .init("9781427201430", .init("2007-10-02", from: "Macmillan Audio", as: .audiobook)),
                .init("9781101658055", .init("2003-08-26", from: "Ace", pages: 544, as: .ebook)),
                .init(
                    "9783453317178", titled: "Der Wüstenplanet", in: .german,
                    .init("2016", from: "Heyne", as: .paperback)),
                .init("9782266233200", in: .french, .init("2012-11-22", from: "Pocket", pages: 832, as: .paperback)),
            ]),
        SampleWork(
            "Nineteen Eighty-Four", by: ["George Orwell"], first: 1949, subjects: ["Dystopian", "Classics"],
            [
                .init("9780141036144", .init("2008-07-03", from: "Penguin", as: .paperback)),
                .init("9780452284234", titled: "1984", .init("2003-05-06", from: "Plume", pages: 368, as: .paperback)),
                .init(
                    "9782070368228", titled: "1984", in: .french,
                    .init("1972", from: "Gallimard", pages: 438, as: .paperback)),
            ]),
        SampleWork(
            "The Hobbit", by: ["J. R. R. Tolkien"], first: 1937, subjects: ["Fantasy", "Classics"],
            [
                .init("9780547928227", .init("2012-09-18", from: "Mariner Books", pages: 300, as: .paperback)),
                .init("9780345339683", .init("1986-07-12", from: "Del Rey", pages: 305, as: .massMarket)),
                .init("9780618968633", .init("2007-09-21", from: "Houghton Mifflin", pages: 372, as: .hardcover)),
                .init("9780261102217", .init("1991", from: "HarperCollins", pages: 310, as: .paperback)),
            ]),
        SampleWork(
            "The Lord of the Rings", by: ["J. R. R. Tolkien"], first: 1954, subjects: ["Fantasy"],
            [
                .init("9780544003415", .init("2012-08-14", from: "Mariner Books", pages: 1178, as: .paperback)),
                .init("9780261103252", .init("1995", from: "HarperCollins", pages: 1137, as: .paperback)),
            ]),
        SampleWork(
            "Pride and Prejudice", by: ["Jane Austen"], first: 1813, subjects: ["Classics", "Romance"],
            [
                .init("9780553213102", .init("1983-12-01", from: "Bantam Classics", pages: 352, as: .massMarket)),
                .init("9780141040349", .init("2008-09-25", from: "Penguin Classics", pages: 448, as: .hardcover)),
                .init("9780486284736", .init("1995", from: "Dover", pages: 272, as: .paperback)),
            ]),
        SampleWork(
            "To Kill a Mockingbird", by: ["Harper Lee"], first: 1960, subjects: ["Classics", "Fiction"],
            [
                .init("9780446310789", .init("1988-10-11", from: "Grand Central", pages: 376, as: .massMarket)),
                .init("9780060935467", .init("2002-03-01", from: "Harper Perennial", pages: 336, as: .paperback)),
            ]),
        SampleWork(
            "The Great Gatsby", by: ["F. Scott Fitzgerald"], first: 1925, subjects: ["Classics"],
            [
                .init("9780141182636", .init("2000-02-24", from: "Penguin Classics", pages: 177, as: .paperback)),
                .init("9780684801520", .init("1995", from: "Scribner", pages: 216, as: .paperback)),
            ]),
        SampleWork(
            "Harry Potter and the Philosopher's Stone", by: ["J. K. Rowling"], first: 1997,
            subjects: ["Fantasy", "Children's"],
            [
                .init(
                    "9780590353403", titled: "Harry Potter and the Sorcerer's Stone",
                    .init("1998-09-01", from: "Arthur A. Levine Books", pages: 309, as: .hardcover)),
                .init(
                    "9780439708180", titled: "Harry Potter and the Sorcerer's Stone",
                    .init("1999-09-01", from: "Scholastic", pages: 312, as: .paperback)),
                .init("9780747532743", .init("1997-06-26", from: "Bloomsbury", pages: 223, as: .paperback)),
                .init("9781408855652", .init("2014-09-01", from: "Bloomsbury", pages: 352, as: .paperback)),
            ]),
        SampleWork(
            "Brave New World", by: ["Aldous Huxley"], first: 1932, subjects: ["Dystopian", "Classics"],
            [
                .init("9780060850524", .init("2006-10-17", from: "Harper Perennial", pages: 259, as: .paperback)),
                .init("9780099518471", .init("2007-12-06", from: "Vintage", pages: 229, as: .paperback)),
            ]),
        SampleWork(
            "The Handmaid's Tale", by: ["Margaret Atwood"], first: 1985, subjects: ["Dystopian"],
            [
                .init("9780099740919", .init("1996", from: "Vintage", pages: 324, as: .paperback)),
                .init("9780525435006", .init("2017-04-18", from: "Anchor", pages: 311, as: .massMarket)),
            ]),
        SampleWork(
            "The Left Hand of Darkness", by: ["Ursula K. Le Guin"], first: 1969, subjects: ["Science Fiction"],
            [
                .init("9780441007318", .init("2000-07-01", from: "Ace", pages: 304, as: .paperback)),
                .init("9781473221628", .init("2017", from: "Gollancz", as: .paperback)),
            ]),
        SampleWork(
            "A Game of Thrones", by: ["George R. R. Martin"], first: 1996, subjects: ["Fantasy"],
            [
                .init("9780553103540", .init("1996-08-06", from: "Bantam Spectra", pages: 694, as: .hardcover)),
                .init("9780553381689", .init("2002-05-28", from: "Bantam", pages: 694, as: .paperback)),
                .init("9780006479888", .init("1998", from: "Voyager", pages: 807, as: .paperback)),
            ]),
        SampleWork(
            "The Martian", by: ["Andy Weir"], first: 2011, subjects: ["Science Fiction"],
            [
                .init("9780553418026", .init("2014-10-28", from: "Broadway Books", pages: 387, as: .paperback)),
                .init("9780804139038", .init("2014-02-11", from: "Crown", as: .ebook)),
                .init("9780091956141", .init("2014", from: "Del Rey", as: .paperback)),
            ]),
        SampleWork(
            "The Catcher in the Rye", by: ["J. D. Salinger"], first: 1951, subjects: ["Classics"],
            [.init("9780316769174", .init("2001-01-30", from: "Back Bay Books", pages: 277, as: .paperback))]),
        SampleWork(
            "The Hunger Games", by: ["Suzanne Collins"], first: 2008, subjects: ["Young Adult", "Dystopian"],
            [
                .init("9780439023528", .init("2010-07-03", from: "Scholastic", pages: 374, as: .paperback)),
                .init("9781407109084", .init("2009", from: "Scholastic UK", as: .paperback)),
                .init("9780545229937", .init("2009-09-01", from: "Scholastic", as: .ebook)),
            ]),
        SampleWork(
            "The Book Thief", by: ["Markus Zusak"], first: 2005, subjects: ["Young Adult"],
            [.init("9780375842207", .init("2007-09-11", from: "Knopf", pages: 552, as: .paperback))]),
        SampleWork(
            "Ready Player One", by: ["Ernest Cline"], first: 2011, subjects: ["Science Fiction"],
            [.init("9780307887443", .init("2012-06-05", from: "Broadway Books", pages: 374, as: .paperback))]),
        SampleWork(
            "Slaughterhouse-Five", by: ["Kurt Vonnegut"], first: 1969, subjects: ["Classics"],
            [.init("9780440180296", .init("1991-11-03", from: "Dell", pages: 215, as: .massMarket))]),
        SampleWork(
            "Good Omens", by: ["Terry Pratchett", "Neil Gaiman"], first: 1990, subjects: ["Fantasy", "Humor"],
            [.init("9780552137034", .init("1991", from: "Corgi", pages: 383, as: .paperback))]),
        SampleWork(
            "Persuasion", by: ["Jane Austen"], first: 1817, subjects: ["Classics", "Romance"],
            [
                .init(
                    "9780141439686", .init("2003-04-29", from: "Penguin Classics", pages: 272, as: .paperback),
                    knownTo: [.isbndb])
            ]),
        SampleWork(
            "Northanger Abbey", by: ["Jane Austen"], first: 1817, subjects: ["Classics"],
            [
                .init(
                    "9780141439792", .init("2003", from: "Penguin Classics", pages: 235, as: .paperback),
                    knownTo: [.isbndb])
            ]),
    ]
}
