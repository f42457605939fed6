import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { useState } from 'react'
import type { LensBrand, LensFit } from '#contract/library/lens-brands.ts'
import { formatNumber } from '#contract/rx/rx-rules.ts'
import { controlClasses, Field } from '#src/ui/forms/field.tsx'
import { useLensBrands } from '../queries.ts'
import { choiceLabel } from '../words.ts'

/** A lens in one of its curves and widths. Null keeps the typed text. */
type Choice = { lens: LensBrand; fit: LensFit | undefined } | null

type Props = {
  label: string
  value: string
  error: string | undefined
  onType: (brand: string) => void
  /** Called with the fields that a chosen lens fills in. */
  onChoose: (fields: Record<string, string>) => void
}

/** The brand of a contact lens: one that this chain has prescribed, with its details, or any other text. */
export function LensBrandField({ label, value, error, onType, onChoose }: Props) {
  const [isAsked, setAsked] = useState(false)
  return (
    <Field label={label} error={error}>
      {({ id, describedBy, invalid }) => (
        <Combobox value={null} onChange={(choice: Choice) => choice && onChoose(fieldsOf(choice))} immediate>
          <div className="relative">
            <ComboboxInput
              id={id}
              aria-describedby={describedBy}
              aria-invalid={invalid}
              autoComplete="off"
              spellCheck={false}
              className={controlClasses}
              displayValue={() => value}
              onFocus={() => setAsked(true)}
              onChange={(event) => onType(event.target.value)}
            />
            {isAsked && <Choices line={value} />}
          </div>
        </Combobox>
      )}
    </Field>
  )
}

/**
 * The typed text is the first choice, so that Enter and Tab never fill in a lens by accident. The server's lenses
 * follow.
 */
function Choices({ line }: { line: string }) {
  const { value, failure } = useLensBrands(line)
  const choices = value?.brands.flatMap((lens) => (lens.fits.length > 0 ? lens.fits : [undefined]).map((fit) => ({ lens, fit })))
  return (
    <ComboboxOptions
      modal={false}
      className="absolute inset-x-0 top-full z-10 mt-1 max-h-72 overflow-y-auto rounded-md border border-line bg-raised py-1 shadow-raised"
    >
      <ComboboxOption value={null} className="flex min-h-row cursor-pointer items-center px-3 py-1.5 wrap-anywhere data-focus:bg-hover">
        {line.trim() === '' ? 'Leave blank' : `As typed: ${line}`}
      </ComboboxOption>
      {!choices && <p className="px-3 py-3 text-ink-2">{failure ? 'Couldn’t load the lens list. Type the brand.' : 'Loading…'}</p>}
      {choices?.length === 0 && line.trim() === '' && <p className="px-3 py-3 text-ink-2">No signed contact lenses yet</p>}
      {choices?.map((choice) => (
        <ComboboxOption
          key={JSON.stringify(choice)}
          value={choice}
          className="flex min-h-row cursor-pointer flex-col justify-center px-3 py-1.5 data-focus:bg-hover"
        >
          <span className="font-medium wrap-anywhere">{choice.lens.brand}</span>
          <span className="figures text-sm wrap-anywhere text-ink-2">{wordsOf(choice)}</span>
        </ComboboxOption>
      ))}
    </ComboboxOptions>
  )
}

function fieldsOf({ lens, fit }: NonNullable<Choice>): Record<string, string> {
  return {
    brand: lens.brand,
    manufacturer: lens.manufacturer ?? '',
    material: lens.material ?? '',
    base_curve: formatNumber('base_curve', fit?.base_curve ?? null),
    base_curve_designation: fit?.base_curve_designation ?? '',
    diameter: formatNumber('diameter', fit?.diameter ?? null),
  }
}

function wordsOf({ lens, fit }: NonNullable<Choice>): string {
  const curve = [
    formatNumber('base_curve', fit?.base_curve ?? null),
    choiceLabel('base_curve_designation', fit?.base_curve_designation ?? null),
  ]
  const parts = [
    lens.manufacturer,
    lens.material,
    curve.some(Boolean) && `BC ${curve.filter(Boolean).join(' ').toLowerCase()}`,
    fit?.diameter && `dia. ${formatNumber('diameter', fit.diameter)}`,
  ]
  return parts.filter(Boolean).join(' · ')
}
