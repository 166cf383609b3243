import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

extension Suite {
    /// What a run of `bookstrack` came to.
    package struct CommandRun: Sendable {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    /// Runs `bookstrack` with the services' settings until it ends.
    package func bookstrack(_ arguments: String...) async throws -> CommandRun { try await bookstrack(arguments) }

    /// Starts `bookstrack` with the services' settings on a terminal.
    package func terminal(
        _ arguments: [String], columns: UInt16 = 80, environment changes: [String: String] = [:]
    ) throws -> TerminalProcess {
        try TerminalProcess(arguments, environment: environment.merging(changes) { $1 }, columns: columns)
    }

    /// The same with a list of arguments.
    package func bookstrack(_ arguments: [String]) async throws -> CommandRun {
        let result = try await Subprocess.run(
            .path(FilePath(BuiltProduct.commandLine.path)), arguments: Arguments(arguments),
            environment: .custom(
                Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) })
            ),
            output: .string(limit: 4 << 20), error: .string(limit: 1 << 20))
        guard case .exited(let status) = result.terminationStatus else {
            throw ServiceProcess.Failure(description: "bookstrack \(arguments) was ended by a signal")
        }
        return CommandRun(status: status, output: result.standardOutput, errors: result.standardError)
    }
}
