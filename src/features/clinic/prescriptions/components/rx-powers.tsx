import { eyes, type RxEye, type RxInput } from '#contract/rx/prescription.ts'
import { shownValue } from '../words.ts'
import { eyeNames } from './eye-fields.tsx'
import { moreOf, rowOf } from './rx-fields.ts'

/** The most fields that fit beside each other on a sheet of paper. */
const mostOnPaper = 8

const head = 'px-3 py-2 text-sm font-medium whitespace-nowrap text-ink-2'
const cell = 'figures px-3 py-3'

/**
 * The powers of each eye. Glasses have one row for each eye, as opticians write them. Contact lenses have twice as many
 * fields, mostly words, so each field is a row. Glasses with too many fields for a sheet of paper use rows as well.
 */
export function RxPowers({ rx, onPaper, label = 'Powers' }: { rx: RxInput; onPaper: boolean; label?: string }) {
  const valueOf = (field: string, eye: (typeof eyes)[number]) => shownValue(field, rx[eye][field as keyof RxEye])
  const fields = [...rowOf(rx.rx_kind), ...moreOf(rx.rx_kind)].filter(
    ([field]) => field !== 'no_lens' && eyes.some((eye) => valueOf(field, eye) !== null),
  )
  const nameOf = (eye: (typeof eyes)[number]) =>
    [eyeNames[eye], rx.balance_lens_eye === eye && 'balance lens', rx[eye].no_lens && 'no lens'].filter(Boolean).join(', ')
  const isByField = rx.rx_kind === 'contact_lens' || (onPaper && fields.length > mostOnPaper)
  return (
    // It can be wider than a phone. Without a touch screen, the arrow keys scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must reach it (WCAG 2.1.1)
    <div role="region" aria-label={label} tabIndex={0} className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full text-left">
        <thead>
          <tr>
            {(isByField ? ['Field', ...eyes.map(nameOf)] : ['Eye', ...fields.map(([, label]) => label)]).map((label) => (
              <th key={label} scope="col" className={head}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {isByField
            ? fields.map(([field, label]) => (
                <tr key={field} className="border-t border-line">
                  <th scope="row" className={head}>
                    {label}
                  </th>
                  {eyes.map((eye) => (
                    <td key={eye} className={`${cell} wrap-anywhere`}>
                      {valueOf(field, eye) ?? '—'}
                    </td>
                  ))}
                </tr>
              ))
            : eyes.map((eye) => (
                <tr key={eye} className="border-t border-line">
                  <th scope="row" className="px-3 py-3 font-semibold whitespace-nowrap">
                    {nameOf(eye)}
                  </th>
                  {fields.map(([field]) => (
                    <td key={field} className={`${cell} whitespace-nowrap`}>
                      {valueOf(field, eye) ?? '—'}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}
