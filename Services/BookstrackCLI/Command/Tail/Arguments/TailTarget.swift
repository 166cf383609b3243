import ArgumentParser
import SuiteMethods

/// What `bookstrack tail` is given to follow: a process's name, `enrichment-worker` for all workers, or `all`.
enum TailTarget: Equatable {
    case service(ServiceName)
    case worker(WorkerName)
    case all

    /// The processes that targets name together, each once and in a fixed order; all of them when there is no target.
    ///
    /// - Parameter workers: Those that have a socket.
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
