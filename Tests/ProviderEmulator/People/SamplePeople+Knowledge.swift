extension SamplePeople {
    /// Who wrote of what is so. Not all of them have writing as an occupation; their works tell who they are.
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
