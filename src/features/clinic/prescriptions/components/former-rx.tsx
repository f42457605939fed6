import { eyes, type Prescription, type RxEye, type RxInput } from '#contract/rx/prescription.ts'
import { rxDifferences } from '#contract/rx/rx-differences.ts'
import { inNotation } from '#contract/rx/rx-rules.ts'
import type { CylinderNotation } from '#contract/settings/settings.ts'
import { useStoreZone } from '#src/sync/react/use-store-zone.ts'
import { formatDate } from '#src/ui/format.ts'
import { moreOf, rowOf } from '../model/rx-fields.ts'
import { eyeNames, shownValue } from '../words.ts'

/** The previous prescription, field by field. It marks the values that differ. */
export function FormerRx({ rx, former, notation }: { rx: RxInput | null; former: Prescription; notation: CylinderNotation }) {
  const timeZone = useStoreZone()
  const before = inNotation(former, notation)
  const now = rx && inNotation(rx, notation)
  const differences = rx ? rxDifferences(rx, former) : []
  const isDifferent = (eye: string, field: string) => differences.some((one) => one.eye === eye && one.field === field)
  const value = (of: RxInput, eye: 'od' | 'os', field: string) => shownValue(field, of[eye][field as keyof RxEye])
  const columns = [...rowOf(former.rx_kind), ...moreOf(former.rx_kind)].filter(([field]) =>
    eyes.some((eye) => value(before, eye, field) !== null || isDifferent(eye, field)),
  )
  return (
    <section
      aria-label="Previous prescription"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must reach it (WCAG 2.1.1)
      tabIndex={0}
      className="relative overflow-x-auto rounded-lg border border-line bg-sunken text-sm"
    >
      <table className="w-full text-left">
        <caption className="px-3 py-2 text-left text-ink-2">
          <span className="font-semibold">Previous, {formatDate(former.issue_date ?? former.created_at, timeZone)}.</span>{' '}
          {differences.length === 0 ? 'The same values.' : 'Changes are highlighted.'}
        </caption>
        <thead>
          <tr className="border-t border-line">
            {['Eye', ...columns.map(([, label]) => label)].map((label) => (
              <th key={label} scope="col" className="px-3 py-1.5 font-medium whitespace-nowrap text-ink-2">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {eyes.map((eye) => (
            <tr key={eye} className="border-t border-line">
              <th scope="row" className="px-3 py-2 font-medium whitespace-nowrap">
                {eyeNames[eye]}
              </th>
              {columns.map(([field]) => {
                const text = value(before, eye, field) ?? '—'
                return (
                  <td key={field} className="figures px-3 py-2 whitespace-nowrap">
                    {isDifferent(eye, field) ? (
                      <mark className="rounded-sm bg-warn-soft px-1 font-semibold text-warn">
                        {text}
                        <span className="font-normal"> now {(now && value(now, eye, field)) ?? 'nothing'}</span>
                      </mark>
                    ) : (
                      text
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
