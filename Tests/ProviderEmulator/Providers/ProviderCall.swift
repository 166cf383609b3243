/// A request that one provider has understood: what it asks about, and how to answer it.
struct ProviderCall {
    let keys: [AskedKey]
    /// The key that the request carries, where the provider has keys.
    var credential: String?
    /// The country that the request names, where the provider asks for one.
    var country: String?
    let answer: (Substitutions) -> Answer
}
