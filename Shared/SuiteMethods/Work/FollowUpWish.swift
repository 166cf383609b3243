/// What a worker would add to an item that has its result.
package enum FollowUpWish: String, Codable, Sendable, CaseIterable {
    /// The result is whole.
    case none
    /// A follow-up as soon as there is room. After a follow-up: it got on, and one more step is worth while at once.
    case soon
    /// After a follow-up: the next background round. After a first look-up the same as `soon`.
    case later
}
