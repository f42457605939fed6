import type { RxInput } from '#contract/rx/prescription.ts'
import { powersTable } from '../model/powers-table.ts'

const head = 'px-3 py-2 text-sm font-medium whitespace-nowrap text-ink-2'
const cell = 'figures px-3 py-3'

/** The powers of each eye, to read. */
export function RxPowers({ rx, label = 'Powers' }: { rx: RxInput; label?: string }) {
  const { isByField, columns, rows } = powersTable(rx)
  return (
    // It can be wider than a phone. Without a touch screen, the arrow keys scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must reach it (WCAG 2.1.1)
    <div role="region" aria-label={label} tabIndex={0} className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full text-left">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.head} scope="col" className={head}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...values]) => (
            <tr key={name} className="border-t border-line">
              <th scope="row" className={isByField ? head : 'px-3 py-3 font-semibold whitespace-nowrap'}>
                {name}
              </th>
              {values.map((value, place) => (
                <td key={place} className={`${cell} ${isByField ? 'wrap-anywhere' : 'whitespace-nowrap'}`}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
