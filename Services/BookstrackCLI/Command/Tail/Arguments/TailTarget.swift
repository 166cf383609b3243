import ArgumentParser
import SuiteMethods

/// What `bookstrack tail` is given to follow: a service's name, or `all`.
enum TailTarget: Equatable {
    case one(ServiceName)
    case all

    /// The services that targets name together, each once and in a fixed order; all of them when there is no target.
    static func services(_ targets: [TailTarget]) -> [ServiceName] {
        ServiceName.allCases.filter { targets.isEmpty || targets.contains(.all) || targets.contains(.one($0)) }
    }
}

extension TailTarget: ExpressibleByArgument {
    init?(argument: String) {
        if argument == "all" {
            self = .all
        } else if let service = ServiceName(rawValue: argument) {
            self = .one(service)
        } else {
            return nil
        }
    }

    static var allValueStrings: [String] { ServiceName.allCases.map(\.rawValue) + ["all"] }
}
