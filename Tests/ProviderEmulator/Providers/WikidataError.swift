import NIOCore
import NIOHTTP1

/// A refusal of the action API: status 200 with an `error` (https://www.mediawiki.org/wiki/API:Errors_and_warnings).
enum WikidataError: Error, Equatable, Sendable {
    case missing(String)
    case tooMany(String, limit: Int)
    case noSuchEntity(String)
    case unknownAction(String)

    private var code: String {
        switch self {
        case .missing: "missingparam"
        case .tooMany: "toomanyvalues"
        case .noSuchEntity: "no-such-entity"
        case .unknownAction: "badvalue"
        }
    }

    private var text: String {
        switch self {
        case .missing(let name): "The \"\(name)\" parameter must be set."
        case .tooMany(let name, let limit): "Too many values supplied for parameter \"\(name)\". The limit is \(limit)."
        case .noSuchEntity(let id): "Could not find an entity with the ID \"\(id)\"."
        case .unknownAction(let name): "Unrecognized value for parameter \"action\": \(name)."
        }
    }

    var answer: Answer {
        var members: [JSONValue.Member] = [
            .init(name: "code", value: .string(code)), .init(name: "info", value: .string(text)),
        ]
        if case .tooMany(_, let limit) = self {
            members.append(.init(name: "limit", value: .integer(limit)))
            members.append(.init(name: "lowlimit", value: .integer(limit)))
            members.append(.init(name: "highlimit", value: .integer(limit * 10)))
        }
        if case .noSuchEntity(let id) = self { members.append(.init(name: "id", value: .string(id))) }
        members.append(.init(name: "*", value: "See the emulator's own documentation for usage."))
        return .json(["error": .object(members), "servedby": "emulator"], headers: ["MediaWiki-API-Error": code])
    }
}
