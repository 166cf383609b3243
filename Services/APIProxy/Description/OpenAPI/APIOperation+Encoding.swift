extension APIOperation {
    /// One path of the operation, as OpenAPI describes it.
    struct Described: Encodable {
        var operation: APIOperation
        /// Which of `operation.paths`.
        var index: Int

        private enum Key: String, CodingKey {
            case operationId, tags, summary, description, parameters, requestBody, responses, security, deprecated
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(index == 0 ? operation.id : "\(operation.id)Alias\(index)", forKey: .operationId)
            try container.encode([operation.group.rawValue], forKey: .tags)
            try container.encode(operation.summary, forKey: .summary)
            try container.encodeIfPresent(notes, forKey: .description)
            if !operation.parameters.isEmpty { try container.encode(operation.parameters, forKey: .parameters) }
            try container.encodeIfPresent(operation.body, forKey: .requestBody)
            var responses = container.nestedContainer(keyedBy: MemberName.self, forKey: .responses)
            for answer in operation.allAnswers {
                try responses.encode(answer, forKey: MemberName("\(answer.status)"))
            }
            if operation.needsToken { try container.encode([["jobToken": [String]()]], forKey: .security) }
            if operation.isDeprecated { try container.encode(true, forKey: .deprecated) }
        }

        private var notes: String? {
            guard index > 0 else { return operation.notes }
            let alias = "The same as \(operation.paths[0])."
            return operation.notes.map { "\(alias) \($0)" } ?? alias
        }
    }
}
