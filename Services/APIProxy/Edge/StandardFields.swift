import HTTPTypes

/// Header fields of every answer (spec/02 "Envelope" and "CORS").
enum StandardFields {
    static let apiVersion = "2.1"
    static let json = "application/json; charset=utf-8"
    static let requestId = HTTPField.Name.known("X-Request-Id")

    /// Adds what every answer carries; `origin` is the request's.
    static func add(to fields: inout HTTPFields, _ exchange: Exchange, origin: String?, origins: OriginList) {
        fields[.known("X-API-Version")] = apiVersion
        fields[requestId] = exchange.requestId
        fields[.known("X-Response-Time")] = "\(exchange.milliseconds)ms"
        fields.append(HTTPField(name: .vary, value: "Origin"))
        guard let origin, origins.allows(origin) else { return }
        fields[.accessControlAllowOrigin] = origin
        fields[.accessControlExposeHeaders] =
            "X-API-Version, X-Request-Id, X-Response-Time, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, "
            + "Retry-After, Deprecation, Sunset, Link"
    }
}

extension HTTPField.Name {
    /// A name that is written down in the source and therefore valid.
    static func known(_ text: StaticString) -> HTTPField.Name {
        guard let name = HTTPField.Name("\(text)") else { preconditionFailure("\(text) is no field name") }
        return name
    }
}
