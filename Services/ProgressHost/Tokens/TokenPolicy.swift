/// The life of a token as numbers (websocket.md "Tokens").
struct TokenPolicy: Sendable {
    /// From issue to expiry.
    var life: Duration = .seconds(7_200)
    /// A token may be rotated, and moves on by itself, in this last part of its life.
    var refreshWindow: Duration = .seconds(1_800)
    /// How long a rotated token stays good.
    var rotationGrace: Duration = .seconds(300)
}
