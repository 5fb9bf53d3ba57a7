/** Only what the reference has beyond the base style of every page. */
export const referenceCss = `
html { scroll-padding-top: 16px }
.side { display: flex; flex-direction: column; gap: 12px; padding: 20px 16px 0; font-size: var(--size-2) }
.brand { display: flex; align-items: center; gap: 8px; font-weight: 600 }
.brand a { display: flex; align-items: center; gap: 8px; margin-inline-end: auto; color: inherit; text-decoration: none }
.brand span span { color: var(--quiet); font-weight: 400 }
.mark { color: var(--accent); flex: none }
.theme { width: 64px; padding-inline: 0; font-weight: 400 }
.filter { position: relative }
.filter input { width: 100%; padding-inline-end: 72px }
.filter output { position: absolute; inset-inline-end: 12px; top: 0; line-height: var(--control); font-size: var(--size-1); color: var(--quiet); pointer-events: none; font-variant-numeric: tabular-nums }
.contents, .contents ul { list-style: none; padding: 0 }
.contents a { display: flex; gap: 8px; padding: 4px 8px; border-radius: var(--radius); color: inherit; text-decoration: none }
.contents a:hover, .contents a[aria-current] { background: color-mix(in srgb, var(--accent) 10%, transparent) }
.contents a[aria-current] { box-shadow: inset 2px 0 var(--accent) }
.contents .tag, .contents .group + li:not(.group) > a { margin-top: 16px; font-weight: 600 }
.contents .group a span + span { font: var(--size-1)/1.5 var(--mono); overflow-wrap: anywhere; min-width: 0; letter-spacing: -0.02em }
.contents var { color: var(--quiet); font-size: inherit }
.menu summary { min-height: var(--control); align-content: center; font-weight: 600 }

.method, .status { flex: none; font: 600 var(--size-1)/1.5 var(--mono); --tone: var(--quiet); color: color-mix(in srgb, var(--tone) 70%, var(--text)) }
.method { width: 56px }
.post, .status.good { --tone: var(--good) }
.put, .patch, .status.warn { --tone: var(--warn) }
.delete, .status.bad { --tone: var(--bad) }
.call .method, .status { width: auto; padding: 0 8px; border-radius: 4px; background: color-mix(in srgb, var(--tone) 14%, transparent) }
:is(td, .fields) em, .deprecated { font-size: var(--size-1); font-style: normal; font-weight: 400; color: color-mix(in srgb, var(--warn) 80%, var(--text)) }
.deprecated { color: color-mix(in srgb, var(--bad) 80%, var(--text)) }

main { min-width: 0; padding: 24px 16px 96px }
main > * { max-width: var(--wide) }
.prose { display: grid; gap: 12px; max-width: var(--reading) }
.prose ul, .prose ol { padding-inline-start: 20px }
.prose code, small code, td p code, .fields p code, dd code { padding: 0 4px; border-radius: 4px; background: color-mix(in srgb, var(--text) 6%, transparent); overflow-wrap: anywhere }
.intro { display: grid; gap: 32px }
.intro, .intro section { grid-template-columns: minmax(0, 1fr) }
.intro section { display: grid; gap: 12px; max-width: calc(var(--reading) + 8rem) }
.intro h1 small { margin-inline-start: 8px; font-size: var(--size-2); font-weight: 400; color: var(--quiet); font-variant-numeric: tabular-nums }
.bases { display: grid; gap: 8px; padding: 0; list-style: none; max-width: var(--reading) }
.bases span { color: var(--quiet); font-size: var(--size-2) }
.schemes { display: grid; gap: 16px; max-width: var(--reading) }
.schemes > div { padding-inline-start: 12px; border-inline-start: 2px solid var(--line) }
.schemes dt { font-weight: 600 }
.schemes dd { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; margin: 0 }

.part { margin-top: 64px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px }
.part > h2, .schemas > h2 { padding-bottom: 12px; border-bottom: 1px solid var(--line) }
.operation, .schema { margin-inline: -4px; padding: 32px 4px; border-bottom: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 720px }
.operation { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px 40px }
.operation:last-child, .schema:last-child { border-bottom: 0 }
.operation header { display: grid; gap: 8px }
.self { color: inherit; text-decoration: none }
.self:hover { text-decoration: underline }
h3 { font-size: var(--size-4) }
h4, caption { margin-top: 16px; padding-bottom: 8px; font-size: var(--size-2); font-weight: 600; text-align: start }
.call { display: flex; align-items: center; gap: 8px; flex-wrap: wrap }
.call code, .bases code { overflow-wrap: anywhere; min-width: 0 }
.call code { font-size: var(--size-2); font-weight: 600 }
.call var { font-weight: 400; font-size: inherit; color: var(--accent) }
.words { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; align-content: start }
.access { font-size: var(--size-2); color: var(--quiet) }
.media, .hint { font-size: var(--size-1); color: var(--quiet) }
.media { font-family: var(--mono) }

.parameters { font-size: var(--size-2); table-layout: fixed }
.parameters th { width: 34%; font-weight: 400; overflow-wrap: anywhere }
.parameters td { overflow-wrap: anywhere; padding-inline-end: 0 }
:is(td, .body) i { font-style: normal; color: var(--quiet) }
:is(td, .body) small { display: block; font-size: var(--size-1); color: var(--quiet) }
td p, .fields p { margin-top: 4px }
.body { font-size: var(--size-2); min-width: 0 }
.body .prose { margin: 4px 0 8px }
.fields { padding: 0; list-style: none }
.body > .fields { margin-top: 8px }
.fields > li { display: grid; grid-template-columns: minmax(0, 34%) minmax(0, 1fr); gap: 0 12px; padding: 8px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere }
.fields .fields > li { grid-template-columns: minmax(0, 1fr) }
.fields .fields > li:first-child { border-top: 0 }
.fields details { margin-top: 4px }
.fields details[open] { padding-inline-start: 12px; border-inline-start: 2px solid var(--line) }
.fields details > summary { width: fit-content; color: var(--accent); font-size: var(--size-1); min-height: 24px }
.fields > li > :is(code, b) { line-height: 24px }

.answer, .refusals { font-size: var(--size-2) }
.answer { padding: 8px 0; border-top: 1px solid var(--line) }
.answer > summary, .refusals li, .answer.plain { display: flex; gap: 8px; align-items: baseline }
.answer > summary::after { content: '+'; margin-inline-start: auto; padding-inline: 8px; color: var(--quiet); font-family: var(--mono) }
.answer[open] > summary::after { content: '–' }
.answer > summary::-webkit-details-marker { display: none }
.answer > :not(summary, span) { margin-top: 8px }
.refusals { display: grid; gap: 8px; padding: 8px 0 0; list-style: none; border-top: 1px solid var(--line) }

.examples { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; align-content: start }
.panel { margin: 0; min-width: 0; border: 1px solid var(--line); border-radius: var(--radius-card); background: var(--surface) }
.panel figcaption { display: flex; align-items: center; justify-content: space-between; min-height: var(--control); padding: 0 8px 0 16px; border-bottom: 1px solid var(--line); font-size: var(--size-1); color: var(--quiet) }
.panel pre { padding: 12px 16px; max-height: 480px; overflow: auto; font-size: var(--size-1); line-height: 1.6; color: var(--quiet); border-radius: 0 0 var(--radius-card) var(--radius-card) }
.panel pre b { font-weight: 400; color: var(--text) }
[data-copy='Copy curl'] pre { color: var(--text) }
.copy { min-height: min(var(--control), 28px); padding: 0 8px; font-size: var(--size-1); color: var(--quiet); background: none; border-color: transparent }
.schemas { margin-top: 64px }
.schema { padding-block: 24px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px }
.schema h3 { font-size: var(--size-3) }
.schema .body { max-width: calc(var(--reading) + 8rem) }
.empty { padding: 64px 0; color: var(--quiet) }

@media (max-width: 639px) {
  .side { display: contents }
  .brand, .filter { margin: 12px 16px 0 }
  .side > nav { display: none }
  .menu { position: sticky; top: 0; z-index: 2; margin-top: 12px; padding: 0 16px; background: var(--background); border-block: 1px solid var(--line) }
  .menu nav { max-height: 70vh; overflow: auto; padding-bottom: 12px; overscroll-behavior: contain }
  .contents a { min-height: 44px; align-items: center }
  html { scroll-padding-top: 60px }
  .copy { min-height: var(--control) }
  .fields > li { grid-template-columns: minmax(0, 1fr) }
  .answer > summary, .fields details > summary { min-height: var(--control); align-items: center; align-content: center }
}
@media (min-width: 640px) {
  body { display: grid; grid-template-columns: 232px minmax(0, 1fr) }
  .side { position: sticky; top: 0; height: 100vh; border-inline-end: 1px solid var(--line) }
  .side > nav { overflow-y: auto; flex: 1; margin-inline: -8px; padding: 4px 8px 32px 0; scrollbar-width: thin; overscroll-behavior: contain }
  .menu { display: none }
  main { padding: 40px 32px 96px }
}
@media (min-width: 1100px) {
  body { grid-template-columns: 288px minmax(0, 1fr) }
  main { padding-inline: 48px }
  .operation { grid-template-columns: minmax(0, 1fr) minmax(0, 26rem) }
  .operation header { grid-column: 1 / -1 }
  .examples { position: sticky; top: 16px; align-self: start }
}
`
