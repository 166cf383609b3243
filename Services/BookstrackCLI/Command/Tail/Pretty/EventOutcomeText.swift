import Logging
import Observability

/// How an event ended, in a word or a number.
enum EventOutcomeText {
    /// Columns of the longest one.
    static let columns = 9

    static func of(_ event: TailEvent) -> StyledText {
        if event.kind == .log, let line = event.logs.first { return of(line.level) }
        switch (event.outcome, event.event?.response?.status) {
        case (.canceled, _): return StyledText("canceled", .yellow)
        case (.error, let status?) where status < 500: return StyledText("\(status) error", .red)
        case (_, let status?): return StyledText("\(status)", ink(ofStatus: status))
        case (.error, nil): return StyledText("error", .red)
        case (.ok, nil): return StyledText("ok", .green)
        }
    }

    static func of(_ level: Logger.Level) -> StyledText {
        switch level {
        case .critical, .error: StyledText(level.rawValue, .red)
        case .warning: StyledText(level.rawValue, .yellow)
        case .notice: StyledText(level.rawValue, .cyan)
        case .info: StyledText(level.rawValue)
        case .debug, .trace: StyledText(level.rawValue, .dim)
        }
    }

    private static func ink(ofStatus status: Int) -> Ink {
        switch status {
        case ..<300: .green
        case ..<400: .cyan
        case ..<500: .yellow
        default: .red
        }
    }
}
