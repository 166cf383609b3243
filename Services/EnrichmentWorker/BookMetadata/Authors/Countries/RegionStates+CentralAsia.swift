import BookstrackContract

extension RegionStates {
    /// Central Asia of M49.
    static let centralAsia = RegionStates(
        region: .centralAsia,
        states: """
            Q232 Kazakhstan
            Q813 Kyrgyzstan
            Q863 Tajikistan
            Q874 Turkmenistan
            Q265 Uzbekistan
            """,
        forms: """
            Q130276 Kyrgyzstan
            """,
        dissolved: """
            Q487829 Chagatai Khanate
            Q746558 Emirate of Bukhara
            Q494354 Kara-Khanid Khanate
            Q1433867 Kazakh Khanate
            Q68682 Khanate of Bukhara
            Q577668 Khanate of Bukhara
            Q491106 Khanate of Khiva
            Q696241 Khanate of Kokand
            Q4453007 Khanate of Tashkent
            Q63134381 Khwarazmian Empire + Middle East
            Q12150341 Samanid Empire + Asia, Middle East
            Q484195 Timurid Empire + Asia, Middle East
            Q75903 Turkestan
            """)
}
