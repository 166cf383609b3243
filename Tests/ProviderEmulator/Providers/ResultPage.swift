/// Which part of the results a client asked for.
struct ResultPage: Equatable, Sendable {
    let offset: Int
    let limit: Int

    func part<Element>(of results: [Element]) -> ArraySlice<Element> {
        results.dropFirst(offset).prefix(limit)
    }
}
