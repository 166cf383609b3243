extension DocsPage {
    /// Light or dark as the reader's system is; one column that a phone can show.
    static let style = #"""
        :root {
          color-scheme: light dark;
          --paper: #fdfcfa; --ink: #1d1b18; --faint: #5f5a52; --line: #ddd7cc; --panel: #f5f2ec; --link: #0b57a4;
          --get: #0a6b3d; --post: #0b57a4; --delete: #a3261b; --good: #0a6b3d; --bad: #a3261b;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #171614; --ink: #ece8e1; --faint: #aaa397; --line: #3b3832; --panel: #201f1c; --link: #84bdf5;
            --get: #6fcf97; --post: #84bdf5; --delete: #f2938b; --good: #6fcf97; --bad: #f2938b;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 1rem; max-width: 62rem; background: var(--paper); color: var(--ink);
          font: 1rem/1.5 system-ui, sans-serif; }
        h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.25rem; margin: 2rem 0 .25rem; }
        h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
        #version, .faint { color: var(--faint); font-weight: normal; }
        a { color: var(--link); } p { margin: .25rem 0; }
        code, pre, textarea, .path { font-family: ui-monospace, monospace; font-size: .9em; }
        pre { margin: .25rem 0; padding: .5rem; overflow: auto; max-height: 30rem; background: var(--panel);
          border: 1px solid var(--line); border-radius: .25rem; white-space: pre-wrap; overflow-wrap: anywhere; }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        .skip { position: absolute; left: -99rem; } .skip:focus { position: static; }
        nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
        form { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .5rem 0; }
        label { display: flex; flex-direction: column; font-size: .9rem; flex: 1 1 12rem; min-width: 0; }
        .wide { flex-basis: 100%; }
        input, select, textarea, button { font: inherit; color: inherit; background: var(--paper);
          border: 1px solid var(--faint); border-radius: .25rem; padding: .4rem .5rem; min-height: 2.5rem; max-width: 100%; }
        textarea { width: 100%; font-family: ui-monospace, monospace; font-size: .9em; }
        #steps { margin: .5rem 0; padding-left: 1.5rem; }
        button { background: var(--link); color: var(--paper); border-color: var(--link); padding: .4rem 1rem; }
        button.plain { background: var(--panel); color: var(--ink); border-color: var(--faint); }
        button:disabled { opacity: .5; }
        details.operation { border: 1px solid var(--line); border-radius: .25rem; margin: .5rem 0; background: var(--panel); }
        summary { cursor: pointer; overflow-wrap: anywhere; }
        details.operation > summary { padding: .6rem; }
        details.operation > div { padding: 0 .6rem .6rem; background: var(--paper); border-top: 1px solid var(--line); }
        .method { font-weight: bold; }
        .get { color: var(--get); } .post { color: var(--post); } .delete { color: var(--delete); }
        ul.members { list-style: none; margin: .25rem 0; padding-left: .8rem; border-left: 2px solid var(--line); }
        .good { color: var(--good); } .bad { color: var(--bad); }
        img.answer { max-width: 100%; }
        #log { list-style: none; padding: 0; max-height: 30rem; overflow: auto; }
        #log li { padding: .2rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
        @media (min-width: 48rem) and (min-height: 40rem) {
          html { scroll-padding-top: 5.5rem; }
          #settings { position: sticky; top: 0; z-index: 1; margin: 0; padding: .5rem 0; background: var(--paper);
            border-bottom: 1px solid var(--line); }
          details.operation > summary { display: flex; gap: .75rem; align-items: baseline; }
          details.operation > summary::before { content: "▸"; } details.operation[open] > summary::before { content: "▾"; }
          .method { flex: 0 0 4.5rem; } .path { flex: 0 0 17rem; }
        }
        [hidden] { display: none; }
        """#
}
