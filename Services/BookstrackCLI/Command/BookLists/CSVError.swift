/// Where and why a text is not CSV.
struct CSVError: Error, Equatable {
    let line: Int
    let problem: String
}
