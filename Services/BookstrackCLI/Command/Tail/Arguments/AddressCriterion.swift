import ArgumentParser
import ServiceKit

/// An address after `--ip`, or this machine's own.
enum AddressCriterion: ExpressibleByArgument, Equatable {
    case own
    case address(String)

    /// nil for what is no address. It is kept in the spelling that services use.
    init?(argument: String) {
        if argument == "self" {
            self = .own
        } else if let address = IPAddress(argument) {
            self = .address(address.description)
        } else {
            return nil
        }
    }

    func addresses(own: [String]) -> [String] {
        switch self {
        case .own: own
        case .address(let address): [address]
        }
    }
}
