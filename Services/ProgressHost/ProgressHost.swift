import ServiceKit

@main
enum ProgressHost {
    static func main() async {
        await ServiceMain.run("progress-host", abstract: "Owns the state of every job and the protocol of its sockets.")
        {
            context in
            [try HostService(context)]
        }
    }
}
