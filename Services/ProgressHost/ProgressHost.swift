import ServiceKit
import SuiteMethods

@main
enum ProgressHost {
    static func main() async {
        await ServiceMain.run(.progressHost, abstract: "Owns the state of every job and the protocol of its sockets.") {
            context in
            [try HostService(context)]
        }
    }
}
