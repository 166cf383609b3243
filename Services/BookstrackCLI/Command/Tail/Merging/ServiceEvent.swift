import Observability
import SuiteMethods

/// An event and whose it is. As JSON it has the event's members, `service`, `worker` and `dropped`.
struct ServiceEvent: Encodable, Equatable {
    let service: ServiceInstance
    let event: TailEvent
    /// How many of the service's events just before this one were lost because the tail was too slow.
    var dropped = 0

    /// When it began, in milliseconds since 1970.
    var time: Int64 { event.eventTimestamp }

    private enum CodingKeys: CodingKey { case service, worker, dropped }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(service.service, forKey: .service)
        try container.encodeIfPresent(service.worker?.text, forKey: .worker)
        try event.encode(to: encoder)
        if dropped > 0 { try container.encode(dropped, forKey: .dropped) }
    }
}
