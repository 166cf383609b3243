/// How many sockets may be open at once (configuration.md `BOOKSTRACK_MAX_SOCKETS…`).
struct SocketLimits {
    var total = 18_000
    var perJob = 64
    var perAddress = 1_000
}
