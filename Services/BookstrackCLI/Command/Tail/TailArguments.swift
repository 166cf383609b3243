public import ArgumentParser
import Foundation
public import Logging
import NIOCore
import Observability
import ServiceKit
import SuiteMethods

/// The services that one argument names: a process's name, `enrichment-worker` for all workers, or `all`.
enum TailTarget: Equatable {
    case service(ServiceName)
    case worker(WorkerName)
    case all

    /// The processes of all targets, without duplicates and in a fixed order; all processes if there is no target.
    ///
    /// - Parameter workers: The main worker, and the other workers with a socket.
    static func services(_ targets: [TailTarget], workers: [ServiceInstance]) -> [ServiceInstance] {
        let named = targets.compactMap { target in
            if case .worker(let name) = target { ServiceInstance.worker(name) } else { nil }
        }
        let extra = Set(named).subtracting(workers).sorted { $0.name < $1.name }
        return ([.apiProxy, .progressHost] + workers + extra).filter { instance in
            targets.isEmpty || targets.contains(.all) || targets.contains(.service(instance.service))
                || named.contains(instance)
        }
    }
}

extension TailTarget: ExpressibleByArgument {
    init?(argument: String) {
        if argument == "all" {
            self = .all
        } else if let service = ServiceName(rawValue: argument) {
            self = .service(service)
        } else if let worker = ServiceInstance(name: argument)?.worker {
            self = .worker(worker)
        } else {
            return nil
        }
    }

    static var allValueStrings: [String] { ServiceInstance.standard.map(\.name) + ["all"] }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// The output format.
enum TailFormat: String, ExpressibleByArgument, CaseIterable {
    /// One JSON object per line.
    case json
    /// Text for users to read.
    case pretty
}

/// The value of `--ip`: an address, or this machine's own.
enum AddressCriterion: ExpressibleByArgument, Equatable {
    case own
    case address(String)

    /// Nil if the argument is neither `self` nor an address. The address is stored in the notation that the services use.
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

/// The addresses from which this machine's own requests come.
enum OwnAddresses {
    /// The addresses of the machine's network interfaces, and loopback.
    static func read() -> [String] {
        let devices = (try? System.enumerateDevices()) ?? []
        let found = devices.compactMap { $0.address?.ipAddress }
        return Set(found + ["127.0.0.1", "::1"]).sorted()
    }
}

/// The value of `--header`: `NAME` or `NAME:TEXT`.
struct HeaderCriterion: ExpressibleByArgument, Equatable {
    let header: TailFilter.Header

    /// Parses an argument; nil if the name is invalid.
    init?(argument: String) {
        guard let header = TailFilter.Header(argument) else { return nil }
        self.header = header
    }
}

/// The value of `--since` or `--before`: a time, or how long ago it was.
enum PointInPast: ExpressibleByArgument, Equatable {
    case ago(seconds: Int64)
    /// A time, in milliseconds since 1970.
    case time(Int64)

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    private static let maxSeconds: Int64 = 366 * 86_400

    /// Parses `90s`, `10m`, `2h`, `1d`, or an ISO 8601 time with its zone; nil for anything else, and for spans shorter than 1 s or
    /// longer than 366 days.
    init?(argument: String) {
        if let unit = argument.last.flatMap({ Self.units[$0] }), let count = Int64(argument.dropLast()) {
            guard count > 0, count <= Self.maxSeconds / unit else { return nil }
            self = .ago(seconds: count * unit)
            return
        }
        let whole = Date.ISO8601FormatStyle()
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? whole.parse(argument)) ?? (try? fractional.parse(argument)) else { return nil }
        self = .time(Int64((date.timeIntervalSince1970 * 1_000).rounded()))
    }

    /// The point in time, in milliseconds since 1970.
    func milliseconds(now: Int64) -> Int64 {
        switch self {
        case .ago(let seconds): now - seconds * 1_000
        case .time(let time): time
        }
    }
}

/// Parsed by name, for example "warning".
extension Logger.Level: @retroactive ExpressibleByArgument {}
