// Settings of the operators' console, read by api-proxy (console.md "Access").

/// What operators may do in the console.
package enum ConsoleMode: String, Sendable, CaseIterable {
    /// There is no console.
    case off
    /// Operators can look, but change nothing.
    case read
    /// Operators may also act on jobs and providers; this requires a ``SettingKey/consoleToken``.
    case write
}

extension SettingKey where Value == ConsoleMode {
    package static var console: SettingKey<ConsoleMode> {
        SettingKey(
            "BOOKSTRACK_CONSOLE", .choice, default: .read,
            "Access to the operators' console: off, read, or write (also allows actions on jobs and providers; "
                + "requires BOOKSTRACK_CONSOLE_TOKEN)"
        )
    }
}

extension SettingKey where Value == Secret? {
    package static var consoleToken: Self {
        SettingKey(
            "BOOKSTRACK_CONSOLE_TOKEN", .secret, default: nil,
            "Password of the operators' console, at least 8 characters; if set, the console is also available at /console on the public listener"
        )
    }
}

extension SettingCatalog {
    static let console: [SettingDeclaration] = [
        SettingKey.console.declaration, SettingKey.consoleToken.declaration,
    ]
}
