/// The facts of each recorded Google Books volume, read by hand. Columns: identifier, ISBN-13s, title, authors, date,
/// pages, language; `-` for a missing value.
enum ExpectedGoogleVolumes {
    /// The facts by file name.
    static let facts = RecordedFact.table(
        """
        # gb_android_findabook.json
        oVw4DQAAQBAJ | 9781119196099 | Beginning Android Programming with Android Studio | Jerome F. DiMarzio | \
        2016-10-06 | 456 | en
        zDibrpXTfxMC | 9781597496513 | Android Forensics | Andrew Hoog | 2011 | 372 | en
        ZthJlG4o-2wC | 9780470874516 | Professional Android 2 Application Development | Reto Meier | 2010-11-04 | 576 \
        | en
        AO9RCgAAQBAJ | 9781119089254 | Expert Android Studio | Murat Yener; Onur Dundar | 2016-09-13 | 456 | en
        2XeNswkT_2YC | 9781430226291 | Beginning Android 2 | Mark Murphy | 2010-03-19 | 416 | en
        lwklCgAAQBAJ | 9781118973844 | Android Application Development All-in-One For Dummies | Barry A. Burd | \
        2015-07-09 | 768 | en
        W6vrklcPTegC | 9781430239314 | Pro Android 4 | Satya Komatineni; Dave MacLean | 2012-06-12 | 1020 | en
        tsRhkvo80iUC | 9780440400813 | The Android Invasion | Christopher Black | 1984-06-01 | 117 | en
        H8tNBKmPO5UC | 9781118234914 | Android Fully Loaded | Rob Huddleston | 2012-08-03 | 256 | en
        QxZMDQAAQBAJ | 9781119301127 | Java Programming for Android Developers For Dummies | Barry A. Burd | \
        2016-10-19 | 456 | en
        # gb_artofinnovation_volume.json
        ncaJDQAAQBAJ | 9780385499842 | The Art of Innovation | TOM AUTOR KELLEY | 2001-01-01 | 307 | en
        # gb_dog_5.json
        USfJJOu3VAkC | 9781592401321 | The Dog Bible | Tracie Hotchner | 2005-11-03 | 708 | en
        T7-bDwAAQBAJ | 9781328543967 | Dog Is Love | Clive D. L. Wynne | 2019 | 277 | en
        J2SKDQAAQBAJ | 9780679767220 | My Dog Skip | Willie Morris | 1996-01-30 | 130 | en
        NSCv1L6MZ0gC | 9780465023318 | How to Teach Relativity to Your Dog | Chad Orzel | 2012-02-28 | 338 | en
        BfawuAAACAAJ | 9780764164330 | Barron's Dog Training Bible | Andrea Arden | 2011-11 | 223 | en
        # gb_eloquentjs_2.json
        9U5I_tskq9MC | 9781593272821 | Eloquent JavaScript | Marijn Haverbeke | 2011 | 224 | -
        yU8oDwAAQBAJ | 9781786469564 | Implementing Oracle Integration Cloud Service | Robert van Molken; Phil Wilkins \
        | 2017-01-20 | 506 | -
        # gb_fantasticbeasts_10a.json
        5kgb7v1qlF4C | 9780310565703 | The Case for Faith | Lee Strobel | 2009-05-18 | 304 | en
        I8WhhO36D-0C | 9781568219103 | The Body of Faith | Michael Wyschogrod | 1996 | 265 | en
        YuUiDwAq6BAC | 9780060937133 | Dynamics of Faith | Paul Tillich | 2001-10-16 | 176 | en
        ugqHvhv9vOsC | 9780802844514 | Faith and Understanding | Paul Helm | 1997 | 212 | en
        JByFHvWVXb4C | 9780227170496 | Religion and the Christian Faith | Hendrik Kraemer | 2002 | 460 | en
        1gM6KphyINsC | 9780195147070 | Divided by Faith | Michael O. Emerson; Christian Smith | 2001 | 212 | en
        hXkyxWR7btEC | 9780664253141 | Instruction in Faith (1537) | John Calvin; Jean Calvin | 1992-01-01 | 93 | en
        QMyiWpV-dx8C | 9780884895305 | Jesus of History, Christ of Faith | Thomas Zanzig | 1999 | 336 | es
        lucPmT42h8cC | 9781601422217 | Radical | David Platt | 2010 | 230 | en
        uo_NU9KH43EC | 9780819228000 | Will Our Children Have Faith? | John H. Westerhoff | 2012 | 190 | en
        # gb_founden_search1.json
        l0UTIQAACAAJ | 9781401216672 | Batman: Killing Joke (DELUXE) | Brian Bolland; Alan Moore | 2008-03-19 | 64 | en
        # gb_henry_5.json
        QjjTyI8QE4oC | 9780547528779 | Henry Works | D.B. Johnson | 2004-08-30 | 32 | en
        TRMaCAAAQBAJ | 9780300143720 | Henry I | C. Warren Hollister | 2008-10-01 | 576 | en
        6kiA9aD1SLMC | 9781402246630 | Horrid Henry | Francesca Simon | 2009-04-01 | 112 | en
        GV5xDwAAQBAJ | 9781452168296 | A Friend for Henry | Jenn Bailey | 2019-02-26 | 36 | en
        5MCnzrset38C | 9780465009282 | Patrick Henry | Thomas S. Kidd | 2011 | 306 | en
        # gb_isbn_japanese_1.json
        GjASzgEACAAJ | 9784815602666 | 宇宙の話をしよう | 小野雅裕 | 2020-11 | 239 | ja
        # gb_jellyfin_search.json
        49T5twEACAAJ | 9780316452502 | Children of Time | Adrian Tchaikovsky | 2018-12-11 | - | en
        G7utDwAAQBAJ | 9782072853319 | Dans la toile du temps | Adrian Tchaikovsky | 2019-10-03 | 478 | fr
        # gb_jellyfin_volume_en.json
        49T5twEACAAJ | 9780316452502 | Children of Time | Adrian Tchaikovsky | 2018-12-11 | 640 | en
        # gb_litlink_volume_0.json
        zyTCAlFPjgYC | 9780440335702 | The Google Story (2018 Updated Edition) | David A. Vise; Mark Malseed | \
        2005-11-15 | 384 | en
        # gb_litlink_volume_2.json
        0yNhEAAAQBAJ | 9780241600504 | Near to the Wild Heart | Clarice Lispector | 2022-04-28 | 208 | en
        # gb_litlink_volume_4.json
        aGJgAwAAQBAJ | 9781933517407 | Bluets | Maggie Nelson | 2009-10-01 | 112 | en
        # gb_litlink_volume_6.json
        eapOHBssLSMC | 9781590170571 | The Invention of Morel | Adolfo Bioy Casares | 2003-08-31 | 120 | en
        # gb_lokotkov_page1.json
        pideEAAAQBAJ | 9781514005668 | Dawn | Cees Dekker; Corien Oranje; Gijsbert van den Brink | 2022-09-20 | - | en
        CQxSEAAAQBAJ | 9780486849768 | My Butt is SO SILLY! | Dawn McMillan; Ross Kinnaird | 2022-01-12 | 35 | en
        9xkQEAAAQBAJ | 9780374721107 | The Dawn of Everything | David Graeber; David Wengrow | 2021-11-09 | 394 | en
        X8gZEAAAQBAJ | 9780241402450 | The Dawn of Everything | David Graeber; David Wengrow | 2021-10-19 | 482 | en
        rYQeEAAAQBAJ | 9781529411423 | The Dawn of Language | Sverker Johansson | 2021-09-02 | 400 | en
        Cv4CEAAAQBAJ | 9781529362886 | Spin the Dawn | Elizabeth Lim | 2021-03-04 | 416 | en
        pB8ZEAAAQBAJ | 9781785835315 | Making Every RE Lesson Count | Dawn Cox; Louise Hutton | 2021-02-01 | 200 | en
        AsIXEAAAQBAJ | 9781492592587 | Dance Appreciation | Dawn Davis Loring; Julie L. Pentz | 2021-01-28 | 201 | en
        aH_pzgEACAAJ | 9781949184716 | Dawn | Ben Levin | 2022-04 | - | en
        YSRpzgEACAAJ | 9781800246171 | What I Never Told You | Dawn Goodwin | 2022-01-06 | 352 | en
        DdFWEAAAQBAJ | - | Before the Dawn | John Taine | 2021-12-24 | 122 | en
        XET2DwAAQBAJ | 9780369701671 | Dawn Study | Maria V. Snyder | 2020-12-07 | 400 | en
        CMfbzgEACAAJ | 9781662444043 | Shadow Box of Scars | Dawn T. Fawling | 2021-12 | 134 | en
        eswAEAAAQBAJ | 9781526634436 | Tower of Dawn | Sarah J. Maas | 2020-10-01 | 682 | en
        eeyKzgEACAAJ | 9780648793458 | When Morning Comes | Dawn Wolfik | 2021-10 | - | en
        ocz9DwAAQBAJ | 9781787735842 | Horizon Zero Dawn #3 | Anne Toole | 2020-09-30 | 33 | en
        -CnxDwAAQBAJ | 9781524866327 | Here at Dawn | Beau Taplin | 2020-09-15 | 144 | en
        h-jsDwAAQBAJ | 9781526608482 | The Dawn Chorus | Samantha Shannon | 2020-07-09 | 78 | en
        taPGDwAAQBAJ | - | Dawn of Dae | RJ Blain; Trillian Anderson | 2020-06-16 | 200 | en
        8kuwzgEACAAJ | 9781685760120 | Dawn | Jannath Fazli, 1st | 2021-09-26 | - | en
        aRB2DwAAQBAJ | 9780525647010 | Spin the Dawn | Elizabeth Lim | 2019-07-09 | 432 | en
        WQtvDwAAQBAJ | 9781538729670 | Alone at Dawn | Dan Schilling; Lori Longfritz | 2019-06-25 | 352 | en
        McXhDwAAQBAJ | 9789619471494 | Barcelona at Dawn | Juan Antonio de Blas | 2019-06-14 | - | en
        cDFfzgEACAAJ | 9798727994726 | Dawn | Josephine Akhagbeme | 2021-03-26 | 72 | en
        homCDwAAQBAJ | 9780520971776 | Mothering While Black | Dawn Marie Dow | 2019-03-12 | 272 | en
        bLF1DwAAQBAJ | 9781973642749 | A New Dawn | A.D. Summers | 2018-10-26 | 200 | en
        g7hjzgEACAAJ | 9780670093618 | Break of Dawn | Ali Khan Mahmudabad | 2021-09 | 240 | en
        3Y8YzgEACAAJ | 9780593099636 | The Dawn of the Coven | Alexis Henderson | 2021-08-31 | 368 | en
        QsomzgEACAAJ | 9781645847748 | Dawn | Jorge Ontiveros | 2020-12-07 | 48 | en
        h8k5DwAAQBAJ | 9781541516649 | Blink | Sasha Dawn | 2018-05-01 | 344 | en
        # gb_missbook_javascript_10.json
        nBuA0hmspdMC | 9780132902250 | Effective JavaScript | David Herman | 2012-11-26 | 240 | en
        qBiEjwEACAAJ | 9780132902281 | Effective JavaScript | - | 2013 | 206 | en
        zvuGAQAACAAJ | - | Effective Javascript | David Herman | 2012 | 132 | en
        NmCTPQAACAAJ | 9780138157913 | Effective Javascript | Kriesing; Victoria Roberts | 2009-04-15 | - | en
        yg0fBAAAQBAJ | 9784798131115 | Effective JavaScript JavaScriptを使うときに知っておきたい68の冴えたやり方 | Devid Herman | \
        2013-02-18 | 218 | ja
        MjXOAQAACAAJ | 9781544267449 | JavaScript | Charlie Masterson | 2017-03-07 | 178 | en
        gg20DgAAQBAJ | 9789862768921 | Effective JavaScript 中文版(電子書) | David Herman | 2013-07-29 | 244 | zh
        v3-TDwAAQBAJ | - | JavaScript | Charlie Masterson | 2017-01-05 | 60 | en
        YjaatAEACAAJ | 9781545472392 | JavaScript | Charlie Masterson | 2017-04-18 | 140 | en
        4D63DwAAQBAJ | 9781492053699 | Effective TypeScript | Dan Vanderkam | 2019-10-17 | 264 | en
        # gb_ol_affiliate_0.json
        YJ1uQwAACAAJ | 9785699350131 | Бал моей мечты | Светлана Лубенец | 2009 | 153 | -
        # gb_other_identifiers_6.json
        PNJZAAAAcAAJ | - | The School for Daughters. A Drama, Etc | Dennis Lawler | 1808 | 92 | en
        PNjzAAAACAAJ | 9780975686263 | Retro Book | Advantage Publishing NSW Pty, Limited | 2004-01-01 | - | en
        pnJzAAAACAAJ | 9789124161903 | Maritime Fraud | Kurt Grönfors | 1983 | 151 | en
        pnJZAAAAcAAJ | - | Album de Azara. Corona cientifica, literaria, artistica y politica que las universidades \
        academias ... cuerpos científicos y patrioticos ... y hombres políticos ... consagran á la buena memoria del \
        ... Señor D. Jose Nicolas de Azara y Perera ... Obra escrita en parte, y dirigida en lo demás por D. B. S. \
        Castellanos de Losada. [With portrait.] | Basilio Sebastian CASTELLANOS DE LOSADA | 1857 | 770 | en
        pNjzAAAACAAJ | 9785934061839 | Deutsch-russisch-jakutisches phraseologisches Wörterbuch | - | 2001 | 100 | de
        pNJZAAAAcAAJ | - | Jahres-Bericht über das K. K. Josefstädter Ober-Gymnasium | Kaiserlich-Königliches \
        Josefstädter Obergymnasium | 1872 | 154 | de
        # gb_readcycle_isbn_0.json
        JQGv8eqVMrMC | 9780099466734 | To Kill a Mockingbird | Harper Lee | 2004 | 307 | en
        # gb_readcycle_isbn_10.json
        So4NOO9Yq54C | 9780552169929 | The Da Vinci Code | Dan Brown | 2013 | 606 | en
        # gb_readcycle_isbn_12.json
        PjgjrgEACAAJ | 9781507783993 | In Search of Lost Time | Marcel Proust; C. K. Scott Moncrieff; Vincent Kelvin | \
        2015-01-31 | 660 | en
        # gb_readcycle_isbn_14.json
        8lBAdXndV9AC | 9781465510778 | War and Peace | graf Leo Tolstoy | 1971 | 1352 | en
        # gb_readcycle_isbn_16.json
        MZAvEAAAQBAJ | 9789354860805 | Wuthering Heights | Emily Bronte | 2021-05-21 | 272 | en
        # gb_readcycle_isbn_18.json
        hqsJKvM17WwC | 9781101477816 | Gulliver's Travels | Jonathan Swift | 2010-11-02 | 304 | en
        # gb_readcycle_isbn_2.json
        iaD7DAAAQBAJ | 9780141378558 | Charlie and the Chocolate Factory (Colour Edition) | Roald Dahl | 2016-09-13 | \
        160 | en
        # gb_readcycle_isbn_4.json
        WZyzDwAAQBAJ | 9780241976036 | About a Boy | Nick Hornby | 2015-07-01 | 288 | en
        # gb_readcycle_isbn_6.json
        yNMdhHubFK0C | 9781448139880 | The Boy in the Striped Pyjamas | John Boyne | 2012-08-02 | 256 | en
        # gb_readcycle_isbn_8.json
        -aiAOfD8uWAC | 9781847676016 | Life of Pi | Yann Martel | 2002 | 325 | en
        # gb_russian_presaved.json
        y4HDDwAAQBAJ | 9788726360547 | Капитанская дочка | Александр Пушкин | 2019-12-25 | 70 | ru
        p6UCEAAAQBAJ | 9786555521245 | Anna Karênina | Liev Tolstói | 2020-10-13 | 368 | pt
        VGRLDwAAQBAJ | - | Рикки-Тикки-Тави | Редьярд Киплинг | 2018-02-10 | - | ru
        9BZNDwAAQBAJ | - | Двенадцатая ночь | Уильям Шекспир | 2018-02-21 | - | ru
        IRpLDwAAQBAJ | - | Жерминаль | Эмиль Золя | 2018-02-08 | - | ru
        Dqz-AwAAQBAJ | 9785457152632 | Башня ласточки | Анджей Сапковский | 2009-02-27 | 514 | ru
        BK0YeX0zFmwC | 9785457113312 | Каменный гость | Александр Пушкин | 2017-09-05 | 121 | ru
        0pvdHXZ-MucC | 9785457346833 | Волшебное кольцо | Андрей Платонов | 2021-12-29 | 14 | ru
        0jYREAAAQBAJ | 9785043192165 | Божественная комедия | Данте Алигьери | 2020-12-21 | 1951 | ru
        OTM0AQAAQBAJ | 9785457449855 | Золото бунта | Алексей Иванов | 2013-10-07 | 833 | ru
        3KFqEAAAQBAJ | 9785044221680 | Ослепление | Элиас Канетти | 2022-04-13 | 606 | ru
        JQd_AAAAQBAJ | 9785392125760 | Необыкновенное приключение некого Ганса Пфааля | По Эдгар Аллан | 2013-08-22 | \
        56 | ru
        zSQdmjx1EnUC | 9785425031938 | Наложницы ненависти | Вадим Панов | 2007-10-08 | 426 | ru
        tDguDwAAQBAJ | 9785389136649 | Последняя из Стэнфилдов | Марк Леви | 2017-07-26 | 528 | ru
        0kYOnwEACAAJ | 9785699600281 | Жизнь Пи | Янн Мартел | 2013 | 443 | ru
        TRP4V6F8mPQC | 9785457313927 | Пелагия и красный петух | Борис Акунин | 2017-09-05 | - | ru
        EVgUEAAAQBAJ | 9785042580239 | Гнев ангелов | Мара Вульф | 2020-06-02 | 362 | ru
        rSEwBQAAQBAJ | 9785457658271 | Порочный круг | Уилбур Смит | 2014-11-05 | 522 | ru
        jc6AAQAAQBAJ | 9785425065384 | Особое задание | Андрей Ливадный | 2008-06-17 | 389 | ru
        MHEqEAAAQBAJ | 9785389195776 | Колдовской мир | Андрэ Нортон | 2021-04-20 | 864 | ru
        """)
}
