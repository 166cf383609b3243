import Observability
import SuiteMethods

/// An event and whose it is. As JSON it has the event's members and two more.
struct ServiceEvent: Encodable, Equatable {
    let service: ServiceName
    let event: TailEvent
    /// How many of the service's events just before this one were lost because the tail was too slow.
    var dropped = 0

    /// When it began, in milliseconds since 1970.
    var time: Int64 { event.eventTimestamp }

    private enum CodingKeys: CodingKey { case service, dropped }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(service, forKey: .service)
        try event.encode(to: encoder)
        if dropped > 0 { try container.encode(dropped, forKey: .dropped) }
    }
}
