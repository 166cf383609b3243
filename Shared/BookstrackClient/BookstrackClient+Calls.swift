import BookstrackContract
import Foundation

/// How calls are made and answers are read.
extension BookstrackClient {
    func get<Answer: Codable & Sendable>(_ path: String, _ query: [String: String]) async throws(BookstrackError)
        -> Answer
    {
        let items = query.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.escape($0.value))" }
        return try await answer(ClientRequest("GET", "\(path)?\(items.joined(separator: "&"))"))
    }

    func send<Answer: Codable & Sendable>(json body: some Encodable, to path: String) async throws(BookstrackError)
        -> Answer
    {
        try await answer(
            ClientRequest(
                "POST", path, headers: ["Content-Type": "application/json"], body: try Self.encode(body),
                timeout: .seconds(120)))
    }

    /// Sends a request and reads the `data` of its envelope (http-api.md "Envelope").
    func answer<Answer: Codable & Sendable>(_ request: ClientRequest) async throws(BookstrackError) -> Answer {
        let answer = try await send(request)
        return try decode(SuccessEnvelope<Answer>.self, answer.body).data
    }

    func send(_ request: ClientRequest) async throws(BookstrackError) -> ClientAnswer {
        let answer: ClientAnswer
        do {
            answer = try await transport.answer(to: request)
        } catch {
            throw BookstrackError(error)
        }
        guard (200..<300).contains(answer.status) else { throw BookstrackError(answer) }
        return answer
    }

    func decode<Body: Decodable>(_ type: Body.Type, _ body: Data) throws(BookstrackError) -> Body {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            throw BookstrackError(.unexpectedAnswer, "the answer cannot be read: \(error)")
        }
    }

    static func encode(_ body: some Encodable) throws(BookstrackError) -> Data {
        do {
            return try JSONEncoder().encode(body)
        } catch {
            throw BookstrackError(.storageFailed, "the request cannot be written: \(error)")
        }
    }

    /// Percent-encodes everything but RFC 3986's unreserved characters, `+` and `&` included.
    private static func escape(_ text: String) -> String {
        let unreserved = CharacterSet(charactersIn: "-._~").union(
            .alphanumerics.intersection(.init(charactersIn: "\0"..."~")))
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    // MARK: Tokens

    func token(of job: JobID) async throws(BookstrackError) -> String {
        guard let token = try await storedToken(of: job) else {
            throw BookstrackError(.tokenMissing, "there is no token of job \(job)")
        }
        return token
    }

    func storedToken(of job: JobID) async throws(BookstrackError) -> String? {
        do {
            return try await tokens.token(of: job)
        } catch {
            throw BookstrackError(.storageFailed, "the token store cannot be read: \(error)")
        }
    }

    func save(_ token: String, of job: JobID) async throws(BookstrackError) {
        do {
            try await tokens.save(token, of: job)
        } catch {
            throw BookstrackError(.storageFailed, "the token store cannot be written: \(error)")
        }
    }

    func bearer(_ job: JobID) async throws(BookstrackError) -> [String: String] {
        ["Authorization": "Bearer \(try await token(of: job))"]
    }
}
