import APIProxy
import BookstrackCLI
import EnrichmentWorker
import ProgressHost
import SuiteMethods

/// The program `bookstrack-suite`. If it is started under a service's name, it runs that service; under any other name, it is the command line.
///
/// If each service were a statically linked program of its own, each would contain 60 MB of Swift libraries. Therefore, images, packages,
/// tarballs and installations from source contain only this program, named `bookstrack`, and links to it named after the services.
@main
enum SuiteProgram {
    static func main() async {
        switch service(named: CommandLine.arguments.first ?? "") {
        case .apiProxy: await APIProxy.main()
        case .progressHost: await ProgressHost.main()
        case .enrichmentWorker: await EnrichmentWorker.main()
        case nil: await CommandLineProgram.main()
        }
    }

    /// The service whose name is the last component of the path that started the program.
    static func service(named path: String) -> ServiceName? {
        path.split(separator: "/").last.flatMap { ServiceName(rawValue: String($0)) }
    }
}
