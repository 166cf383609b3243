public import BookstrackContract
public import Foundation

/// Makes calls and reads responses.
extension BookstrackClient {
    /// Calls a route that has no method of its own, or whose response metadata is needed.
    ///
    /// ```swift
    /// let request = ClientRequest("GET", "/v1/search/title?q=Dune&explain=true")
    /// let answer = try await client.answer(to: request, as: SearchResults.self)
    /// print(answer.data.resultCount, answer.metadata.provider ?? "")
    /// ```
    public func answer<Body: Codable & Sendable>(to request: ClientRequest, as type: Body.Type = Body.self)
        async throws(BookstrackError) -> APIAnswer<Body>
    {
        let answer = try await send(request)
        let envelope = try decode(SuccessEnvelope<Body>.self, answer.body)
        return APIAnswer(
            data: envelope.data, metadata: envelope.metadata, ageSeconds: answer.headers["age"].flatMap { Int($0) },
            text: answer.body)
    }

    func get<Answer: Codable & Sendable>(_ path: String, _ query: KeyValuePairs<String, String?>)
        async throws(BookstrackError) -> Answer
    {
        try await answer(ClientRequest("GET", Self.target(path, query)))
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
        try await self.answer(to: request).data
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
            throw BookstrackError(.unexpectedAnswer, "the response cannot be decoded: \(error)")
        }
    }

    static func encode(_ body: some Encodable) throws(BookstrackError) -> Data {
        do {
            let encoder = JSONEncoder()
            // Without this, the members of a dictionary, such as a `mapping`, would be in a different order in each process.
            encoder.outputFormatting = .sortedKeys
            return try encoder.encode(body)
        } catch {
            throw BookstrackError(.init(.invalidRequest), "the request cannot be encoded: \(error)")
        }
    }

    /// A path with a query, which omits the parameters that are nil. In the values, all characters except RFC 3986's unreserved ones are
    /// percent-encoded, including `+` and `&`.
    package static func target(_ path: String, _ query: KeyValuePairs<String, String?>) -> String {
        let unreserved = CharacterSet(charactersIn: "-._~").union(
            .alphanumerics.intersection(.init(charactersIn: "\0"..."~")))
        let items = query.compactMap { name, value in
            value.map { "\(name)=\($0.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")" }
        }
        return "\(path)?\(items.joined(separator: "&"))"
    }

    // MARK: Tokens

    func token(of job: JobID) async throws(BookstrackError) -> String {
        guard let token = try await storedToken(of: job) else {
            throw BookstrackError(.tokenMissing, "there is no token for job \(job)")
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

    /// Removes a job's token.
    func forget(_ job: JobID) async throws(BookstrackError) {
        do {
            try await tokens.remove(job)
        } catch {
            throw BookstrackError(.storageFailed, "the token store cannot be written: \(error)")
        }
    }

    /// Cancels a job and removes its token; has no effect if there is no token. If the server does not accept the token, or no longer has the job,
    /// only the token is removed. Any other error is thrown, and so is a 401 without an envelope, which a proxy has sent.
    func abandon(_ job: JobID) async throws(BookstrackError) {
        do {
            try await cancel(job)
        } catch  where error.recovery == .startAgain && !error.isCodeOfStatus {}
        try await forget(job)
    }

    func bearer(_ job: JobID) async throws(BookstrackError) -> [String: String] {
        ["Authorization": "Bearer \(try await token(of: job))"]
    }
}

/// A successful API response with its metadata (http-api.md "Envelope").
public struct APIAnswer<Body: Codable & Sendable>: Sendable {
    /// The requested data.
    public var data: Body
    /// The response metadata, such as the data's source.
    public var metadata: ResponseMetadata
    /// Age of the response in seconds (RFC 9111 §5.1); nil if it does not come from a cache.
    public var ageSeconds: Int?
    /// The whole envelope, as received.
    public var text: Data

    /// Creates a response.
    public init(data: Body, metadata: ResponseMetadata, ageSeconds: Int? = nil, text: Data = Data()) {
        self.data = data
        self.metadata = metadata
        self.ageSeconds = ageSeconds
        self.text = text
    }
}
