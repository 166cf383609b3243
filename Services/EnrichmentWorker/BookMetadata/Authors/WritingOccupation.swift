/// Occupations (P106) of people who write, draw or translate books: the sign by which a person is told from homonyms.
///
/// Explicit, as Wikidata's answers do not say of what an occupation is a kind. Generous towards scholars, since most of
/// them publish; singers, actors, politicians and athletes have to be writers too.
enum WritingOccupation {
    /// Whether one of the items is such an occupation.
    static func contains(_ items: [String]) -> Bool { items.contains(where: all.contains) }

    private static let all = Set([literature, press, comics, humanities, sciences].flatMap(items))

    /// The items of a table with one occupation a line: its item and its label.
    private static func items(_ table: String) -> [String] {
        table.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    /// Who writes literature, for children and adults, and for stage and screen.
    private static let literature = """
        Q36180 writer
        Q482980 author
        Q6625963 novelist
        Q107436166 graphic novelist
        Q15949613 short story writer
        Q12144794 prose writer
        Q15980158 non-fiction writer
        Q4853732 children's writer
        Q62083492 young adult author
        Q69031864 picture book author
        Q11606860 picture book writer
        Q18844224 science fiction writer
        Q108710753 speculative fiction writer
        Q4421425 fairy tales writer
        Q11236655 light novelist
        Q49757 poet
        Q11386386 haiku poet
        Q11122954 waka poet
        Q2058873 slam poet
        Q3401082 war poet
        Q1209498 poet lawyer
        Q214917 playwright
        Q22073916 tragedy writer
        Q11914886 comedy writer
        Q28389 screenwriter
        Q69423232 film screenwriter
        Q73306227 television writer
        Q8178443 librettist
        Q11774202 essayist
        Q3606216 aphorist
        Q3064032 fabulist
        Q12406482 humorist
        Q16254673 pamphleteer
        Q864380 biographer
        Q18814623 autobiographer
        Q11774156 memoirist
        Q18939491 diarist
        Q3330547 chronicler
        Q3579035 travel writer
        Q116286480 guidebook author
        Q37868118 textbook writer
        Q112972705 popular science author
        Q3745071 science writer
        Q15958642 political writer
        Q42361191 military writer
        Q551835 physician writer
        Q22811127 devotional writer
        Q88190618 art writer
        Q28077818 music writer
        Q37495867 game book author
        Q3476620 video game writer
        Q8246794 blogger
        Q381353 woman of letters
        Q8010650 online writer
        Q175301 speechwriter
        Q15979013 surrealist writer
        """

    /// Who writes for newspapers, edits or translates.
    private static let press = """
        Q1930187 journalist
        Q42909 reporter
        Q1086863 columnist
        Q17342450 editorial columnist
        Q6051619 opinion journalist
        Q15931838 investigative journalist
        Q164236 war correspondent
        Q17433421 science journalist
        Q20669622 music journalist
        Q11313148 sports journalist
        Q5394545 freelance journalist
        Q55979438 print journalist
        Q1607826 editor
        Q17351648 newspaper editor
        Q333634 translator
        Q24262584 Bible translator
        Q4263842 literary critic
        Q6430706 critic
        Q4164507 art critic
        Q1350157 music critic
        Q4220892 film critic
        Q17337766 theatre critic
        Q1495660 food critic
        """

    /// Who draws books, or writes and draws them.
    private static let comics = """
        Q644687 illustrator
        Q64170610 children's illustrator
        Q715301 comics artist
        Q11892507 comics writer
        Q109517242 comics creator
        Q191633 mangaka
        Q1114448 cartoonist
        Q3024627 editorial cartoonist
        Q3658608 caricaturist
        Q3148760 botanical illustrator
        """

    /// Who studies what people did, said and thought.
    private static let humanities = """
        Q201788 historian
        Q17167049 literary scholar
        Q13570226 literary historian
        Q15962340 literary theorist
        Q487596 dramaturge
        Q1792450 art historian
        Q15462162 cultural historian
        Q17488363 economic historian
        Q1595570 local historian
        Q2995513 contemporary historian
        Q22929895 medieval historian
        Q1493121 military historian
        Q17504992 social historian
        Q16063546 historian of science
        Q20873384 historian of classical antiquity
        Q11491523 historian of ideas
        Q15985128 medical historian
        Q1743122 church historian
        Q17488357 historian of religion
        Q20971250 film historian
        Q20198542 music historian
        Q11486702 architectural historian
        Q3621491 archaeologist
        Q14467526 linguist
        Q13418253 philologist
        Q14972848 lexicographer
        Q16267607 classical philologist
        Q2468727 classical scholar
        Q1731155 orientalist
        Q3075052 folklorist
        Q4964182 philosopher
        Q18930007 political philosopher
        Q16389557 philosopher of science
        Q1234713 theologian
        Q98833890 Catholic theologian
        Q98833883 Protestant theologian
        Q19829990 biblical scholar
        Q19829980 religious studies scholar
        Q5121550 Judaic scholar
        Q19829999 cultural studies scholar
        """

    /// Who studies nature and society, and who teaches.
    private static let sciences = """
        Q901 scientist
        Q2248623 scholar
        Q3400985 academic
        Q1622272 university teacher
        Q121594 professor
        Q1650915 researcher
        Q169470 physicist
        Q19350898 theoretical physicist
        Q752129 astrophysicist
        Q11063 astronomer
        Q170790 mathematician
        Q82594 computer scientist
        Q593644 chemist
        Q2919046 biochemist
        Q864503 biologist
        Q2374149 botanist
        Q350979 zoologist
        Q18805 naturalist
        Q15839134 ecologist
        Q1662561 paleontologist
        Q520549 geologist
        Q901402 geographer
        Q6337803 neuroscientist
        Q212980 psychologist
        Q211346 psychiatrist
        Q188094 economist
        Q2306091 sociologist
        Q4773904 anthropologist
        Q1238570 political scientist
        Q1231865 pedagogue
        Q974144 educator
        """
}
