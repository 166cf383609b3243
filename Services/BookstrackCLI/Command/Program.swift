import APIProxy
import ArgumentParser
import EnrichmentWorker
import ProgressHost
import SuiteMethods

/// The whole suite in one file: under a service's name it is that service, under any other the command line.
///
/// Linked statically, each program carries 60 MB of the Swift libraries; a container image holds this file once and links of the
/// services' names to it.
@main
enum Program {
    static func main() async {
        switch service(named: CommandLine.arguments.first ?? "") {
        case .apiProxy: await APIProxy.main()
        case .progressHost: await ProgressHost.main()
        case .enrichmentWorker: await EnrichmentWorker.main()
        case nil: await BookstrackCommand.start()
        }
    }

    /// The service whose name is the last component of the path by which the program was started.
    static func service(named path: String) -> ServiceName? {
        path.split(separator: "/").last.flatMap { ServiceName(rawValue: String($0)) }
    }
}
