/// The connection was closed before a single byte of the answer: a kept connection that the server had given up.
struct UnansweredClose: Error {}
