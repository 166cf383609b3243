import BookstrackContract

extension RegionStates {
    /// Europe as it was: states that no single state of today continues.
    static let europeOfThePast = RegionStates(
        region: .europe,
        dissolved: """
            Q123559 Al-Andalus
            Q171740 Al-Andalus
            Q1337854 Al-Andalus
            Q5690 Ancient Greece
            Q43048 Ancient Greece
            Q47611 Ancient Greece
            Q169460 Ancient Greece
            Q679305 Ancient Greece
            Q844930 Ancient Greece
            Q2022162 Ancient Greece
            Q3607380 Ancient Greece
            Q4420718 Ancient Greece
            Q5843680 Ancient Greece
            Q13580795 Ancient Greece
            Q42295059 Ancient Greece
            Q11772 Ancient Greece + Middle East
            Q17167 Ancient Rome
            Q42834 Ancient Rome
            Q1747689 Ancient Rome
            Q2277 Ancient Rome + Africa, Middle East
            Q199442 Aragon
            Q204920 Aragon
            Q28513 Austria-Hungary
            Q533534 Austria-Hungary
            Q131964 Austrian Empire
            Q186320 Baden
            Q637238 Baden
            Q650489 Baden
            Q47261 Bavaria
            Q154195 Bavaria
            Q256961 Bavaria
            Q42585 Bohemia
            Q686971 Bohemia
            Q2162698 Bohemia
            Q85775800 Bohemia
            Q159856 Brabant
            Q148499 Brandenburg
            Q157367 Brandenburg
            Q8680 British Empire + Africa, Asia, Caribbean, Middle East, North America, Oceania
            Q71747 Brittany
            Q326029 Brunswick
            Q203817 Bulgarian Empire
            Q420759 Bulgarian Empire
            Q12544 Byzantine Empire + Middle East
            Q31929 Carolingian Empire
            Q179293 Castile
            Q217196 Castile
            Q15581 Catalonia
            Q154741 Confederation of the Rhine
            Q212439 Cossack Hetmanate
            Q156038 Courland
            Q1991540 Courland
            Q72785 Crete
            Q33946 Czechoslovakia
            Q140359 Czechoslovakia
            Q853348 Czechoslovakia
            Q1998866 Czechoslovakia
            Q2010024 Czechoslovakia
            Q2454585 Czechoslovakia
            Q11177699 Czechoslovakia
            Q11178782 Czechoslovakia
            Q216173 Danzig
            Q62651 Denmark–Norway
            Q130654 Dutch Empire
            Q105092 England
            Q105313 England
            Q107299 England
            Q179876 England
            Q330362 England
            Q29954627 England
            Q693570 Ferrara
            Q157070 Flanders
            Q148540 Florence
            Q2252973 Florence
            Q46370 Francia
            Q146246 Francia
            Q704300 Frankfurt
            Q23366230 Geneva
            Q174306 Genoa
            Q151624 German Confederation
            Q238445 Granada
            Q49683 Grand Duchy of Lithuania
            Q153136 Habsburg Monarchy
            Q1031430 Habsburg Netherlands
            Q1055 Hamburg
            Q164079 Hanover
            Q20135 Hesse
            Q529605 Hesse
            Q693551 Hesse
            Q762943 Holland
            Q12548 Holy Roman Empire
            Q1063498 Ionian Islands
            Q62623 Kalmar Union
            Q1108445 Kievan Rus'
            Q83958 Kingdom of Macedonia
            Q13405524 Kingdom of Macedonia
            Q158835 Liège
            Q209857 Lombardy–Venetia
            Q155019 Lorraine
            Q1235720 Lucca
            Q158445 Mecklenburg-Schwerin
            Q153529 Milan
            Q252580 Modena
            Q10957559 Moldavia
            Q2670751 Moravia
            Q170770 Muscovy
            Q173065 Naples
            Q836680 Nassau
            Q200262 Navarre
            Q12738 Neuchâtel
            Q842091 Normandy
            Q151536 Novgorod
            Q693669 Oldenburg
            Q697084 Oldenburg
            Q170174 Papal States
            Q165040 Parma
            Q1365493 Pisa
            Q172107 Polish–Lithuanian Commonwealth
            Q696640 Pomerania
            Q200464 Portuguese Empire + Africa, Asia, South America
            Q27306 Prussia
            Q38872 Prussia
            Q153091 Prussia
            Q161036 Prussia
            Q208169 Ragusa
            Q34266 Russian Empire + Central Asia
            Q310293 Saar
            Q661340 Salzburg
            Q165154 Sardinia
            Q2577303 Sardinia
            Q426025 Savoy
            Q158151 Saxe-Altenburg
            Q155570 Saxe-Weimar-Eisenach
            Q153015 Saxony
            Q156199 Saxony
            Q26167 Schleswig
            Q230791 Scotland
            Q37024 Serbia and Montenegro
            Q330533 Seventeen Provinces
            Q188586 Sicily
            Q736727 Siena
            Q6581823 Southern Netherlands
            Q15180 Soviet Union + Central Asia
            Q80702 Spanish Empire + Asia, Caribbean, North America, South America
            Q622783 Spanish Netherlands
            Q62589 Sweden–Norway
            Q330756 Transcaucasia
            Q545205 Transcaucasia
            Q655621 Transylvania
            Q3113481 Transylvania
            Q391980 Trieste
            Q154849 Tuscany
            Q180393 Two Sicilies
            Q142417 Valencia
            Q4948 Venice
            Q1483510 Wales
            Q171393 Wallachia
            Q389004 Wallachia
            Q153943 Westphalia
            Q159631 Württemberg
            Q2227570 Württemberg
            Q36704 Yugoslavia
            Q83286 Yugoslavia
            Q191077 Yugoslavia
            Q718374 Yugoslavia
            Q838261 Yugoslavia
            Q1277557 Yugoslavia
            Q1290149 Yugoslavia
            Q15102440 Yugoslavia
            """)
}
