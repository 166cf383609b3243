import Dispatch

/// Where a tail is written. Writing may take as long as the reader likes; nothing else is done meanwhile.
struct TailOutput: Sendable {
    /// Writes events.
    var write: @Sendable (String) async -> Void
    /// Says something about the tail itself.
    var note: @Sendable (StyledText) async -> Void
    /// Width of the terminal that events are written to; nil when it is none.
    var columns: @Sendable () -> Int?

    /// Standard output and standard error, written on a thread of their own.
    static func standard(environment: TerminalEnvironment) -> TailOutput {
        let queue = DispatchQueue(label: "bookstrack.tail.output")
        let perform: @Sendable (@escaping @Sendable () -> Void) async -> Void = { body in
            await withCheckedContinuation { continuation in
                queue.async {
                    body()
                    continuation.resume()
                }
            }
        }
        let colours = environment.allowsColours && StandardStreams.errorColumns != nil
        return TailOutput(
            write: { text in await perform { StandardStreams.writeOutput(text) } },
            note: { text in await perform { StandardStreams.writeError(text.text(colours: colours) + "\n") } },
            columns: { StandardStreams.outputColumns })
    }
}
