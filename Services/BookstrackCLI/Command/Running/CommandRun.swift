import ArgumentParser
import Foundation

/// Runs a verb's body and turns what it throws into a message on standard error and an exit status.
func runVerb(_ body: () async throws -> ExitStatus) async throws {
    let status: ExitStatus
    do {
        status = try await body()
    } catch let exit as ExitCode {
        throw exit
    } catch {
        let failure = CommandFailure(error)
        StandardStreams.writeMessage("bookstrack: \(failure.message)")
        throw failure.status.exit
    }
    if status != .success { throw status.exit }
}
