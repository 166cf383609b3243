import BookstrackContract

extension RegionStates {
    /// Europe of M49 with Russia; and Cyprus, Armenia, Azerbaijan and Georgia, which are members of the Council of
    /// Europe and in no common definition of the Middle East.
    static let europe = RegionStates(
        region: .europe,
        states: """
            Q31354462 Abkhazia
            Q222 Albania
            Q228 Andorra
            Q399 Armenia
            Q244165 Artsakh
            Q40 Austria
            Q227 Azerbaijan
            Q184 Belarus
            Q31 Belgium
            Q225 Bosnia and Herzegovina
            Q219 Bulgaria
            Q224 Croatia
            Q229 Cyprus
            Q213 Czechia
            Q35 Denmark
            Q191 Estonia
            Q4628 Faroe Islands
            Q33 Finland
            Q142 France
            Q230 Georgia
            Q183 Germany
            Q1410 Gibraltar
            Q41 Greece
            Q25230 Guernsey
            Q28 Hungary
            Q189 Iceland
            Q27 Ireland
            Q9676 Isle of Man
            Q38 Italy
            Q785 Jersey
            Q1246 Kosovo
            Q211 Latvia
            Q347 Liechtenstein
            Q37 Lithuania
            Q32 Luxembourg
            Q233 Malta
            Q217 Moldova
            Q235 Monaco
            Q236 Montenegro
            Q55 Netherlands
            Q221 North Macedonia
            Q23681 Northern Cyprus
            Q20 Norway
            Q36 Poland
            Q45 Portugal
            Q218 Romania
            Q159 Russia
            Q238 San Marino
            Q403 Serbia
            Q214 Slovakia
            Q215 Slovenia
            Q23427 South Ossetia
            Q29 Spain
            Q842829 Svalbard and Jan Mayen
            Q34 Sweden
            Q39 Switzerland
            Q907112 Transnistria
            Q212 Ukraine
            Q145 United Kingdom
            Q237 Vatican City
            Q5689 Åland Islands
            """,
        forms: """
            Q187035 Albania
            Q467864 Albania
            Q1048340 Albania
            Q19915237 Albania
            Q132856 Armenia
            Q139670 Armenia
            Q176495 Austria
            Q268970 Austria
            Q518101 Austria
            Q131337 Azerbaijan
            Q206411 Azerbaijan
            Q2895 Belarus
            Q68678 Belarus
            Q842199 Belarus
            Q692015 Belgium
            Q1274468 Bosnia and Herzegovina
            Q121932 Bulgaria
            Q147909 Bulgaria
            Q815731 Bulgaria
            Q153128 Croatia
            Q858841 Croatia
            Q15240466 Cyprus
            Q152750 Czechia
            Q756617 Denmark
            Q130280 Estonia
            Q62633 Finland
            Q615902 Finland
            Q58202 France
            Q58296 France
            Q58326 France
            Q69323 France
            Q69808 France
            Q69829 France
            Q70802 France
            Q70972 France
            Q71084 France
            Q71092 France
            Q200686 France
            Q207162 France
            Q783684 France
            Q877619 France
            Q130229 Georgia
            Q154667 Georgia
            Q245160 Georgia
            Q7318 Germany
            Q16957 Germany
            Q41304 Germany
            Q43287 Germany
            Q150981 Germany
            Q713750 Germany
            Q1206012 Germany
            Q10985258 Germany
            Q18285930 Germany
            Q209065 Greece
            Q265824 Greece
            Q528546 Greece
            Q3013827 Greece
            Q16410 Hungary
            Q171150 Hungary
            Q243652 Hungary
            Q253094 Hungary
            Q516160 Hungary
            Q600018 Hungary
            Q940741 Hungary
            Q1470101 Hungary
            Q16056854 Hungary
            Q16985296 Hungary
            Q18331029 Hungary
            Q25395037 Hungary
            Q62389 Iceland
            Q62567 Iceland
            Q31747 Ireland
            Q215530 Ireland
            Q844250 Ireland
            Q1140152 Ireland
            Q2712121 Ireland
            Q153660 Italy
            Q172579 Italy
            Q223936 Italy
            Q48742118 Italy
            Q192180 Latvia
            Q612359 Lithuania
            Q2719360 Luxembourg
            Q3355522 Malta
            Q6744657 Malta
            Q7603765 Malta
            Q170895 Moldova
            Q964024 Moldova
            Q386496 Montenegro
            Q779011 Montenegro
            Q838291 Montenegro
            Q15864 Netherlands
            Q29999 Netherlands
            Q170072 Netherlands
            Q188553 Netherlands
            Q212278 Netherlands
            Q774783 Netherlands
            Q240592 North Macedonia
            Q2196956 Norway
            Q2597352 Norway
            Q152115 Poland
            Q171348 Poland
            Q207272 Poland
            Q211274 Poland
            Q221457 Poland
            Q501303 Poland
            Q577867 Poland
            Q696908 Poland
            Q1649871 Poland
            Q8890160 Poland
            Q45670 Portugal
            Q167360 Portugal
            Q824489 Portugal
            Q203493 Romania
            Q444912 Romania
            Q958291 Romania
            Q2184 Russia
            Q139319 Russia
            Q186096 Russia
            Q2305208 Russia
            Q241748 Serbia
            Q684030 Serbia
            Q878319 Serbia
            Q16086793 Serbia
            Q154401 Slovakia
            Q1751495 Slovakia
            Q211092 Slovenia
            Q178038 Spain
            Q497777 Spain
            Q766543 Spain
            Q1044536 Spain
            Q3399982 Spain
            Q6123746 Spain
            Q13474305 Spain
            Q215443 Sweden
            Q3279296 Sweden
            Q206696 Switzerland
            Q435583 Switzerland
            Q133356 Ukraine
            Q243610 Ukraine
            Q457167 Ukraine
            Q1508143 Ukraine
            Q21 United Kingdom
            Q22 United Kingdom
            Q25 United Kingdom
            Q26 United Kingdom
            Q161885 United Kingdom
            Q174193 United Kingdom
            Q124653007 United Kingdom
            """)
}
