import BookIdentifiers

/// What a provider is told to answer for an ISBN instead of what it knows.
enum Substitution: Equatable, Sendable {
    /// As if the provider had never heard of it.
    case missing
    /// Another book under the ISBN that was asked for.
    case wrongBook
}

typealias Substitutions = [ISBN: Substitution]
