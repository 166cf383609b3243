import ArgumentParser
import Foundation

/// An address after `--ip`, or this machine's own.
enum AddressCriterion: ExpressibleByArgument, Equatable {
    case own
    case address(String)

    /// nil for what is no address. It is kept in the spelling that services use.
    init?(argument: String) {
        if argument == "self" {
            self = .own
        } else if let address = Self.canonical(argument) {
            self = .address(address)
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

    /// An address as inet_ntop(3) spells it; nil for what is none.
    private static func canonical(_ text: String) -> String? {
        var bytes = in6_addr()
        for (family, length) in [(AF_INET, INET_ADDRSTRLEN), (AF_INET6, INET6_ADDRSTRLEN)]
        where inet_pton(family, text, &bytes) == 1 {
            var spelling = [CChar](repeating: 0, count: Int(length))
            guard inet_ntop(family, &bytes, &spelling, socklen_t(length)) != nil else { return nil }
            return String(decoding: spelling.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        return nil
    }
}
