import SuiteMethods

/// Follows one service, and looks for it again when it is gone.
struct ServiceTail {
    let service: ServiceInstance
    /// Path of the service's socket.
    let path: String
    let start: TailFollowing
    var connectLimit = Duration.seconds(2)
    /// Waits before another try.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Tells what happens until the service is given up or the task is cancelled. Nothing is read while `tell` runs.
    func run(_ tell: (TailNews) async -> Void) async {
        var following = start
        while !Task.isCancelled {
            let loss = await follow(&following, tell)
            if Task.isCancelled { return }
            let news = following.lost(loss)
            await tell(news)
            guard case .lost(_, let wait, _) = news else { return }
            do { try await pause(wait) } catch { return }
        }
    }

    private func follow(_ following: inout TailFollowing, _ tell: (TailNews) async -> Void) async -> TailNews.Loss {
        var current = following
        defer { following = current }
        do throws(TailNews.Loss) {
            try await TailConnection(path: path, connectLimit: connectLimit).follow(
                current.parameters,
                attached: { await tell(current.attached($0)) },
                take: { await tell(current.take($0)) })
            return .closed
        } catch {
            return error
        }
    }
}
