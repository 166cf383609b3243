/// The sizes that covers are served in.
package enum CoverSize: String, Codable, Sendable, CaseIterable {
    /// For lists, some 40 pixels wide.
    case small
    /// For cards, some 180 pixels wide.
    case medium
    /// The largest that the picture's host has.
    case large
}
