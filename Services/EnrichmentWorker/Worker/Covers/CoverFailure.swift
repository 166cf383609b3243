import BookstrackContract
import JSONRPC
import ProviderClient
import SuiteMethods

/// Why there is no picture to serve.
enum CoverFailure: Error, Sendable {
    case refused(CoverAddress.Refusal)
    /// The host has no such picture.
    case missing
    /// The host sent something other than a picture.
    case noPicture
    case call(ProviderFailure)
    /// The maximum number of covers is already being fetched.
    case busy
    case notKept

    /// The failure as documented by ``FetchCover``.
    var error: RPCApplicationError {
        RPCApplicationError(code: code.rawValue, message: message, retryAfterSeconds: retryAfterSeconds)
    }

    private var code: APIErrorCode {
        switch self {
        case .refused(let refusal): refusal.code
        case .missing: .notFound
        case .noPicture: .providerError
        case .call(.timeout): .providerTimeout
        case .call(.busy), .call(.cancelled), .busy, .notKept: .serviceUnavailable
        case .call(let failure): failure.isQuota ? .quotaExhausted : .providerError
        }
    }

    private var message: String {
        switch self {
        case .refused(let refusal): refusal.message
        case .missing: "There is no such cover."
        case .noPicture: "The cover's host sent something other than a JPEG, PNG, GIF or WebP image."
        case .call(let failure): "The cover's host did not deliver the image (\(failure.outcome.rawValue))."
        case .busy: "Too many covers are being fetched at the moment."
        case .notKept: "Covers cannot be stored at the moment."
        }
    }

    private var retryAfterSeconds: Int? {
        switch self {
        case .call(let failure): failure.retryAfter.map { max(1, Int($0 / .seconds(1))) }
        case .busy: 1
        case .notKept: 30
        case .refused, .missing, .noPicture: nil
        }
    }
}
