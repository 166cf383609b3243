package import BookstrackContract
import JSONRPC

/// Rotates a token in the last 30 minutes of its life (websocket.md "Tokens").
///
/// Application errors: `UNAUTHORIZED`, `TOKEN_EXPIRED`, `TOKEN_REFRESH_TOO_EARLY` with `details{refreshableInSeconds}`.
package enum RefreshToken: RPCMethod {
    package typealias Parameters = TokenRefreshRequest
    package typealias Result = TokenRefreshed
    package static let name = "tokens.refresh"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)
}
