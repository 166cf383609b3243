/// Exit status of the suite's services, after sysexits(3) where it has one. A second signal ends the process with 128 plus
/// the signal's number.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    /// A service ended or failed by itself.
    case failure = 1
    /// An option is unknown, or has no value.
    case usage = 64
    /// The services did not stop within `ServiceMain.stopLimit`.
    case stopTookTooLong = 75
    /// A setting is wrong.
    case configuration = 78

    /// In words, for `--help`.
    package var meaning: String {
        switch self {
        case .success: "stopped as asked"
        case .failure: "failed"
        case .usage: "wrong option"
        case .stopTookTooLong: "stopping took too long"
        case .configuration: "bad setting"
        }
    }
}
