extension SamplePeople {
    /// Who wrote before the twentieth century.
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
