import Synchronization

/// Places for objects that are made when they are first needed, without a lock; of two that are made at the same time, one stays.
final class LazyPlaces<Element: AnyObject & Sendable>: Sendable {
    static var count: Int { 32 }

    private let places = InlineArray<32, AtomicLazyReference<Element>> { _ in AtomicLazyReference() }

    /// What is at a place, if anything.
    func existing(at place: Int) -> Element? { places[place].load() }

    /// What was made so far, in the order of the places.
    var existing: [Element] { places.indices.compactMap { places[$0].load() } }

    func element(at place: Int, make: () -> Element) -> Element {
        places[place].load() ?? places[place].storeIfNil(make())
    }
}
