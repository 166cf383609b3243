import BookIdentifiers

/// Which share of a large catalogue each provider knows. Every ISBN's fate is the same in every run and differs between the
/// providers, so that one fills the other's gaps.
struct KnownFraction: Sendable {
    let fraction: Double

    init(_ fraction: Double) {
        self.fraction = fraction
    }

    func providers(knowing isbn: ISBN) -> Set<Provider> {
        Set(
            Provider.catalogues.filter {
                Double(StableHash.of("\($0.rawValue) \(isbn.isbn13)") % 10_000) < fraction * 10_000
            })
    }
}
