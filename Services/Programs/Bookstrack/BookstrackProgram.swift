import BookstrackCLI

/// The program `bookstrack`.
@main
enum BookstrackProgram {
    static func main() async { await CommandLineProgram.main() }
}
