import BookstrackContract

extension RegionStates {
    /// Western Asia of M49 and Iran, without Cyprus and the three states of the Caucasus.
    static let middleEast = RegionStates(
        region: .middleEast,
        states: """
            Q398 Bahrain
            Q794 Iran
            Q796 Iraq
            Q801 Israel
            Q810 Jordan
            Q817 Kuwait
            Q822 Lebanon
            Q842 Oman
            Q219060 Palestine
            Q846 Qatar
            Q851 Saudi Arabia
            Q858 Syria
            Q43 Turkey
            Q878 United Arab Emirates
            Q805 Yemen
            """,
        forms: """
            Q207991 Iran
            Q877670 Iran
            Q18234383 Iran
            Q19276517 Iran
            Q63158027 Iran
            Q107258515 Iran
            Q14670 Iraq
            Q149805 Iraq
            Q3041595 Iraq
            Q3108185 Iraq
            Q1121819 Jordan
            Q130842 Lebanon
            Q108865218 Lebanon
            Q157734 Oman
            Q23792 Palestine
            Q146862 Saudi Arabia
            Q146871 Saudi Arabia
            Q956357 Saudi Arabia
            Q1756546 Saudi Arabia
            Q146880 Syria
            Q146885 Syria
            Q26234937 Syria
            Q2949827 Turkey
            Q1852345 United Arab Emirates
            Q49910 Yemen
            Q199841 Yemen
            Q580188 Yemen
            Q1998401 Yemen
            """,
        dissolved: """
            Q12536 Abbasid Caliphate + Africa, Central Asia, Asia
            Q389688 Achaemenid Empire + Africa, Central Asia
            Q230407 Ancient Israel
            Q3185305 Ancient Israel
            Q10914393 Assyria
            Q180114 Ayyubid Sultanate + Africa
            Q63135869 Ayyubid Sultanate + Africa
            Q47690 Babylonia
            Q624887 Babylonia
            Q273874 Buyid Empire
            Q139708 French Mandate for Syria and the Lebanon
            Q178084 Ilkhanate + Asia
            Q16000109 Judea
            Q55502 Kingdom of Jerusalem
            Q48685 Kingdom of Judah
            Q193714 Mandatory Palestine
            Q12560 Ottoman Empire + Europe, Africa
            Q1986139 Parthian Empire
            Q41642 Phoenicia
            Q12490507 Rashidun Caliphate + Africa
            Q15843470 Roman Palestine
            Q83891 Sasanian Empire
            Q93180 Seleucid Empire
            Q3708094 Seljuk Empire + Central Asia
            Q975405 Sultanate of Rum
            Q35355 Sumer
            Q8575586 Umayyad Caliphate + Africa, Europe
            """)
}
