/// The authors of the sample catalog with their known facts, other people and items with the same names, and people who add genders and countries.
/// Some authors are missing on purpose (Bessel van der Kolk, Jill McCorkle); some lack facts.
enum SamplePeople {
    static let all: [Person] =
        classics + modern + young + knowledge + romance + european + asian + homonyms + genders
}

extension SamplePeople {
    /// Authors born before the twentieth century.
    static let classics: [Person] = [
        Person("Homer", "Q6691", .male, [], "-0750", "?", as: [.poet], aka: ["Homeros", "Homère"]),
        Person("Sun Tzu", "Q37151", .male, [], "-0544", "-0496", as: [.philosopher, .writer], aka: ["Sunzi", "孫武"]),
        Person(
            "Dante Alighieri", "Q1067", .male, [], "1265", "1321-09-14", as: [.poet, .writer, .philosopher],
            aka: ["Dante"]),
        Person(
            "Miguel de Cervantes", "Q5682", .male, [.spain], "1547-09-29", "1616-04-22", as: [.novelist, .playwright],
            aka: ["Miguel de Cervantes Saavedra", "Cervantes"]),
        Person(
            "William Shakespeare", "Q692", .male, [.kingdomOfEngland], "1564-04", "1616-05-03",
            as: [.playwright, .poet], aka: ["Shakespeare"]),
        Person(
            "Jane Austen", "Q36322", .female, [.greatBritain], "1775-12-16", "1817-07-18",
            preferred: .unitedKingdomOfGreatBritainAndIreland, as: [.novelist, .writer]),
        Person(
            "Mary Shelley", "Q47152", .female, [.unitedKingdomOfGreatBritainAndIreland], "1797-08-30", "1851-02-01",
            as: [.novelist, .writer], aka: ["Mary Wollstonecraft Shelley"]),
        Person(
            "Alexandre Dumas", "Q38337", .male, [.france], "1802-07-24", "1870-12-05", as: [.novelist, .playwright]),
        Person("Victor Hugo", "Q535", .male, [.france], "1802-02-26", "1885-05-22", as: [.writer, .poet, .politician]),
        Person(
            "Charles Dickens", "Q5686", .male, [.unitedKingdomOfGreatBritainAndIreland], "1812-02-07", "1870-06-09",
            as: [.novelist, .writer]),
        Person(
            "Charlotte Brontë", "Q127332", .female, [.unitedKingdomOfGreatBritainAndIreland], "1816-04-21",
            "1855-03-31", aka: ["Currer Bell"]),
        Person(
            "Emily Brontë", "Q80137", .female, [.unitedKingdomOfGreatBritainAndIreland], "1818-07-30", "1848-12-19",
            as: [.poet, .novelist], aka: ["Ellis Bell"]),
        Person(
            "Fyodor Dostoevsky", "Q991", .male, [.russianEmpire], "1821-11-11", "1881-02-09", as: [.novelist, .writer],
            aka: ["Fyodor Dostoyevsky", "Fyodor Mikhaylovich Dostoevsky", "Фёдор Достоевский"]),
        Person(
            "Mark Twain", "Q7245", .male, [.unitedStates], "1835-11-30", "1910-04-21", as: [.novelist, .journalist],
            aka: ["Samuel Langhorne Clemens"]),
        Person(
            "Bram Stoker", nil, .male, [.unitedKingdomOfGreatBritainAndIreland], "1847-11-08", "1912-04-20",
            as: [.novelist]),
        Person(
            "Oscar Wilde", "Q30875", .male, [.unitedKingdomOfGreatBritainAndIreland], "1854-10-16", "1900-11-30",
            as: [.playwright, .writer]),
        Person(
            "Joseph Conrad", "Q82925", .male, [.russianEmpire], "1857-12-03", "1924-08-03",
            preferred: .unitedKingdomOfGreatBritainAndIreland, as: [.novelist],
            aka: ["Józef Teodor Konrad Korzeniowski"]),
        Person(
            "H. G. Wells", "Q42511", .male, [.unitedKingdom], "1866-09-21", "1946-08-13",
            as: [.scienceFictionWriter, .novelist], aka: ["Herbert George Wells"]),
        Person("Jack London", "Q45765", .male, [.unitedStates], "1876-01-12", "1916-11-22", as: [.novelist]),
        Person(
            "Franz Kafka", "Q905", .male, [.cisleithania, .czechoslovakia], "1883-07-03", "1924-06-03",
            as: [.writer, .novelist]),
    ]
}

extension SamplePeople {
    /// Authors writing in English since the twentieth century.
    static let modern: [Person] = [
        Person("F. Scott Fitzgerald", "Q93354", .male, [.unitedStates], "1896-09-24", "1940-12-21", as: [.novelist]),
        Person(
            "George Orwell", "Q3335", .male, [.unitedKingdom], "1903-06-25", "1950-01-21",
            as: [.novelist, .journalist],
            aka: ["Eric Arthur Blair", "Джордж Оруэлл"]),
        Person(
            "Aldous Huxley", "Q81447", .male, [.unitedKingdom, .unitedStates], "1894-07-26", "1963-11-22",
            as: [.novelist, .philosopher]),
        Person("Joseph Heller", "Q208101", .male, [.unitedStates], "1923-05-01", "1999-12-12", as: [.novelist]),
        Person("Harper Lee", nil, .female, [.unitedStates], "1926-04-28", "2016-02-19", as: [.novelist]),
        Person(
            "J. D. Salinger", "Q79904", .male, [.unitedStates], "1919-01-01", "2010-01-27",
            aka: ["Jerome David Salinger"]),
        Person("Margaret Atwood", "Q183492", .female, [.canada], "1939-11-18", as: [.poet, .novelist]),
        Person("Jeffrey Eugenides", nil, .male, [.unitedStates], "1960-03-08", as: [.novelist]),
        Person("Truman Capote", "Q134180", .male, [.unitedStates], "1924-09-30", "1984-08-25", as: [.novelist]),
        Person("John Steinbeck", "Q39212", .male, [.unitedStates], "1902-02-27", "1968-12-20", as: [.novelist]),
        Person(
            "Kurt Vonnegut", "Q49074", .male, [.unitedStates], "1922-11-11", "2007-04-11", as: [.novelist],
            aka: ["Kurt Vonnegut Jr.", "Kurt Vonnegut, Jr."]),
        Person(
            "Frank Herbert", "Q7934", .male, [.unitedStates], "1920-10-08", "1986-02-11", as: [.scienceFictionWriter]),
        Person(
            "Ursula K. Le Guin", "Q181659", .female, [.unitedStates], "1929-10-21", "2018-01-22",
            as: [.scienceFictionWriter], aka: ["Ursula Le Guin", "Ursula Kroeber Le Guin"]),
        Person(
            "J. R. R. Tolkien", "Q892", .male, [.unitedKingdom], "1892-01-03", "1973-09-02", as: [.writer, .poet],
            aka: ["John Ronald Reuel Tolkien", "Tolkien"]),
        Person(
            "George R. R. Martin", "Q181677", .male, [.unitedStates], "1948-09-20", as: [.novelist],
            aka: ["GRRM", "George Raymond Richard Martin"]),
        Person("Brandon Sanderson", "Q457608", .male, [.unitedStates], "1975-12-19", as: [.novelist]),
        Person("Andy Weir", "Q18590295", .male, [.unitedStates], "1972-06-16", as: [.scienceFictionWriter]),
        Person("Ernest Cline", nil, .male, [.unitedStates], "1972-03-29", as: [.novelist]),
        Person(
            "Ray Bradbury", "Q40640", .male, [.unitedStates], "1920-08-22", "2012-06-05", as: [.scienceFictionWriter]),
        Person(
            "Arthur C. Clarke", "Q47087", .male, [.sriLanka], "1917-12-16", "2008-03-19", preferred: .unitedKingdom,
            as: [.scienceFictionWriter], aka: ["Sir Arthur Charles Clarke"]),
        Person("Douglas Adams", "Q42", .male, [.unitedKingdom], "1952-03-11", "2001-05-11", as: [.novelist]),
        Person(
            "Terry Pratchett", "Q46248", .male, [.unitedKingdom], "1948-04-28", "2015-03-12", as: [.novelist],
            aka: ["Sir Terry Pratchett"]),
        Person("Neil Gaiman", "Q210059", .male, [.unitedKingdom], "1960-11-10", as: [.novelist, .writer]),
        Person(
            "Stephen King", "Q39829", .male, [.unitedStates], "1947-09-21", as: [.novelist], aka: ["Richard Bachman"]),
        Person("Cormac McCarthy", nil, .male, [.unitedStates], "1933-07-20", "2023-06-13", as: [.novelist]),
        Person("Dan Brown", "Q7345", .male, [.unitedStates], "1964-06-22", as: [.novelist]),
        Person("Harlan Coben", nil, .male, [.unitedStates], "1962-01-04", as: [.novelist]),
        Person("Kate Atkinson", nil, .female, [.unitedKingdom], "1951-12-20", as: [.novelist]),
        Person("Liam Callanan", nil, .male, [.unitedStates], "1968", as: [.novelist]),
        Person("William Gay", nil, .male, [.unitedStates], "1941-10-27", "2012-02-23", as: [.novelist]),
        Person(
            "Seamus Heaney", "Q93356", .male, [.ireland], "1939-04-13", "2013-08-30", as: [.poet, .playwright]),
        Person("Arthur Miller", "Q80596", .male, [.unitedStates], "1915-10-17", "2005-02-10", as: [.playwright]),
        Person("Alan Moore", nil, .male, [.unitedKingdom], "1953-11-18", as: [.writer]),
        Person("Dave Gibbons", nil, .male, [.unitedKingdom], "1949-04-14", as: [.comicsArtist]),
        Person("Art Spiegelman", nil, .male, [.unitedStates, .sweden], "1948-02-15", as: [.comicsArtist]),
    ]
}

extension SamplePeople {
    /// Authors and illustrators for children and young people.
    static let young: [Person] = [
        Person(
            "J. K. Rowling", "Q34660", .female, [.unitedKingdom], "1965-07-31", as: [.novelist, .childrensWriter],
            aka: ["JK Rowling", "Joanne Rowling", "Robert Galbraith", "Джоан Роулинг"]),
        Person("Mary GrandPré", nil, .female, [.unitedStates], "1954-02-13", as: [.illustrator]),
        Person("Suzanne Collins", "Q228624", .female, [.unitedStates], "1962-08-10", as: [.childrensWriter]),
        Person("E. B. White", nil, .male, [.unitedStates], "1899-07-11", "1985-10-01", as: [.childrensWriter]),
        Person("Garth Williams", nil, .male, [.unitedStates], "1912-04-16", "1996-05-08", as: [.illustrator]),
        Person("Shel Silverstein", nil, .male, [.unitedStates], "1930-09-25", "1999-05-10", as: [.poet, .musician]),
        Person(
            "Margaret Wise Brown", nil, .female, [.unitedStates], "1910-05-23", "1952-11-13", as: [.childrensWriter]),
        Person("Norton Juster", nil, .male, [.unitedStates], "1929-06-02", "2021-03-08", as: [.childrensWriter]),
        Person("Jules Feiffer", nil, .male, [.unitedStates], "1929-01-26", "2025-01-17", as: [.comicsArtist]),
        Person(
            "Madeleine L'Engle", nil, .female, [.unitedStates], "1918-11-29", "2007-09-06", as: [.novelist],
            aka: ["Madeleine L’Engle"]),
        Person(
            "Lucy Maud Montgomery", nil, .female, [.canada], "1874-11-30", "1942-04-24", as: [.novelist],
            aka: ["L. M. Montgomery"]),
        Person("Louis Sachar", nil, .male, [.unitedStates], "1954-03-20", as: [.childrensWriter]),
        Person("Jostein Gaarder", nil, .male, [.norway], "1952-08-08", as: [.novelist, .philosopher]),
        Person("Markus Zusak", nil, .male, [.australia], "1975-06-23", as: [.novelist]),
        Person("Stephenie Meyer", nil, .female, [.unitedStates], "1973-12-24", as: [.novelist]),
        Person("Astrid Lindgren", "Q55767", .female, [.sweden], "1907-11-14", "2002-01-28", as: [.childrensWriter]),
        Person("Michael Ende", nil, .male, [.germany], "1929-11-12", "1995-08-28", as: [.childrensWriter]),
        Person(
            "Antoine de Saint-Exupéry", "Q2908", .male, [.france], "1900-06-29", "1944-07-31", as: [.writer],
            aka: ["Antoine de Saint Exupery"]),
    ]
}

extension SamplePeople {
    /// Authors of non-fiction. Not all of them have writing as an occupation; their works identify them.
    static let knowledge: [Person] = [
        Person("Yuval Noah Harari", nil, .male, [.israel], "1976-02-24", as: [.historian], works: ["Sapiens"]),
        Person(
            "Stephen Hawking", "Q17714", .male, [.unitedKingdom], "1942-01-08", "2018-03-14", as: [.physicist],
            works: ["A Brief History of Time"]),
        Person(
            "Daniel Kahneman", nil, .male, [.israel, .unitedStates], "1934-03-05", "2024-03-27", as: [.psychologist],
            works: ["Thinking, Fast and Slow"]),
        Person("Susan Cain", nil, .female, [.unitedStates], "1968", as: [.writer]),
        Person("Malcolm Gladwell", nil, .male, [.canada, .unitedKingdom], "1963-09-03", as: [.journalist]),
        Person(
            "Anne Frank", "Q4583", .female, [.germany], "1929-06-12", "1945", deprecated: .netherlands, as: [.writer],
            works: ["The Diary of a Young Girl"]),
        Person("Elie Wiesel", nil, .male, [.romania, .france], "1928-09-30", "2016-07-02", preferred: .unitedStates),
        Person("Maya Angelou", "Q19526", .female, [.unitedStates], "1928-04-04", "2014-05-28", as: [.poet, .writer]),
        Person(
            "Dennis Ritchie", "Q45575", .male, [.unitedStates], "1941-09-09", "2011-10-12", as: [.computerScientist],
            aka: ["Dennis M. Ritchie"], works: ["The C Programming Language"]),
        Person(
            "Brian Kernighan", nil, .male, [.canada], "1942", as: [.computerScientist], aka: ["Brian W. Kernighan"],
            works: ["The C Programming Language"]),
        Person(
            "Thomas H. Cormen", nil, .male, [.unitedStates], "1956", as: [.computerScientist],
            works: ["Introduction to Algorithms"]),
    ]
}

extension SamplePeople {
    /// Authors writing in Spanish, Portuguese, French or Italian.
    static let romance: [Person] = [
        Person(
            "Gabriel García Márquez", "Q5878", .male, [.mexico], "1927-03-06", "2014-04-17", preferred: .colombia,
            as: [.novelist, .journalist], aka: ["Gabriel Garcia Marquez", "Gabo"]),
        Person("Julio Cortázar", nil, .male, [.argentina, .france], "1914-08-26", "1984-02-12", as: [.novelist]),
        Person("José Saramago", "Q39803", .male, [.portugal], "1922-11-16", "2010-06-18", as: [.novelist]),
        Person(
            "Albert Camus", "Q34670", .male, [.france], "1913-11-07", "1960-01-04", as: [.novelist, .philosopher],
            aka: ["آلبر کامو"]),
        Person("René Goscinny", nil, .male, [.france], "1926-08-14", "1977-11-05", as: [.writer]),
        Person("Albert Uderzo", nil, .male, [.france], "1927-04-25", "2020-03-24", as: [.comicsArtist]),
        Person("Hergé", nil, .male, [.belgium], "1907-05-22", "1983-03-03", as: [.comicsArtist], aka: ["Georges Remi"]),
        Person("Pascal Quignard", nil, .male, [.france], "1948-04-23", as: [.novelist]),
        Person("Umberto Eco", "Q12807", .male, [.italy], "1932-01-05", "2016-02-19", as: [.philosopher, .novelist]),
        Person("Elena Ferrante", nil, nil, [.italy], "1943", as: [.novelist]),
        Person("Isabel Allende", "Q83566", .female, [.unitedStates], "1942-08-02", preferred: .chile, as: [.novelist]),
    ]
}

extension SamplePeople {
    /// Authors who write in, or are translated into, other languages of Europe and its neighbors.
    static let european: [Person] = [
        Person(
            "Milan Kundera", "Q93166", .male, [.czechoslovakia, .czechRepublic], "1929-04-01", "2023-07-11",
            preferred: .france, as: [.novelist]),
        Person("Patrick Süskind", nil, .male, [.germany], "1949-03-26", as: [.novelist]),
        Person(
            "Dmitry Glukhovsky", nil, .male, [.russia], "1979-06-12", as: [.scienceFictionWriter, .journalist],
            aka: ["Дмитрий Глуховский"]),
        Person("Knut Hamsun", "Q40826", .male, [.norway], "1859-08-04", "1952-02-19", as: [.novelist]),
        Person("Anna Starobinets", nil, .female, [.russia], "1978-10-25", as: [.novelist], aka: ["Анна Старобинец"]),
        Person("Yann Martel", "Q13914", .male, [.canada], "1963-06-25", as: [.novelist], aka: ["Янн Мартел"]),
        Person(
            "Alexander Pushkin", "Q7200", .male, [.russianEmpire], "1799-06-06", "1837-02-10", as: [.poet],
            aka: ["Aleksandr Pushkin", "Александр Пушкин"]),
        Person(
            "Sabahattin Ali", nil, .male, [.ottomanEmpire], "1907-02-25", "1948-04-02", preferred: .turkey,
            as: [.novelist]),
        Person("Marjane Satrapi", nil, .female, [.iran, .france], "1969-11-22", as: [.comicsArtist]),
        Person(
            "Naguib Mahfouz", nil, .male, [.egypt], "1911-12-11", "2006-08-30", as: [.novelist], aka: ["نجيب محفوظ"]),
        Person("Youssef Ziedan", nil, .male, [.egypt], "1958-06-30", as: [.novelist], aka: ["يوسف زيدان"]),
        Person("Eshkol Nevo", nil, .male, [.israel], "1971-02-28", as: [.novelist], aka: ["אשכול נבו"]),
    ]
}

extension SamplePeople {
    /// Authors writing in Japanese, Chinese or Korean.
    static let asian: [Person] = [
        Person("Kenji Miyazawa", nil, .male, [.japan], "1896-08-27", "1933-09-21", as: [.poet], aka: ["宮沢賢治"]),
        Person(
            "Haruki Murakami", "Q134798", .male, [.japan], "1949-01-12", as: [.novelist],
            aka: ["Murakami Haruki", "村上春樹"]),
        Person("Natsume Sōseki", nil, .male, [.japan], "1867-02-09", "1916-12-09", as: [.novelist], aka: ["夏目漱石"]),
        Person("Osamu Dazai", nil, .male, [.japan], "1909-06-19", "1948-06-13", as: [.novelist], aka: ["太宰治"]),
        Person("Matsuo Bashō", "Q5676", .male, [.japan], "1644", "1694-11-28", as: [.poet], aka: ["松尾芭蕉", "Bashō"]),
        Person("Takeshi Obata", nil, .male, [.japan], "1969-02-11", as: [.mangaArtist], aka: ["小畑健"]),
        Person("Tsugumi Ohba", nil, nil, [.japan], as: [.writer], aka: ["大場つぐみ"]),
        Person(
            "Liu Cixin", "Q607588", .male, [.china], "1963-06-23", as: [.scienceFictionWriter],
            aka: ["刘慈欣", "Cixin Liu"]),
        Person("Yu Hua", nil, .male, [.china], "1960-04-03", as: [.novelist], aka: ["余华"]),
        Person("Qian Zhongshu", nil, .male, [.china], "1910-11-21", "1998-12-19", as: [.novelist], aka: ["钱锺书"]),
        Person("Cao Xueqin", nil, .male, [.qing], "1715", "1763", as: [.novelist], aka: ["曹雪芹"]),
        Person("Gao E", nil, .male, [.qing], "1738", "1815", as: [.writer], aka: ["高鹗"]),
        Person("Han Kang", nil, .female, [.southKorea], "1970-11-27", as: [.novelist], aka: ["한강"]),
    ]
}

extension SamplePeople {
    /// Names that several people share. Some of these people can be distinguished by an Open Library ID or a work, others not at all; and not every
    /// item is a writer or even a human.
    static let homonyms: [Person] = [
        // Two writers; the first one wrote the catalog's book.
        Person(
            "William Gibson", "Q188987", .male, [.unitedStates, .canada], "1948-03-17", as: [.scienceFictionWriter],
            works: ["Neuromancer"]),
        Person(
            "William Gibson", nil, .male, [.unitedStates], "1914-11-13", "2008-11-25", as: [.playwright],
            works: ["The Miracle Worker"], isIdentified: false),
        // Two writers with the same name; only their works distinguish them.
        Person(
            "David Mitchell", nil, .male, [.unitedKingdom], "1974-07-14", as: [.comedian, .writer, .actor],
            isIdentified: false),
        Person(
            "David Mitchell", nil, .male, [.unitedKingdom], "1969-01-12", as: [.novelist], works: ["Cloud Atlas"],
            isIdentified: false),
        // Two novelists who cannot be distinguished, and a composer.
        Person(
            "John Williams", nil, .male, [.unitedStates], "1922-08-29", "1994-03-03", as: [.novelist],
            isIdentified: false),
        Person("John Williams", nil, .male, [.unitedKingdom], "1961", as: [.novelist], isIdentified: false),
        Person(
            "John Williams", "Q131285", .male, [.unitedStates], "1932-02-08", as: [.composer], isIdentified: false),
        // A writer and a musician with the same name; the musician comes first.
        Person("Tim O'Brien", nil, .male, [.unitedStates], "1954-03-16", as: [.musician], isIdentified: false),
        Person("Tim O'Brien", nil, .male, [.unitedStates], "1946-10-01", as: [.novelist], aka: ["Tim O’Brien"]),
        // A novelist and a footballer.
        Person("Richard Adams", nil, .male, [.unitedKingdom], "1920-05-09", "2016-12-24", as: [.novelist]),
        Person("Richard Adams", nil, .male, [.unitedStates], "1946", as: [.footballer], isIdentified: false),
        // The son of an author above, with the father's name as an alias.
        Person(
            "Alexandre Dumas fils", nil, .male, [.france], "1824-07-27", "1895-11-27", as: [.playwright, .novelist],
            aka: ["Alexandre Dumas"], isIdentified: false),
        // A cinematographer with the name of a playwright.
        Person(
            "Arthur Miller", nil, .male, [.unitedStates], "1895-07-08", "1970-07-13", as: [.cinematographer],
            isIdentified: false),
        // Politicians with the names of two authors who have no items.
        Person("David Lloyd", nil, .male, [.unitedKingdom], "1962-07-18", as: [.politician], isIdentified: false),
        Person("Clement Hurd", nil, .male, [.unitedStates], "1840", as: [.politician], isIdentified: false),
        // Items that are not people.
        Person("Homer", nil, as: [], kind: .disambiguationPage, isIdentified: false),
        Person("Homer Simpson", "Q7810", .male, as: [], kind: .fictionalHuman, aka: ["Homer"], isIdentified: false),
        Person("Frank Herbert", nil, as: [], kind: .disambiguationPage, isIdentified: false),
        Person("Orwell", nil, as: [], kind: .familyName, isIdentified: false),
        Person("Stephen King", nil, as: [], kind: .band, isIdentified: false),
    ]
}

extension SamplePeople {
    /// People without a book in the sample, who add genders and countries that the other lists lack.
    static let genders: [Person] = [
        Person("Sarah Gailey", "Q64748209", .nonBinary, [.unitedStates], "1990", as: [.scienceFictionWriter]),
        Person("Akwaeke Emezi", nil, .nonBinary, [.nigeria], "1987-06-06", as: [.novelist]),
        Person("Juno Dawson", "Q34251707", .transWoman, [.unitedKingdom], "1981-06-10", as: [.novelist]),
        Person("Thomas Page McBee", nil, .transMan, [.unitedStates], "1981", as: [.journalist]),
        Person("Marlon James", nil, .male, [.jamaica], "1970-11-24", as: [.novelist]),
        Person(
            "V. S. Naipaul", nil, .male, [.trinidadAndTobago], "1932-08-17", "2018-08-11", preferred: .unitedKingdom),
        Person("Russell Soaba", nil, .male, [.papuaNewGuinea], "1950", as: [.novelist]),
        Person("Chinua Achebe", "Q155845", .male, [.nigeria], "1930-11-16", "2013-03-21", as: [.novelist]),
        Person("Ngũgĩ wa Thiong'o", nil, .male, [.kenya], "1938-01-05", "2025-05-28", as: [.novelist]),
        Person("J. M. Coetzee", "Q43293", .male, [.southAfrica, .australia], "1940-02-09", as: [.novelist]),
        Person("Arundhati Roy", nil, .female, [.india], "1961-11-24", as: [.novelist]),
        Person("Keri Hulme", nil, .female, [.newZealand], "1947-03-09", "2021-12-27", as: [.novelist, .poet]),
        Person("Jin Yong", nil, .male, [.hongKong], "1924-03-10", "2018-10-30", as: [.novelist], aka: ["金庸"]),
        Person("Joseph Roth", nil, .male, [.austriaHungary], "1894-09-02", "1939-05-27", as: [.novelist]),
        Person("Svetlana Alexievich", nil, .female, [.sovietUnion], "1948-05-31", as: [.journalist, .writer]),
    ]
}
