extension SampleCatalogue {
    /// Fiction of the twentieth and twenty-first centuries.
    static let modern: [SampleBook] = [
        SampleBook(
            "9780451524935", "1984", by: ["George Orwell"],
            first: 1949, in: .english, work: "Nineteen Eighty-Four",
            edition: .init("1961", from: "Signet Classics", pages: 328, as: .massMarket),
            subjects: ["Dystopian", "Science Fiction", "Classics"],
            about: "A clerk who rewrites newspapers begins a diary in a state that reads thoughts."),
        SampleBook(
            "9780060929879", "Brave New World", by: ["Aldous Huxley"],
            first: 1932, in: .english,
            edition: .init("1998", from: "HarperPerennial", pages: 268, as: .paperback),
            subjects: ["Dystopian", "Science Fiction"],
            about: "People made in bottles are happy by law until a stranger asks why."),
        SampleBook(
            "9780684833392", "Catch-22", by: ["Joseph Heller"],
            first: 1961, in: .english,
            edition: .init("2004", from: "Simon & Schuster", pages: 453, as: .paperback),
            subjects: ["Fiction", "War stories", "Humor"],
            about: "A bombardier tries to be declared insane and is refused for being sane enough to ask."),
        SampleBook(
            "9780061120084", "To Kill a Mockingbird", by: ["Harper Lee"],
            first: 1960, in: .english,
            edition: .init("2006-05-23", from: "Harper Perennial Modern Classics", pages: 323, as: .paperback),
            subjects: ["Fiction", "Classics", "Legal stories"],
            about: "Two children in Alabama watch their father defend an innocent man."),
        SampleBook(
            "9780316769488", "The Catcher in the Rye", by: ["J. D. Salinger"],
            first: 1951, in: .english,
            edition: .init("1991-05-01", from: "Little, Brown", pages: 214, as: .massMarket),
            subjects: ["Fiction", "Young Adult"],
            about: "A boy thrown out of school spends three days alone in New York."),
        SampleBook(
            "9780060883287", "One Hundred Years of Solitude", by: ["Gabriel García Márquez"],
            first: 1967, in: .english,
            edition: .init("2006-02-21", from: "Harper Perennial", pages: 417, as: .paperback),
            subjects: ["Fiction", "Magic realism"],
            about: "Seven generations of one family found, enrich and lose the town of Macondo."),
        SampleBook(
            "9781400034680", "Love in the Time of Cholera", by: ["Gabriel García Márquez"],
            first: 1985, in: .english,
            edition: .init("2003-10-07", from: "Vintage International", pages: 348, as: .paperback),
            subjects: ["Fiction", "Romance"],
            about: "A man waits fifty-one years for a second chance to declare himself."),
        SampleBook(
            "9780571224388", "The Unbearable Lightness of Being", by: ["Milan Kundera"],
            first: 1984, in: .english,
            edition: .init("2009", from: "Faber and Faber", pages: 320, as: .paperback),
            subjects: ["Fiction", "Philosophy"],
            about: "Two couples in Prague before and after the tanks."),
        SampleBook(
            "9780385490818", "The Handmaid's Tale", by: ["Margaret Atwood"],
            first: 1985, in: .english,
            edition: .init("1998-03-16", from: "Anchor Books", pages: 311, as: .paperback),
            subjects: ["Dystopian", "Fiction"],
            about: "A woman who is owned for her fertility remembers when she had a name."),
        SampleBook(
            "9780312422158", "Middlesex", by: ["Jeffrey Eugenides"],
            first: 2002, in: .english,
            edition: .init("2003", from: "Picador", pages: 529, as: .paperback),
            subjects: ["Fiction", "Coming of age"],
            about: "A gene travels from a village in Asia Minor to a family in Detroit.",
            knownTo: [.googleBooks]),
        SampleBook(
            "9780679745587", "In Cold Blood", by: ["Truman Capote"],
            first: 1966, in: .english,
            edition: .init("1994-02-01", from: "Vintage", pages: 343, as: .paperback),
            subjects: ["True Crime", "History"],
            about: "A family in Kansas is murdered, and a writer asks how and why."),
        SampleBook(
            "9780142000663", "The Grapes of Wrath", by: ["John Steinbeck"],
            first: 1939, in: .english,
            edition: .init("2002-01-08", from: "Penguin", pages: 455, as: .paperback),
            subjects: ["Fiction", "Classics"],
            about: "Farmers without land drive to California and find that everybody else did, too."),
        SampleBook(
            "9780385333849", "Slaughterhouse-Five", by: ["Kurt Vonnegut"],
            first: 1969, in: .english,
            edition: .init("1999-01-12", from: "Dial Press", pages: 275, as: .paperback),
            subjects: ["Science Fiction", "War stories"],
            about: "A soldier who saw Dresden burn lives his life in no particular order."),
        SampleBook(
            "9780156007757", "Blindness", by: ["José Saramago"],
            first: 1995, in: .english,
            edition: .init("1999-10-04", from: "Harvest Books", pages: 326, as: .paperback),
            subjects: ["Fiction", "Dystopian"],
            about: "A whole city goes blind, except for one woman who tells nobody."),
        SampleBook(
            "9780767902892", "The Things They Carried", by: ["Tim O'Brien"],
            first: 1990, in: .english,
            edition: .init("1998-12-29", from: "Broadway", pages: 246, as: .paperback),
            subjects: ["War stories", "Short stories"],
            about: "Stories of a platoon in Vietnam that may be true without having happened."),
        SampleBook(
            "9780140285604", "Cat's Cradle", by: ["Kurt Vonnegut"],
            first: 1963, in: .english,
            edition: .init("1999", from: "Penguin", pages: 179, as: .paperback),
            subjects: ["Science Fiction", "Humor"],
            about: "A kind of ice and a made-up religion meet on a small island.",
            knownTo: [.openLibrary]),
    ]
}
