package import JSONRPC

/// The settings that a process runs with (`bookstrack config`, `bookstrack doctor`). Answered by every service. Secrets stay in the process:
/// their value says whether they are set.
package enum ReadSettings: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "service.settings"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(4)

    package struct Result: Codable, Sendable {
        /// The service that answers.
        package var service: ServiceName
        /// When the process was started, in milliseconds since 1970.
        package var startedAt: Int64
        /// Every setting, in the order of `bookstrack config`.
        package var settings: [Setting]

        package init(service: ServiceName, startedAt: Int64, settings: [Setting]) {
            self.service = service
            self.startedAt = startedAt
            self.settings = settings
        }
    }

    /// The effective value of one setting.
    package struct Setting: Codable, Sendable, Equatable {
        /// What a secret's value is replaced with.
        package static let secretIsSet = "set"
        package static let secretIsNotSet = "not set"

        /// Source of an address that the service manager has chosen.
        package static let serviceManager = "socket unit of the service manager"

        /// Name of the environment variable.
        package var name: String
        /// The effective value in the form that the variable takes; of a secret, "set" or "not set". Empty when there is none.
        package var value: String
        /// The layer that it comes from, for people: "environment", "default", a file's path.
        package var source: String
        /// Whether no layer has a value.
        package var isDefault: Bool

        package init(name: String, value: String, source: String, isDefault: Bool) {
            self.name = name
            self.value = value
            self.source = source
            self.isDefault = isDefault
        }
    }
}
