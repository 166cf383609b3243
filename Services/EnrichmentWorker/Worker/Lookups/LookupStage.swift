/// Where in an item's life a look-up is, which decides how long what only adds to the book is waited for.
enum LookupStage: Equatable, Sendable {
    /// The first look-up: additions that are expected within `patience` are waited for, up to twice as long.
    case first(patience: Duration)
    /// A follow-up or a background retry, which has the whole time of a look-up.
    case later
}
