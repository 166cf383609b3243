package import Foundation

/// The version of all executables of the suite, which are built and released together.
package enum SuiteVersion {
    /// Semantic version, without a leading "v".
    package static let text = "0.2.0"
    /// The day of the release, at its start in UTC: 2026-11-22.
    package static let released = Date(timeIntervalSince1970: 1_795_305_600)
}
