import HTTPTypes
import Observability

/// An answer's status, 100 to 599.
struct StatusLabel: MetricLabels {
    static let names = ["status"]
    static let placeCount = 500

    let place: Int

    init(_ status: HTTPResponse.Status) { place = min(max(status.code - 100, 0), Self.placeCount - 1) }

    var values: [String] { ["\(place + 100)"] }
}
