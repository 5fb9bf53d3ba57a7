/** How a post looks, in pages and in widgets. */
export const postCss = `
.posts, .empty { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-card) }
.empty { padding: 40px 24px; text-align: center; color: var(--quiet); display: grid; gap: 8px; justify-items: center }
.empty strong, .empty .button { color: var(--text) }
.post { display: grid; grid-template-columns: 44px minmax(0, 1fr); gap: 0 12px; padding: 16px }
.post + .post { border-top: 1px solid var(--line) }
.context { grid-column: 2; font-size: var(--size-1); color: var(--quiet); margin-bottom: 4px }
.context a { color: inherit }
.avatar { flex: none; width: 44px; height: 44px; border-radius: 50%; object-fit: cover; display: grid; place-items: center; font-weight: 600; line-height: 1; background: color-mix(in srgb, var(--accent) 14%, var(--surface)); color: color-mix(in srgb, var(--accent) 80%, var(--text)); overflow: hidden }
.post header { display: flex; gap: 0 8px; align-items: baseline; min-width: 0 }
.author { flex: 1; color: inherit; text-decoration: none; min-width: 0; overflow-wrap: anywhere }
.author:hover b { text-decoration: underline }
.author > span:not(.verified) { color: var(--quiet) }
.author b { font-weight: 600 }
.verified { color: var(--accent); margin-inline-start: 4px; font-weight: 600 }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.when { padding-block: 12px; margin-block: -12px; color: var(--quiet); font-size: var(--size-1); text-decoration: none; white-space: nowrap }
.when:hover { text-decoration: underline }
.content { overflow-wrap: anywhere; margin-top: 2px }
.content code { padding: 0 4px; border-radius: 4px; background: color-mix(in srgb, var(--text) 7%, transparent) }
.quote { margin: 12px 0 0; padding: 12px; border: 1px solid var(--line); border-radius: var(--radius); font-size: var(--size-2) }
.gone { color: var(--quiet) }
.counts a, .exact a { color: inherit }
.counts, .exact { margin-top: 8px; font-size: var(--size-1); color: var(--quiet); font-variant-numeric: tabular-nums }
`

/** What the pages have beyond that. */
export const pagesCss = `${postCss}
body { min-height: 100vh; display: grid; grid-template-rows: auto 1fr auto }
.top { border-bottom: 1px solid var(--line); background: var(--surface); position: sticky; top: 0; z-index: 2 }
.top > div { max-width: calc(var(--reading) + 12rem); margin: 0 auto; padding: 8px 16px; display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px }
.brand { display: flex; align-items: center; gap: 8px; font-weight: 600; color: inherit; text-decoration: none; min-height: var(--control) }
.mark { color: var(--accent) }
.find { flex: 1 1 160px; max-width: 320px }
.find input, .form input, .form textarea, .form select { border-color: color-mix(in srgb, var(--quiet) 75%, var(--surface)) }
.find input { width: 100% }
.top nav { margin-inline-start: auto; display: flex; align-items: center; gap: 4px; font-size: var(--size-2) }
.top nav a, .top nav button { display: inline-flex; align-items: center; min-height: var(--control); padding: 4px 10px; border: 1px solid transparent; border-radius: var(--radius); color: inherit; background: none; text-decoration: none; font-size: var(--size-2); white-space: nowrap }
.top nav a:hover, .top nav button:hover { background: color-mix(in srgb, var(--text) 6%, transparent) }
.top nav :focus-visible { position: relative; z-index: 1 }
.top nav a[aria-current] { color: var(--accent) }
a.primary, button.primary, .top nav a.primary { background: var(--accent); border-color: var(--accent); color: var(--background); font-weight: 600; text-decoration: none }
.top nav a.primary:hover, button.primary:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)) }
button.primary.danger { background: var(--bad); border-color: var(--bad) }
main { overflow-wrap: anywhere; width: 100%; max-width: calc(var(--reading) + 32px); margin: 0 auto; padding: 24px 16px 64px; display: grid; gap: 16px; align-content: start; grid-template-columns: minmax(0, 1fr) }
main:focus { outline: 0 }
.lead { color: var(--quiet) }
.bottom { display: flex; gap: 16px; align-items: center; justify-content: center; padding: 16px; border-top: 1px solid var(--line); font-size: var(--size-2) }
.bottom a { color: var(--quiet); display: inline-flex; align-items: center; min-height: var(--control) }
.bottom .theme { background: none; border-color: transparent; color: var(--quiet) }

.post.main { grid-template-columns: 44px minmax(0, 1fr) }
.post.main .content { font-size: var(--size-4); line-height: 1.4; margin: 8px 0 }
.actions { display: flex; flex-wrap: wrap; gap: 0 4px; margin: 4px 0 -8px -10px }
.actions a, .actions button { display: inline-flex; align-items: center; min-height: var(--control); padding: 4px 10px; border: 0; border-radius: var(--radius); background: none; color: var(--quiet); font-size: var(--size-1); text-decoration: none }
.actions a:hover, .actions button:hover { background: color-mix(in srgb, var(--text) 6%, transparent); color: var(--text) }
.actions .menu summary { border: 0; background: none; color: var(--quiet); font-size: var(--size-1); padding-inline: 10px }
.actions .menu > div { inset-inline: 0 auto }
.actions .menu > div button { color: var(--bad) }
.actions .on { color: var(--accent); font-weight: 600 }

.profile { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-card) }
.profile .strip { height: 88px; background: color-mix(in srgb, var(--accent) 16%, var(--surface)); border-radius: 11px 11px 0 0; overflow: hidden }
.profile .strip img { width: 100%; height: 100%; object-fit: cover; display: block }
.profile .about { padding: 0 16px 16px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px }
.profile .row { display: flex; align-items: end; justify-content: space-between; gap: 12px; margin-top: -36px }
.profile .avatar { width: 80px; height: 80px; font-size: var(--size-5); border: 4px solid var(--surface) }
.handle { color: var(--quiet) }
.facts { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 0; list-style: none; font-size: var(--size-2); color: var(--quiet) }
.facts b { color: var(--text); font-variant-numeric: tabular-nums }
.facts li { min-width: 0 }
.facts a { display: inline-block; padding-block: 4px; margin-block: -4px; color: inherit; text-decoration: none }
.facts a:hover { text-decoration: underline }
.standing { margin-top: 4px; font-size: var(--size-2); color: var(--warn) }
.menu { position: relative }
.menu summary { display: flex; align-items: center; min-height: var(--control); padding: 4px 12px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); font-size: var(--size-2); list-style: none }
.menu summary::-webkit-details-marker { display: none }
.menu summary::after { content: ''; width: 6px; height: 6px; margin-inline-start: 8px; border: solid currentcolor; border-width: 0 1.5px 1.5px 0; transform: translateY(-2px) rotate(45deg) }
.menu summary:hover { border-color: var(--quiet) }
.menu > div { position: absolute; inset-inline-end: 0; z-index: 1; margin-top: 4px; min-width: 8rem; white-space: nowrap; display: grid; padding: 4px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface) }
.menu > div button { border: 0; text-align: start }
.menu > div button:hover { background: color-mix(in srgb, var(--text) 6%, transparent) }
.bio { white-space: pre-line; unicode-bidi: plaintext; overflow-wrap: anywhere }
.more { font-size: var(--size-2) }
.more summary { color: var(--quiet); min-height: var(--control); align-content: center; width: fit-content }
.more > div { display: grid; gap: 8px; padding-bottom: 8px }
.code { display: flex; gap: 8px; align-items: center; padding: 8px 12px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--background) }
.code code { flex: 1; min-width: 0; overflow-wrap: anywhere }

.pages { display: flex; justify-content: space-between; gap: 16px }
.pages a, .button { display: inline-flex; align-items: center; min-height: var(--control); padding: 4px 16px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); color: inherit; text-decoration: none; font-size: var(--size-2) }
.pages a:hover, .button:hover { border-color: var(--quiet) }
.pages a[rel=next] { margin-inline-start: auto }
.tabs { display: flex; flex-wrap: wrap; gap: 0 4px; border-bottom: 1px solid var(--line) }
.tabs a { display: inline-flex; align-items: center; min-height: var(--control); padding: 4px 12px; color: var(--quiet); text-decoration: none; border-bottom: 2px solid transparent; margin-bottom: -1px }
.tabs a[aria-current] { color: var(--text); border-color: var(--accent); font-weight: 600 }
.people { padding: 0; list-style: none; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-card) }
.people li { display: grid; grid-template-columns: 44px minmax(0, 1fr) auto; gap: 0 12px; padding: 16px; align-items: start }
.choice { display: flex; flex-wrap: wrap; gap: 8px; align-items: start }
.versions { padding: 0; list-style: none }
.versions li { padding: 16px }
.versions li + li { border-top: 1px solid var(--line) }
.people .bio { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; line-clamp: 3; overflow: hidden }
.people .author { display: inline-block; min-height: 24px }
.people li + li { border-top: 1px solid var(--line) }
.tags { display: flex; flex-wrap: wrap; gap: 8px; padding: 0; list-style: none }

.form { display: grid; gap: 16px; padding: 24px; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-card) }
.form label, .field { display: grid; gap: 4px; font-size: var(--size-2); font-weight: 600 }
.form label small { font-weight: 400; color: var(--quiet) }
.form input, .form textarea, .form select { width: 100%; font-size: var(--size-3); font-weight: 400 }
.form textarea { min-height: 8rem; padding: 12px; resize: vertical; line-height: 1.5 }
.form .end { display: flex; flex-wrap: wrap; align-items: center; gap: 12px }
.form .end label { display: flex; align-items: center; gap: 8px; font-weight: 400 }
.form .end select, .form .end input { width: auto }
.form input[type=checkbox] { width: 20px; min-height: 20px; accent-color: var(--accent) }
.form .end .primary { margin-inline-start: auto; padding-inline: 20px }
.form output { font-size: var(--size-1); color: var(--quiet); font-variant-numeric: tabular-nums }
.bad, .form output.bad { color: var(--bad) }
.note { padding: 12px 16px; border: 1px solid var(--line); border-inline-start: 3px solid var(--bad); border-radius: var(--radius); background: var(--surface); overflow-wrap: anywhere }
.note.good { border-inline-start-color: var(--good); display: grid; gap: 8px }
.table { overflow-x: auto; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-card); padding: 0 16px; font-size: var(--size-2) }
.table tr:first-child > * { border-top: 0 }
.table th { overflow-wrap: normal }
.table th[scope=row] { min-width: 7rem; overflow-wrap: anywhere }
.table td { vertical-align: middle; white-space: nowrap }
.table .number { text-align: end; white-space: nowrap }
.failure { padding: 48px 0; display: grid; gap: 12px; justify-items: start }
.failure code { font-size: var(--size-1); color: var(--quiet); overflow-wrap: anywhere }
@media (max-width: 639px) {
  main { padding: 16px 12px 48px }
  .top { position: static }
  .top:has(nav form) .brand span { display: none }
  .find { order: 3; flex-basis: 100%; max-width: none }
  .top:has(nav form) .find { order: 0; flex-basis: 160px }
  .top nav { flex-wrap: wrap }
  .top:has(nav form) nav { gap: 0 }
  .top:has(nav form) nav { flex-basis: 100%; justify-content: space-between }
  .tabs:has(:nth-child(5)) { gap: 0 }
  .tabs:has(:nth-child(5)) a { padding-inline: 6px; font-size: var(--size-1) }
  .top nav a, .top nav button { padding-inline: 8px }
  .people li .choice { grid-column: 2; margin-top: 8px }
  .form { padding: 16px }
  .table { padding: 0 12px }
  .table th, .table td { padding-inline-end: 8px }
  .table tr > :last-child { padding-inline-end: 0 }
}
`
