import BookstrackContract
package import JSON
import JSONRPC

// Bodies that are exchanged for every socket. They are coded by hand because there may be thousands of sockets (``HandCodedBody``).

extension OpenSocket.Parameters: HandCodedBody {
    package init?(_ json: ObjectReader) {
        guard let socket = SocketID(json), let request = json.reader("request").flatMap({ SocketRequest($0) }) else {
            return nil
        }
        self.init(socket: socket, request: request)
    }

    package func write(to json: inout JSONWriter) {
        json.openObject()
        socket.writeMember(to: &json)
        json.beginMember("request", at: 1)
        request.write(to: &json)
        json.close(to: 0)
    }
}

extension OpenSocket.Result: HandCodedBody {
    package init?(_ json: ObjectReader) {
        self.init(
            tokenNumber: json.integer("tokenNumber", as: Int64.self), replaysAfter: json.integer("replaysAfter"),
            isOver: json.boolean("isOver"))
    }

    package func write(to json: inout JSONWriter) {
        json.openObject()
        if let tokenNumber { json.writeMember("tokenNumber", tokenNumber, at: 1) }
        if let replaysAfter { json.writeMember("replaysAfter", replaysAfter, at: 1) }
        if let isOver { json.writeMember("isOver", isOver, at: 1) }
        json.close(to: 0)
    }
}

extension SocketRequest: HandCodedBody {
    package init?(_ json: ObjectReader) {
        guard let jobId = json.string("jobId").flatMap({ JobID($0) }), let reconnect = json.boolean("reconnect"),
            let v1 = json.boolean("v1")
        else { return nil }
        self.init(
            jobId: jobId, token: json.string("token"), reconnect: reconnect, since: json.integer("since"), v1: v1,
            isOneWay: json.boolean("isOneWay"), followsResults: json.boolean("followsResults"))
        isOperator = json.boolean("isOperator")
    }

    package func write(to json: inout JSONWriter) {
        json.openObject()
        let depth = json.depth
        json.writeMember("jobId", jobId.text, at: depth)
        if let token { json.writeMember("token", token, at: depth) }
        json.writeMember("reconnect", reconnect, at: depth)
        if let since { json.writeMember("since", since, at: depth) }
        json.writeMember("v1", v1, at: depth)
        if let isOneWay { json.writeMember("isOneWay", isOneWay, at: depth) }
        if let followsResults { json.writeMember("followsResults", followsResults, at: depth) }
        if let isOperator { json.writeMember("isOperator", isOperator, at: depth) }
        json.close(to: depth - 1)
    }
}

extension SocketMessage.Parameters: HandCodedBody {
    package init?(_ json: ObjectReader) {
        guard let socket = SocketID(json), let text = json.string("text") else { return nil }
        self.init(socket: socket, text: text)
    }

    package func write(to json: inout JSONWriter) {
        json.openObject()
        socket.writeMember(to: &json)
        json.writeMember("text", text, at: 1)
        json.close(to: 0)
    }
}

extension SocketNotice: HandCodedBody {
    package init?(_ json: ObjectReader) {
        guard let socket = SocketID(json) else { return nil }
        self.init(socket: socket)
    }

    package func write(to json: inout JSONWriter) {
        json.openObject()
        socket.writeMember(to: &json)
        json.close(to: 0)
    }
}

extension SocketID {
    /// Reads the member `socket` of a body; nil if it is missing or has the wrong type.
    fileprivate init?(_ body: ObjectReader) {
        guard let number = body.integer("socket", as: UInt64.self) else { return nil }
        self.init(number)
    }

    /// Writes the member `socket` of a body.
    fileprivate func writeMember(to body: inout JSONWriter) { body.writeMember("socket", number, at: 1) }
}
