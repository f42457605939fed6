import { useState, type ReactNode } from 'react'
import { type Eye, eyes, type RxInput } from '#contract/rx/prescription.ts'
import { decentred, type Direction, directions, readPlain, vertexLens, type VertexWay } from '#contract/rx/rx-calculators.ts'
import { formatNumber, sphericalEquivalent } from '#contract/rx/rx-rules.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { eyeNames } from '../words.ts'

const power = (value: number) => formatNumber('sphere', value)
const wrong = (text: string) => (text.trim() !== '' && readPlain(text) === null ? 'must be a number' : undefined)

/** Three small calculators beside a prescription. They start with its powers and never change it. */
export function Calculators({ rx, vertexDistance, onClose }: { rx: RxInput | null; vertexDistance: number; onClose: () => void }) {
  const [eye, setEye] = useState<Eye>('od')
  return (
    <Dialog
      open
      onClose={onClose}
      title="Calculators"
      description="Calculators don’t change the prescription."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="flex flex-col gap-6">
        {rx && (
          <RadioGroup
            label="Start from"
            columns={2}
            value={eye}
            onChange={setEye}
            options={eyes.map((value) => ({ value, label: eyeNames[value] }))}
          />
        )}
        <Sums key={eye} rx={rx} eye={eye} vertexDistance={vertexDistance} />
      </div>
    </Dialog>
  )
}

function Sums({ rx, eye, vertexDistance }: { rx: RxInput | null; eye: Eye; vertexDistance: number }) {
  const of = rx?.[eye]
  const first = (value: number | null | undefined) => (typeof value === 'number' ? power(value) : '')
  const [sphere, setSphere] = useState(first(of?.sphere ?? of?.power))
  const [cylinder, setCylinder] = useState(first(of?.cylinder))
  const [distance, setDistance] = useState(((of?.vertex_distance ?? vertexDistance) / 1000).toFixed(1))
  const [way, setWay] = useState<VertexWay>(rx?.rx_kind === 'contact_lens' ? 'to-glasses' : 'to-contact')
  const [decentration, setDecentration] = useState('')
  const [direction, setDirection] = useState<Direction>('in')
  const read = { sphere: readPlain(sphere), cylinder: cylinder.trim() === '' ? 0 : readPlain(cylinder), distance: readPlain(distance) }
  const lens = read.sphere === null || read.cylinder === null ? null : { sphere: read.sphere, cylinder: read.cylinder }
  return (
    <>
      <section aria-label="Powers to use" className="grid grid-cols-2 gap-3">
        <TextField label="Sphere or power" figures autoComplete="off" value={sphere} onChange={setSphere} error={wrong(sphere)} />
        <TextField label="Cylinder, if any" figures autoComplete="off" value={cylinder} onChange={setCylinder} error={wrong(cylinder)} />
      </section>
      <Sum title="Spherical equivalent" result={lens && `${power(sphericalEquivalent(lens.sphere, lens.cylinder))} D`} />
      <Sum title="Vertex distance" result={lens && vertexResult(lens, read.distance, way)}>
        <RadioGroup
          label="Convert"
          hideLabel
          columns={2}
          value={way}
          onChange={setWay}
          options={[
            { value: 'to-contact', label: 'Glasses to contact lens' },
            { value: 'to-glasses', label: 'Contact lens to glasses' },
          ]}
        />
        <TextField
          label="Distance, mm"
          figures
          inputMode="decimal"
          autoComplete="off"
          value={distance}
          onChange={setDistance}
          error={wrong(distance) ?? (inRange(read.distance) ? undefined : 'must be between 0 and 20')}
        />
      </Sum>
      <Sum title="Prism by decentration (Prentice)" result={prismResult(lens?.sphere ?? null, readPlain(decentration), direction)}>
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="Decentration, mm"
            figures
            inputMode="decimal"
            autoComplete="off"
            value={decentration}
            onChange={setDecentration}
            error={wrong(decentration)}
          />
          <SelectField
            label="Direction moved"
            value={direction}
            onChange={setDirection}
            options={directions.map((value) => ({ value, label: value[0]!.toUpperCase() + value.slice(1) }))}
          />
        </div>
        <p className="text-sm text-ink-2">Uses the sphere. If there’s a cylinder, enter the power along that direction as the sphere.</p>
      </Sum>
    </>
  )
}

const inRange = (distance: number | null) => distance === null || (distance >= 0 && distance <= 20_000)

function vertexResult(lens: { sphere: number; cylinder: number }, distance: number | null, way: VertexWay): string | null {
  // Nobody makes a lens beyond this power, so the result means nothing.
  if (distance === null || !inRange(distance) || Math.abs(lens.sphere) > 40_000 || Math.abs(lens.sphere + lens.cylinder) > 40_000)
    return null
  const { exact, order } = vertexLens(lens, distance, way)
  const words = ({ sphere, cylinder }: typeof exact) => `${hundredths(sphere)}${lens.cylinder === 0 ? '' : ` ${hundredths(cylinder)}`}`
  return `${words(exact)} D, nearest 0.25 ${words(order)}`
}

function prismResult(sphere: number | null, decentration: number | null, direction: Direction): string | null {
  if (sphere === null || decentration === null) return null
  const { prism, base } = decentred(decentration, sphere, direction)
  return `${(prism / 1000).toFixed(2)} prism diopters${base ? `, base ${base}` : ''}`
}

/** Rounds to a hundredth. A result is never more exact. */
function hundredths(value: number): string {
  return power(Math.round(value / 10) * 10)
}

/** One calculator: its inputs and its result. A screen reader reads the result when it changes. */
function Sum({ title, result, children }: { title: string; result: string | null; children?: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3 border-t border-line pt-4">
      <h3 className="font-semibold">{title}</h3>
      {children}
      <p role="status" className="figures text-lg">
        {result ?? <span className="text-base text-ink-3">Enter numbers to see the result</span>}
      </p>
    </section>
  )
}
