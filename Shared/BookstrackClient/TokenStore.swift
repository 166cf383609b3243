public import BookstrackContract
public import Foundation

/// Where the tokens of jobs are kept (websocket.md "Tokens").
///
/// The library saves a token when a job is started and when it is refreshed, and reads it whenever it follows or changes the job. Whoever has the
/// token may cancel the job, so a store must not be readable for others.
public protocol TokenStore: Sendable {
    /// The token of a job, if the store has one.
    func token(of job: JobID) async throws -> String?

    /// Keeps the token of a job, instead of an earlier one.
    func save(_ token: String, of job: JobID) async throws

    /// Forgets the token of a job.
    func remove(_ job: JobID) async throws

    /// Forgets every token.
    func removeAll() async throws
}

/// Keeps tokens as long as the process runs.
public actor MemoryTokenStore: TokenStore {
    private var tokens: [JobID: String] = [:]

    /// Makes an empty store.
    public init() {}

    /// The token of a job, if the store has one.
    public func token(of job: JobID) -> String? { tokens[job] }

    /// Keeps the token of a job.
    public func save(_ token: String, of job: JobID) { tokens[job] = token }

    /// Forgets the token of a job.
    public func remove(_ job: JobID) { tokens[job] = nil }

    /// Forgets every token.
    public func removeAll() { tokens = [:] }
}

/// Keeps tokens in a file that only its user can read (mode 0600), so that jobs can be followed after a new start.
///
/// For Linux and for command lines; apps on Apple platforms use `KeychainTokenStore`. One process writes a file at a time.
public actor FileTokenStore: TokenStore {
    private let file: PrivateFile
    private var tokens: [String: String]?

    /// Uses the file at `url`, which is made when the first token is saved.
    public init(url: URL) { file = PrivateFile(url: url) }

    /// The token of a job, if the store has one.
    public func token(of job: JobID) throws -> String? { try load()[job.text] }

    /// Keeps the token of a job.
    public func save(_ token: String, of job: JobID) throws {
        var changed = try load()
        changed[job.text] = token
        try store(changed)
    }

    /// Forgets the token of a job.
    public func remove(_ job: JobID) throws {
        var changed = try load()
        guard changed.removeValue(forKey: job.text) != nil else { return }
        try store(changed)
    }

    /// Forgets every token.
    public func removeAll() throws { try store([:]) }

    private func load() throws -> [String: String] {
        if let tokens { return tokens }
        let loaded = try file.read().map { try JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
        tokens = loaded
        return loaded
    }

    private func store(_ changed: [String: String]) throws {
        try file.write(JSONEncoder().encode(changed))
        tokens = changed
    }
}

/// A small file that is replaced as a whole and readable for its user alone.
struct PrivateFile: Sendable {
    let url: URL

    /// The content; nil if there is no file.
    func read() throws -> Data? {
        do {
            return try Data(contentsOf: url)
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        }
    }

    /// Writes beside the file and renames, so that a crash leaves the old content or the new one.
    func write(_ data: Data) throws {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let draft = folder.appending(path: ".\(url.lastPathComponent).\(UUID().uuidString)")
        guard
            FileManager.default.createFile(
                atPath: draft.path, contents: data, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        do {
            guard rename(draft.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw error
        }
    }
}

#if canImport(Security)
    import Security

    /// Keeps tokens in the keychain of the app, readable after the first unlock and never copied to another device.
    public actor KeychainTokenStore: TokenStore {
        private let service: String

        /// Uses the items of `service`.
        public init(service: String = "app.bookstrack.tokens") { self.service = service }

        /// The token of a job, if the store has one.
        public func token(of job: JobID) throws -> String? {
            var query = item(of: job)
            query[kSecReturnData as String] = true
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            try check(status)
            return (found as? Data).map { String(decoding: $0, as: UTF8.self) }
        }

        /// Keeps the token of a job.
        public func save(_ token: String, of job: JobID) throws {
            try remove(job)
            var added = item(of: job)
            added[kSecValueData as String] = Data(token.utf8)
            added[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            try check(SecItemAdd(added as CFDictionary, nil))
        }

        /// Forgets the token of a job.
        public func remove(_ job: JobID) throws { try delete(item(of: job)) }

        /// Forgets every token.
        public func removeAll() throws {
            try delete([
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            ])
        }

        private func item(of job: JobID) -> [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: job.text,
            ]
        }

        private func delete(_ query: [String: Any]) throws {
            let status = SecItemDelete(query as CFDictionary)
            if status != errSecItemNotFound { try check(status) }
        }

        private func check(_ status: OSStatus) throws {
            if status != errSecSuccess { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
        }
    }
#endif
