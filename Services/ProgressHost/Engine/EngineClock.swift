/// Where the engine reads the time; tests move it by hand.
protocol EngineClock: Sendable {
    func now() -> Moment
}
