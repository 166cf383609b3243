/// Parameters that do not decode, with the place: "Invalid params at books[3].isbn: expected String".
struct InvalidParameters: Error, CustomStringConvertible {
    let description: String

    init(_ failure: any Error) {
        guard let failure = failure as? DecodingError else {
            description = "Invalid params"
            return
        }
        let (context, fault) =
            switch failure {
            case .typeMismatch(let type, let context): (context, "expected \(type)")
            case .valueNotFound(let type, let context): (context, "expected \(type), found null")
            case .keyNotFound(let key, let context): (context, "\(key.stringValue) is missing")
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "not decodable")
            }
        let path = Self.path(context.codingPath)
        description = "Invalid params\(path.isEmpty ? "" : " at \(path)"): \(fault)"
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
