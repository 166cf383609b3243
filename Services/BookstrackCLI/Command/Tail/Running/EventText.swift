import JSONRPC
import NIOCore
import SuiteMethods

/// Turns events into what is written to standard output.
struct EventText {
    let format: TailFormat
    let services: ServiceColumn
    let colours: Bool
    let time: LocalTime
    /// The day of the last event that was shown.
    private var day: String

    /// - Parameter today: A time of the day that need not be named, in milliseconds since 1970.
    init(format: TailFormat, services: [ServiceInstance], colours: Bool, time: LocalTime = LocalTime(), today: Int64) {
        self.format = format
        self.services = ServiceColumn(services: services)
        self.colours = colours
        self.time = time
        day = time.day(today)
    }

    /// - Parameter columns: Width of the terminal; nil for lines of any length.
    mutating func text(_ events: [ServiceEvent], columns: Int?) -> String {
        events.map { format == .json ? json($0) : pretty($0, columns) }.joined()
    }

    private func json(_ event: ServiceEvent) -> String {
        guard let json = try? BodyCoding.encode(event) else { return "" }
        return UntrustedText.json(String(buffer: json)) + "\n"
    }

    private mutating func pretty(_ event: ServiceEvent, _ columns: Int?) -> String {
        let newDay = time.day(event.time)
        defer { day = newDay }
        let heading = newDay == day ? [] : [StyledText(newDay, .bold)]
        let lines = PrettyEvent(shown: event, services: services, time: time, columns: columns).lines
        return (heading + lines).map { $0.text(colours: colours) + "\n" }.joined()
    }
}
