/// The version of all executables of the suite, which are built and released together.
package enum SuiteVersion {
    /// Semantic version, without a leading "v".
    package static let text = "0.1.0"
}
