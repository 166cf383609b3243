public import BookstrackContract
public import Foundation

/// Storage for job tokens (websocket.md "Tokens").
///
/// The library saves a token when a job is started, when the token is refreshed, and when an app passes one to ``WebSocketProgressManager``. It reads
/// the token for the calls that need it. Only ``EnrichmentQueue`` and ``SyncCoordinator`` remove tokens: those of their own jobs. Anyone with the
/// token can cancel the job, so a store must not be readable by others.
public protocol TokenStore: Sendable {
    /// Returns a job's token, if the store has one.
    func token(of job: JobID) async throws -> String?

    /// Saves a job's token, replacing an earlier one.
    func save(_ token: String, of job: JobID) async throws

    /// Removes a job's token.
    func remove(_ job: JobID) async throws

    /// Removes all tokens.
    func removeAll() async throws
}

/// Keeps tokens in memory while the process runs.
public actor MemoryTokenStore: TokenStore {
    private var tokens: [JobID: String] = [:]

    /// Creates an empty store.
    public init() {}

    /// Returns a job's token, if the store has one.
    public func token(of job: JobID) -> String? { tokens[job] }

    /// Saves a job's token.
    public func save(_ token: String, of job: JobID) { tokens[job] = token }

    /// Removes a job's token.
    public func remove(_ job: JobID) { tokens[job] = nil }

    /// Removes all tokens.
    public func removeAll() { tokens = [:] }
}

/// Keeps tokens in a file that only its owner can read (mode 0600), so jobs can still be followed after a restart.
///
/// It is intended for Linux and for command-line programs; apps on Apple platforms use `KeychainTokenStore`. Only one store at a time may use a file,
/// because a store reads its file only once.
public actor FileTokenStore: TokenStore {
    private let file: PrivateFile
    private var tokens: [String: String]?

    /// Uses the file at `url`, which is created when the first token is saved.
    public init(url: URL) { file = PrivateFile(url: url) }

    /// Returns a job's token, if the store has one.
    public func token(of job: JobID) throws -> String? { try load()[job.text] }

    /// Saves a job's token.
    public func save(_ token: String, of job: JobID) throws {
        var changed = try load()
        changed[job.text] = token
        try store(changed)
    }

    /// Removes a job's token.
    public func remove(_ job: JobID) throws {
        var changed = try load()
        guard changed.removeValue(forKey: job.text) != nil else { return }
        try store(changed)
    }

    /// Removes all tokens.
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

/// A small file that is replaced atomically and readable only by its owner.
struct PrivateFile: Sendable {
    let url: URL

    /// Returns the content; nil if there is no file.
    func read() throws -> Data? {
        do {
            return try Data(contentsOf: url)
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        }
    }

    /// Writes a temporary file and renames it, so a crash leaves either the old or the new content. The file is synced first; otherwise, some file
    /// systems leave an empty file after a power failure.
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
            let handle = try FileHandle(forWritingTo: draft)
            defer { try? handle.close() }
            try handle.synchronize()
            guard rename(draft.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw error
        }
    }
}

#if canImport(Security)
    import Security

    /// Keeps tokens in the app's keychain, readable after the first unlock and never copied to another device.
    public actor KeychainTokenStore: TokenStore {
        private let service: String

        /// Uses the keychain items of `service`.
        public init(service: String = "app.bookstrack.tokens") { self.service = service }

        /// Returns a job's token, if the store has one.
        public func token(of job: JobID) throws -> String? {
            var query = item(of: job)
            query[kSecReturnData as String] = true
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            try check(status)
            return (found as? Data).map { String(decoding: $0, as: UTF8.self) }
        }

        /// Saves a job's token.
        public func save(_ token: String, of job: JobID) throws {
            let content: [String: Any] = [
                kSecValueData as String: Data(token.utf8),
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            // An earlier token is replaced in one step, so it is not lost if storing the new one fails.
            let status = SecItemUpdate(item(of: job) as CFDictionary, content as CFDictionary)
            guard status == errSecItemNotFound else { return try check(status) }
            try check(SecItemAdd(item(of: job).merging(content) { $1 } as CFDictionary, nil))
        }

        /// Removes a job's token.
        public func remove(_ job: JobID) throws { try delete(item(of: job)) }

        /// Removes all tokens.
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
