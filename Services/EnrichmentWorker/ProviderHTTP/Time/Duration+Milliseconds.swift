extension Duration {
    /// The milliseconds of this span, rounded up so that a wait of them does not end early.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let milliseconds = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int(clamping: seconds.multipliedReportingOverflow(by: 1000).partialValue + milliseconds)
    }
}
