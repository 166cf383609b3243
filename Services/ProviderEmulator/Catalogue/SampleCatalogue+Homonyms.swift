extension SampleCatalogue {
    /// Works of the same title by different authors, and authors whose names others bear too.
    static let homonyms: [SampleWork] = [
        SampleWork(
            "The Stranger", by: ["Albert Camus"], first: 1942, subjects: ["Classics"],
            [.init("9780679720201", .init("1989-03-28", from: "Vintage", pages: 123, as: .paperback))]),
        SampleWork(
            "The Stranger", by: ["Harlan Coben"], first: 2015, subjects: ["Thriller"],
            [.init("9780525953500", .init("2015-03-24", from: "Dutton", pages: 386, as: .hardcover))]),
        SampleWork(
            "The Outsider", by: ["Stephen King"], first: 2018, subjects: ["Horror", "Thriller"],
            [
                .init("9781501180989", .init("2018-05-22", from: "Scribner", pages: 561, as: .hardcover)),
                .init("9781501181009", .init("2019", from: "Gallery Books", as: .paperback)),
            ]),
        SampleWork(
            "The Outsider", by: ["Albert Camus"], first: 1942, subjects: ["Classics"],
            [.init("9780141182506", .init("2000", from: "Penguin Classics", pages: 118, as: .paperback))]),
        SampleWork(
            "Twilight", by: ["Stephenie Meyer"], first: 2005, subjects: ["Young Adult", "Fantasy"],
            [
                .init("9780316160179", .init("2005-10-05", from: "Little, Brown", pages: 498, as: .hardcover)),
                .init("9780316015844", .init("2006-09-06", from: "Little, Brown", pages: 498, as: .paperback)),
            ]),
        SampleWork(
            "Twilight", by: ["William Gay"], first: 2006, subjects: ["Fiction"],
            [.init("9781596920583", .init("2006", from: "MacAdam/Cage", pages: 224, as: .hardcover))]),
        SampleWork(
            "Life After Life", by: ["Kate Atkinson"], first: 2013, subjects: ["Fiction"],
            [.init("9780316176484", .init("2013-04-02", from: "Reagan Arthur Books", pages: 529, as: .hardcover))]),
        SampleWork(
            "Life After Life", by: ["Jill McCorkle"], first: 2013, subjects: ["Fiction"],
            [.init("9781565122550", .init("2013-03-26", from: "Algonquin Books", pages: 352, as: .hardcover))]),
        SampleWork(
            "Inferno", by: ["Dan Brown"], first: 2013, subjects: ["Thriller"],
            [.init("9780385537858", .init("2013-05-14", from: "Doubleday", pages: 463, as: .hardcover))]),
        SampleWork(
            "Inferno", by: ["Dante Alighieri"], first: 1320, subjects: ["Poetry", "Classics"],
            [.init("9780812970067", .init("2003", from: "Modern Library", as: .paperback))]),
        SampleWork(
            "Cloud Atlas", by: ["David Mitchell"], first: 2004, subjects: ["Fiction", "Science Fiction"],
            [.init("9780375507250", .init("2004-08-17", from: "Random House", pages: 509, as: .paperback))]),
        SampleWork(
            "The Cloud Atlas", by: ["Liam Callanan"], first: 2004, subjects: ["Historical Fiction"],
            [.init("9780385336949", .init("2004", from: "Delacorte", pages: 368, as: .hardcover))]),
        SampleWork(
            "Stoner", by: ["John Williams"], first: 1965, subjects: ["Fiction", "Classics"],
            [.init("9781590171998", .init("2006-06-20", from: "NYRB Classics", pages: 288, as: .paperback))]),
        SampleWork(
            "The Road", by: ["Cormac McCarthy"], first: 2006, subjects: ["Fiction", "Dystopian"],
            [.init("9780307387899", .init("2007-03-28", from: "Vintage", pages: 287, as: .paperback))]),
        SampleWork(
            "The Road", by: ["Jack London"], first: 1907, subjects: ["Classics", "Biography"],
            [.init("9780813538068", .init("2006", from: "Rutgers University Press", as: .paperback))]),
    ]
}
