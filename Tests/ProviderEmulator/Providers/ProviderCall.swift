/// A request that one provider has understood: what it asks about, and how to answer it.
struct ProviderCall {
    let keys: [AskedKey]
    let answer: (Substitutions) -> Answer
}
