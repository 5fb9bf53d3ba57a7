import type { Paper } from '../api.ts'
import { BarcodeImage } from './barcode.tsx'

/** A paper as it will be printed: black on white, whatever the theme is. */
export function Sheet({ paper, size }: { paper: Paper; size: string }) {
  const { company, title, number, code, blocks, columns, rows, notes } = paper
  return (
    <article class={`sheet ${size}`} aria-label={`${title} ${number}`}>
      <header class="sheet-head">
        <div>
          <p dir="auto">{company}</p>
          <p class="sheet-title">
            {title} {number}
          </p>
        </div>
        {code && <BarcodeImage code={code} />}
      </header>
      <dl class="sheet-blocks">
        {blocks.map((block) => (
          <div key={block.title}>
            <dt>{block.title}</dt>
            {block.lines.map((line, n) => (
              <dd key={n} dir="auto">
                {line}
              </dd>
            ))}
          </div>
        ))}
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on narrow screens, also by the keyboard */}
      <section class="sheet-lines" aria-label="Lines" tabIndex={0}>
        <table>
          <colgroup>
            {columns.map(({ title: name, share }) => (
              <col key={name} width={`${share * 100}%`} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" class={column.align}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, n) => (
              <tr key={n}>
                {cells.map((cell, at) => (
                  <td key={at} class={columns[at]?.align} dir="auto">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {notes.map((note, n) => (
        <p key={n} class="sheet-note" dir="auto">
          {note}
        </p>
      ))}
    </article>
  )
}
