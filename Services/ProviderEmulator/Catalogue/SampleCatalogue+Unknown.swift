extension SampleCatalogue {
    /// Real numbers that no provider knows, so that a job has something that cannot be found.
    static let unknown: [SampleBook] = [
        SampleBook(
            "9780199535569", "Pride and Prejudice", by: ["Jane Austen"],
            first: 1813, in: .english,
            edition: .init("2008", from: "Oxford University Press", as: .paperback),
            knownTo: []),
        SampleBook(
            "9780140449136", "Crime and Punishment", by: ["Fyodor Dostoyevsky"],
            first: 1866, in: .english,
            edition: .init("2003", from: "Penguin Classics", as: .paperback),
            knownTo: []),
        SampleBook(
            "9780486280615", "Adventures of Huckleberry Finn", by: ["Mark Twain"],
            first: 1884, in: .english,
            edition: .init("1994", from: "Dover", as: .paperback),
            knownTo: []),
    ]
}
