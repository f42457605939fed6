import { createPortal } from 'react-dom'
import type { PaperBlock, PaperDocument, PaperTable } from '#contract/core/paper-document.ts'
import { DrawnSignature } from '#src/ui/drawn-signature.tsx'

/** A document for the printer, hidden on the screen. While it is rendered, only it is printed. */
export function Paper({ document: blocks }: { document: PaperDocument }) {
  return createPortal(
    <section className="paper" aria-hidden="true">
      {blocks.map((block, place) => (
        <Block key={place} block={block} />
      ))}
    </section>,
    document.body,
  )
}

function Block({ block }: { block: PaperBlock }) {
  switch (block.kind) {
    case 'heading':
      return <h1>{block.text}</h1>
    case 'text':
      return <p>{block.text}</p>
    case 'facts':
      return (
        <dl>
          {block.facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )
    case 'table':
      return <Table {...block} />
    case 'signature':
      return (
        <div className="signature">
          {typeof block.mark === 'string' ? (
            <p>
              <bdi>{block.mark}</bdi>
            </p>
          ) : (
            <DrawnSignature strokes={block.mark} />
          )}
          <p>{block.caption}</p>
        </div>
      )
  }
}

function Table({ columns, rows, totals = [] }: PaperTable) {
  const row = (cells: readonly string[], place: number) => (
    <tr key={place}>
      {columns.map(({ head, as }, at) =>
        as === 'label' ? (
          <th key={head} scope="row">
            {cells[at]}
          </th>
        ) : (
          <td key={head} className={as}>
            {cells[at]}
          </td>
        ),
      )}
    </tr>
  )
  return (
    <table>
      <thead>
        <tr>
          {columns.map(({ head, as }) => (
            <th key={head} className={as}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, place) =>
          typeof cells === 'string' ? (
            <tr key={place} className="group">
              <th colSpan={columns.length}>{cells}</th>
            </tr>
          ) : (
            row(cells, place)
          ),
        )}
      </tbody>
      {totals.length > 0 && <tbody className="totals">{totals.map(row)}</tbody>}
    </table>
  )
}
