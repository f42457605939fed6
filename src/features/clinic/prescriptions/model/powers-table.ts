import type { PaperTable } from '#contract/core/paper-document.ts'
import { type Eye, eyes, type RxEye, type RxInput } from '#contract/rx/prescription.ts'
import { eyeNames, shownValue } from '../words.ts'
import { moreOf, rowOf } from './rx-fields.ts'

/**
 * Returns the powers of each eye. Glasses have one row for each eye, as opticians write them. Contact lenses have twice as
 * many fields, mostly words, so each field is a row. Glasses with more fields than `mostBeside` use rows as well.
 */
export function powersTable(rx: RxInput, mostBeside = Infinity): PaperTable & { isByField: boolean } {
  const valueOf = (field: string, eye: Eye) => shownValue(field, rx[eye][field as keyof RxEye])
  const cellOf = (field: string, eye: Eye) => valueOf(field, eye) ?? '—'
  const fields = [...rowOf(rx.rx_kind), ...moreOf(rx.rx_kind)].filter(
    ([field]) => field !== 'no_lens' && eyes.some((eye) => valueOf(field, eye) !== null),
  )
  const nameOf = (eye: Eye) =>
    [eyeNames[eye], rx.balance_lens_eye === eye && 'balance lens', rx[eye].no_lens && 'no lens'].filter(Boolean).join(', ')
  const isByField = rx.rx_kind === 'contact_lens' || fields.length > mostBeside
  return {
    isByField,
    columns: [
      { head: isByField ? 'Field' : 'Eye', as: 'label' },
      ...(isByField ? eyes.map(nameOf) : fields.map(([, label]) => label)).map((head) => ({ head })),
    ],
    rows: isByField
      ? fields.map(([field, label]) => [label, ...eyes.map((eye) => cellOf(field, eye))])
      : eyes.map((eye) => [nameOf(eye), ...fields.map(([field]) => cellOf(field, eye))]),
  }
}
