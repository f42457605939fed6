import { ArrowLeftRight, Calculator } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Prescription, RxInput, RxKind } from '#contract/rx/prescription.ts'
import { formatNumber, isShortContactLens, sphericalEquivalent } from '#contract/rx/rx-rules.ts'
import { expiryWarning } from '#contract/rx/rx-expiry.ts'
import { rxWarnings, warningWords } from '#contract/rx/rx-warnings.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { transposed } from '../model/typed-rx.ts'
import { Calculators } from './calculators.tsx'
import { EyeFields, type FormPart, RxField } from './eye-fields.tsx'
import { FormerRx } from './former-rx.tsx'
import { headerOf, moreOf, rowOf } from '../model/rx-fields.ts'

/** The draft as a form: the powers first, and their details below. */
export function RxEditor({
  rx,
  previous,
  provider,
  beforeSigning,
  ...form
}: FormPart & {
  rx: RxInput | null
  previous: Prescription | null
  provider: ReactNode
  /** What a signature still needs. */
  beforeSigning: string
}) {
  const { typed, problems, onChange } = form
  const kind = typed['rx_kind'] as RxKind
  const [isReckoning, setReckoning] = useState(false)
  const isShort = (rx !== null && isShortContactLens(rx)) || Boolean(typed['expiry_reason'])
  const isOutside = typed['is_outside_rx'] === 'yes'
  const header = headerOf(kind).filter(
    ([field]) =>
      !field.startsWith('notes_') &&
      (isOutside || !/^(provider_name|outside_|license_no|npi)/.test(field)) &&
      (isShort || field !== 'expiry_reason'),
  )
  return (
    <div className="flex flex-col gap-6">
      <section aria-label="Powers">
        <EyeFields fields={rowOf(kind)} copies {...form} />
        <div className="mt-2 flex flex-wrap gap-2">
          {kind === 'spectacle' && (
            <Button icon={<ArrowLeftRight size={18} aria-hidden />} onClick={() => onChange(transposed(typed, form.settings))}>
              Transpose
            </Button>
          )}
          <Button icon={<Calculator size={18} aria-hidden />} onClick={() => setReckoning(true)}>
            Calculators
          </Button>
        </div>
        <Checks rx={rx} previous={previous} state={form.settings.state} />
        <p role="status" className="text-sm text-ink-2">
          {beforeSigning}
        </p>
        {previous && (
          <div className="mt-3">
            <FormerRx rx={rx} former={previous} notation={form.settings.cylinder_notation} />
          </div>
        )}
        {isReckoning && <Calculators rx={rx} vertexDistance={form.settings.vertex_distance} onClose={() => setReckoning(false)} />}
      </section>
      <section aria-label="About the prescription" className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {provider}
        <Checkbox
          label="From an outside provider"
          hint="After you save, you can attach a scan of the paper Rx."
          checked={isOutside}
          onChange={(checked) => onChange({ is_outside_rx: checked ? 'yes' : '' })}
        />
        {header.map(([field, label]) => (
          <RxField key={field} path={field} label={label} {...form} {...(field.endsWith('_date') && { type: 'date' as const })} />
        ))}
      </section>
      <section aria-label={kind === 'spectacle' ? 'Prism and measures' : 'The lens'}>
        <h2 className="mb-2 font-semibold">{kind === 'spectacle' ? 'Prism and measures' : 'The lens'}</h2>
        <EyeFields fields={moreOf(kind)} copies {...form} />
      </section>
      <section aria-label="Notes" className="grid gap-3 sm:grid-cols-2">
        {headerOf(kind)
          .filter(([field]) => field.startsWith('notes_'))
          .map(([field, label]) => (
            <TextArea
              key={field}
              label={label}
              value={typed[field] ?? ''}
              error={problems[field]?.message}
              onChange={(text) => onChange({ [field]: text })}
            />
          ))}
      </section>
    </div>
  )
}

/** Shows warnings that a careful reader would notice. It refuses nothing. */
export function Checks({ rx, previous, state }: { rx: RxInput | null; previous: RxInput | null; state: string | null }) {
  if (!rx) return null
  const equivalents = (['od', 'os'] as const).flatMap((eye) => {
    const power = rx[eye].sphere ?? rx[eye].power
    if (power === null) return []
    return [`${eye.toUpperCase()} ${formatNumber('sphere', sphericalEquivalent(power, rx[eye].cylinder))}`]
  })
  const warnings = [...rxWarnings(rx, previous).map(warningWords), expiryWarning(rx, state)].filter((words) => words !== null)
  return (
    <div role="status" className="mt-3 text-sm text-ink-2">
      {equivalents.length > 0 && <p className="figures">Spherical equivalent: {equivalents.join(', ')}</p>}
      {warnings.map((words) => (
        <p key={words} className="font-medium text-warn">
          {words}
        </p>
      ))}
    </div>
  )
}
