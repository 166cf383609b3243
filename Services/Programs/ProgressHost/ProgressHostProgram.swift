import ProgressHost

/// The program `progress-host`.
@main
enum ProgressHostProgram {
    static func main() async { await ProgressHost.main() }
}
