/// What an instrument shows at one moment.
package enum Reading: Sendable, Codable, Equatable {
    /// A count, or a value in the unit that the family's name says.
    case number(Double)
    /// A spread over the ranges of the family's bounds.
    case distribution(Distribution)
}
