/// The services of the suite (Services/README.md "JSON-RPC").
package enum ServiceName: String, Codable, Sendable, CaseIterable {
    case apiProxy = "api-proxy"
    case progressHost = "progress-host"
    case enrichmentWorker = "enrichment-worker"
}

/// The name of a worker, unique among the workers that use the same runtime directory.
package struct WorkerName: Hashable, Sendable, Comparable {
    /// The default worker, which has no name of its own.
    package static let main = WorkerName(valid: "main")

    private static let longest = 16

    /// The name: 1 to 16 characters of a–z, 0–9 and `-`, with a letter or digit at both ends.
    package let text: String

    /// Creates a name; nil if the text is not a valid one.
    package init?(_ text: String) {
        let isValid = text.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "-")
        }
        guard isValid, (1...Self.longest).contains(text.utf8.count), !text.hasPrefix("-"), !text.hasSuffix("-")
        else { return nil }
        self.text = text
    }

    private init(valid text: String) { self.text = text }

    /// `main` sorts before all others.
    package static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs == .main ? 0 : 1, lhs.text) < (rhs == .main ? 0 : 1, rhs.text)
    }
}

/// A process of the suite: a service and, for a worker, its name.
package struct ServiceInstance: Hashable, Sendable {
    package static let apiProxy = ServiceInstance(service: .apiProxy, worker: nil)
    package static let progressHost = ServiceInstance(service: .progressHost, worker: nil)
    /// The main worker.
    package static let enrichmentWorker = worker(.main)

    /// One process of each service.
    package static let standard = [apiProxy, progressHost, enrichmentWorker]

    package static func worker(_ name: WorkerName) -> ServiceInstance {
        ServiceInstance(service: .enrichmentWorker, worker: name)
    }

    package let service: ServiceName
    /// The name of a worker; nil for services that have only one process.
    package let worker: WorkerName?

    private init(service: ServiceName, worker: WorkerName?) {
        self.service = service
        self.worker = worker
    }

    /// The process with that ``name`` (`enrichment-worker-main` also stands for the main worker); nil if no process can have this name.
    package init?(name: String) {
        let prefix = ServiceName.enrichmentWorker.rawValue + "-"
        if name.hasPrefix(prefix) {
            guard let worker = WorkerName(String(name.dropFirst(prefix.count))) else { return nil }
            self = .worker(worker)
        } else {
            guard let service = ServiceName(rawValue: name) else { return nil }
            self.init(service: service, worker: service == .enrichmentWorker ? .main : nil)
        }
    }

    /// The service's name; for a worker other than `main`, followed by the worker's own name: `enrichment-worker-b`.
    package var name: String {
        guard let worker, worker != .main else { return service.rawValue }
        return "\(service.rawValue)-\(worker.text)"
    }

    /// File name of the process's socket in the runtime directory.
    package var socketName: String { name + ".sock" }

    /// The process that listens on the socket with this file name; nil for any other file.
    package init?(socketName: String) {
        guard socketName.hasSuffix(".sock") else { return nil }
        self.init(name: String(socketName.dropLast(".sock".count)))
        guard self.socketName == socketName else { return nil }
    }
}
