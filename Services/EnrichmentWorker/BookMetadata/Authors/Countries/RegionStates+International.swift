import BookstrackContract

extension RegionStates {
    /// What belongs to no region: M49 gives Antarctica none.
    static let international = RegionStates(
        region: .international,
        states: """
            Q51 Antarctica
            """)
}
