import SuiteMethods

/// What the services said, as JSON: `{"services":[{"service","worker","state","reasons","status","unit"}]}`; `worker` is a worker's name. Without an
/// answer `status` is absent, and `unit` is there where systemd runs the service.
struct StatusDocument: Encodable {
    private struct Entry: Encodable {
        var service: ServiceName
        var worker: String?
        var state: String
        var reasons: [String]
        var status: ReadStatus.Result?
        var unit: UnitReport?
    }

    private let services: [Entry]

    init(_ reports: [ServiceReport]) {
        services = reports.map {
            Entry(
                service: $0.service.service, worker: $0.service.worker?.text, state: $0.state, reasons: $0.reasons,
                status: $0.status, unit: $0.unit)
        }
    }
}
