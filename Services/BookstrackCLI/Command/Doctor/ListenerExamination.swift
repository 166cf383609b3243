import ProgressClient
import ServiceKit

/// Asks the public port for `/health`.
struct ListenerExamination: Sendable {
    private static let subject = "public port"
    private static let limit = Duration.seconds(3)

    let settings: Settings

    func findings(isRunning: Bool) async -> [Finding] {
        let address = ServerAddress(host: Self.reachable(settings[.httpHost]), port: settings[.httpPort])
        let client = HTTPClient(address: address)
        let answer: Result<HTTPAnswer, ClientFailure>
        do throws(ClientFailure) {
            answer = .success(try await client.send(.get("/health", timeout: Self.limit)))
        } catch {
            answer = .failure(error)
        }
        await client.shutdown()
        return finding(answer, address, isRunning).map { [$0] } ?? []
    }

    private func finding(
        _ answer: Result<HTTPAnswer, ClientFailure>, _ address: ServerAddress, _ isRunning: Bool
    ) -> Finding? {
        switch (answer, isRunning) {
        case (.success(let answer), true) where answer.status == 200: .ok(Self.subject, "\(address)/health answers")
        case (.success(let answer), true):
            .problem(
                Self.subject, "\(address)/health responds with status \(answer.status)",
                advice: "see the log of api-proxy")
        case (.success, false):
            .problem(
                Self.subject, "something answers at \(address), but whether it is api-proxy could not be determined",
                advice:
                    "run this as the services' user; if another program has the port, set BOOKSTRACK_HTTP_PORT to a free one"
            )
        case (.failure(let failure), true):
            .problem(
                Self.subject, "\(failure)",
                advice:
                    "check whether api-proxy was started with a different BOOKSTRACK_HTTP_HOST or BOOKSTRACK_HTTP_PORT")
        case (.failure, false): nil
        }
    }

    /// A listener on every address answers on the machine's own.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}
