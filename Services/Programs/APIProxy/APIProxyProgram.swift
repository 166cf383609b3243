import APIProxy

/// The program `api-proxy`.
@main
enum APIProxyProgram {
    static func main() async { await APIProxy.main() }
}
