import ServiceKit
import SuiteMethods

/// The owner of the truth about every job (Services/README.md).
package enum ProgressHost {
    /// Runs the service until a signal ends it.
    package static func main() async {
        await ServiceMain.run(.progressHost, abstract: "Owns the state of every job and the protocol of its sockets.") {
            context in
            [try HostService(context)]
        }
    }
}
