import HTTPTypes
import Observability

/// An answer's status (RFC 9110 §15, RFC 6585); one that the API does not send is `other`.
struct StatusLabel: MetricLabels {
    /// The statuses that the API sends, sorted.
    static let codes = [
        101, 200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411,
        412,
        413, 414, 415, 416, 417, 421, 422, 426, 429, 431, 500, 501, 502, 503, 504, 505,
    ]
    static let names = ["status"]
    static let placeCount = codes.count + 1

    /// Place of each status from 100 to 599, looked up with every request.
    private static let places = (100...599).map { codes.firstIndex(of: $0) ?? codes.count }

    let place: Int

    init(_ status: HTTPResponse.Status) {
        place = (100...599).contains(status.code) ? Self.places[status.code - 100] : Self.codes.count
    }

    var values: [String] { [place < Self.codes.count ? "\(Self.codes[place])" : "other"] }
}

/// How an answer's status ends a request, for its duration.
enum StatusClass: String, MetricLabel {
    /// 1xx to 3xx.
    case success
    /// 4xx.
    case refused
    /// 5xx.
    case failed

    static let labelName = "class"

    init(_ status: HTTPResponse.Status) {
        switch status.code {
        case ..<400: self = .success
        case ..<500: self = .refused
        default: self = .failed
        }
    }
}
