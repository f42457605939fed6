import { useState } from 'react'
import {
  type Benefits,
  type BenefitState,
  type LensKind,
  lensKinds,
  type Order,
  patientShares,
} from '#contract/insurance/insurance-benefits.ts'
import { formatDate, formatMoney } from '#src/ui/format.ts'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { centsOf, notAnAmount } from '#src/ui/forms/typed-money.ts'
import { lensNames, shareNames } from '../words.ts'

const prices = ['exam', 'fit', 'frame', 'lens', 'cl'] as const
type Price = (typeof prices)[number]

/** Calculates the patient's share of the typed prices. */
export function ShareCalculator({ benefits, states }: { benefits: Benefits; states: readonly BenefitState[] }) {
  const [typed, setTyped] = useState<Record<Price, string>>({ exam: '', fit: '', frame: '', lens: '', cl: '' })
  const [kind, setKind] = useState<LensKind>('sv')
  const read = Object.fromEntries(prices.map((price) => [price, centsOf(typed[price])])) as Record<Price, number | null | undefined>
  const lens = read.lens ?? null
  const order: Order = {
    exam: read.exam ?? null,
    fit: read.fit ?? null,
    frame: read.frame ?? null,
    lens: lens === null ? null : { kind, price: lens },
    cl: read.cl ?? null,
  }
  const shares = patientShares(order, benefits, states)
  return (
    <div className="flex flex-col gap-3">
      <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {prices.map((price) => (
          <TextField
            key={price}
            label={`${shareNames[price]}, $`}
            inputMode="decimal"
            figures
            autoComplete="off"
            value={typed[price]}
            onChange={(value) => setTyped({ ...typed, [price]: value })}
            error={read[price] === undefined ? notAnAmount : undefined}
          />
        ))}
        <SelectField
          label="Lens type"
          options={lensKinds.map((value) => ({ value, label: lensNames[value] }))}
          value={kind}
          onChange={setKind}
        />
      </div>
      {shares.lines.length > 0 && (
        <table className="w-full text-left">
          <thead className="text-sm text-ink-2">
            <tr>
              <th className="py-1 font-medium">Item</th>
              <th className="py-1 text-right font-medium">Price</th>
              <th className="py-1 text-right font-medium">Plan pays</th>
              <th className="py-1 text-right font-medium">Patient pays</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-y border-line">
            {shares.lines.map(({ item, retail, plan, patient, notYet }) => (
              <tr key={item}>
                <td className="py-1.5">
                  {shareNames[item]}
                  {notYet && <span className="block text-xs text-warn">not before {formatDate(notYet)}</span>}
                </td>
                <td className="figures py-1.5 text-right">{formatMoney(retail)}</td>
                <td className="figures py-1.5 text-right">{formatMoney(plan)}</td>
                <td className="figures py-1.5 text-right">{formatMoney(patient)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot className="font-semibold">
            <tr>
              <td className="py-1.5">Total</td>
              <td className="figures py-1.5 text-right">{formatMoney(shares.retail)}</td>
              <td className="figures py-1.5 text-right">{formatMoney(shares.plan)}</td>
              <td className="figures py-1.5 text-right">{formatMoney(shares.patient)}</td>
            </tr>
          </tfoot>
        </table>
      )}
    </div>
  )
}
