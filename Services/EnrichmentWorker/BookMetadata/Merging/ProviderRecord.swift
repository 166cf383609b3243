import BookstrackContract

/// A record whose fields all come from one provider.
protocol ProviderRecord {
    var provider: DataProvider { get }
}

extension EditionRecord: ProviderRecord {}
extension WorkRecord: ProviderRecord {}
