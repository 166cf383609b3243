/// What a provider is told to answer for a key instead of what it knows.
enum Substitution: Equatable, Sendable {
    /// As if the provider had never heard of it.
    case missing
    /// Another book, person or picture under the key that was asked for.
    case wrongBook
}

typealias Substitutions = [AskedKey: Substitution]
