package import HTTPTypes

/// What an entry of the tail is about, as it was when it happened: nothing is turned into text before there is a follower.
package enum TailSubject: Sendable {
    case request(Request)
    case rpc(Call)
    case job(Step)
    /// The entry's own line.
    case log(LoggedLine)

    /// An HTTP request and its answer.
    package struct Request: Sendable {
        /// The HTTP method.
        package var method: String
        /// Path and query as the client sent them; secrets are taken out before they are shown.
        package var target: String
        /// The request's header; secrets are taken out before they are shown.
        package var fields: @Sendable () -> HTTPFields
        /// nil when the client left before there was an answer.
        package var status: Int?
        /// Whose request it is: the client's address, behind trusted proxies the forwarded one.
        package var address: @Sendable () -> String?

        package init(
            method: String, target: String, fields: @escaping @Sendable () -> HTTPFields, status: Int?,
            address: @escaping @Sendable () -> String?
        ) {
            self.method = method
            self.target = target
            self.fields = fields
            self.status = status
            self.address = address
        }
    }

    /// A call that this process answered.
    package struct Call: Sendable {
        /// The method, as the caller named it.
        package var method: String
        /// The caller's process.
        package var peerPID: Int32
        /// The error's code when it was refused.
        package var code: String?

        package init(method: String, peerPID: Int32, code: String?) {
            self.method = method
            self.peerPID = peerPID
            self.code = code
        }
    }

    /// A step of a job.
    package struct Step: Sendable {
        /// The names on the wire.
        package enum Name: String, Codable, Sendable, CaseIterable {
            case accepted, started, completed, failed, cancelled
            /// A worker looked an item up.
            case lookedUp = "looked_up"
            /// An item's outcome was stored.
            case recorded
            case socketOpened = "socket_opened"
            case socketClosed = "socket_closed"
        }

        /// Which one.
        package var name: Name
        /// The item's place in the job, from 0, where the step is about one.
        package var index: Int?
        /// What came out of it, in a word: an item's state, a close code.
        package var result: String?
        /// Why it failed: a code of the contract.
        package var code: String?

        package init(_ name: Name, index: Int? = nil, result: String? = nil, code: String? = nil) {
            self.name = name
            self.index = index
            self.result = result
            self.code = code
        }
    }
}
