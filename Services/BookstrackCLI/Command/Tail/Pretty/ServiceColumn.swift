import SuiteMethods

/// The column that says whose event it is; there is none when only one service is followed.
struct ServiceColumn {
    let services: [ServiceInstance]

    /// On a terminal narrower than this, short names leave the room to the rest.
    private static let roomyColumns = 110

    /// The name, filled up to the width of the longest; nil when there is no such column.
    func text(_ service: ServiceInstance, columns: Int?) -> StyledText? {
        guard services.count > 1 else { return nil }
        let isRoomy = columns.map { $0 >= Self.roomyColumns } ?? true
        let names = services.map { isRoomy ? $0.name : Self.short($0) }
        var text = StyledText(isRoomy ? service.name : Self.short(service), Self.ink(service))
        text.pad(to: names.map(\.count).max() ?? 0)
        return text
    }

    private static func short(_ service: ServiceInstance) -> String {
        switch service.service {
        case .apiProxy: "proxy"
        case .progressHost: "host"
        case .enrichmentWorker: service.worker.map { $0 == .main ? "worker" : "worker-\($0.text)" } ?? "worker"
        }
    }

    private static func ink(_ service: ServiceInstance) -> Ink {
        switch service.service {
        case .apiProxy: .cyan
        case .progressHost: .magenta
        case .enrichmentWorker: .blue
        }
    }
}
