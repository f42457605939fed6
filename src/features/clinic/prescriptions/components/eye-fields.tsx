import { Copy } from 'lucide-react'
import { type Eye, eyes } from '#contract/rx/prescription.ts'
import type { StoreOpticalSettings } from '#contract/settings/settings.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { DateField } from '#src/ui/forms/date-field.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { isNumberPath, isSwitchPath, isWithoutLens, tidied, type TypedProblem, type TypedRx } from '../model/typed-rx.ts'
import { choicesOf, eyeNames } from '../words.ts'
import { LensBrandField } from './lens-brand-field.tsx'

export type FormPart = {
  typed: TypedRx
  problems: Record<string, TypedProblem>
  onChange: (changes: TypedRx) => void
  settings: StoreOpticalSettings
}

/** One field of the form: a switch, a choice, or a text. Leaving the field formats the text. */
export function RxField({ path, label, type, ...form }: FormPart & { path: string; label: string; type?: 'date' }) {
  const { typed, problems, onChange, settings } = form
  const choices = choicesOf[path.replace(/^o[ds]\./, '')]
  const problem = problems[path]
  const value = typed[path] ?? ''
  if (isSwitchPath(path)) {
    return (
      <div className={path.endsWith('.no_lens') ? 'col-span-full' : ''} data-wrong={problem ? '' : undefined}>
        <Checkbox
          label={label}
          hint={problem && <span className="font-medium text-bad">{problem.message}</span>}
          checked={value === 'yes'}
          onChange={(checked) => onChange({ [path]: checked ? 'yes' : '' })}
        />
      </div>
    )
  }
  if (path.endsWith('.brand')) {
    const filled = (fields: TypedRx) =>
      onChange(Object.fromEntries(Object.entries(fields).map(([name, text]) => [path.slice(0, 3) + name, text])))
    return (
      <div className="col-span-2">
        <LensBrandField
          label={label}
          value={value}
          error={problem?.message}
          onType={(brand) => onChange({ [path]: brand })}
          onChoose={filled}
        />
      </div>
    )
  }
  if (choices) {
    const isNeeded = path === 'rx_type' || path === 'balance_lens_eye'
    const options = isNeeded ? choices : [{ value: '-', label: 'Select' }, ...choices]
    return (
      <SelectField
        label={label}
        options={options}
        value={value || '-'}
        error={problem?.message}
        onChange={(chosen) => onChange({ [path]: chosen === '-' ? '' : chosen })}
      />
    )
  }
  if (type === 'date') {
    return (
      <DateField label={label} value={value} autoComplete="off" error={problem?.message} onChange={(day) => onChange({ [path]: day })} />
    )
  }
  const look = value.startsWith('-') ? '[&_input]:text-bad' : value.startsWith('+') ? '[&_input]:text-good' : ''
  return (
    <div className={isNumberPath(path) ? look : ''}>
      <TextField
        label={label}
        value={value}
        figures={isNumberPath(path)}
        autoComplete="off"
        error={problem?.message}
        onChange={(text) => onChange({ [path]: text })}
        onBlur={() => {
          const written = tidied(path, typed, settings)
          if (written !== value) onChange({ [path]: written })
        }}
      />
      {problem && problem.nearest.length > 0 && (
        <div className="mt-1 flex flex-wrap gap-1">
          {problem.nearest.map((near) => (
            <Button key={near} onClick={() => onChange({ [path]: near })}>
              Use {near}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

/** The same fields for both eyes, the right one first. The buttons below copy the right eye to the left. */
export function EyeFields({ fields, ...form }: FormPart & { fields: readonly (readonly [field: string, label: string])[] }) {
  const wearsNone = (eye: Eye) => isWithoutLens(form.typed, `${eye}.power`)
  const copiable = fields.filter(([field]) => field !== 'no_lens')
  const copied = (names: readonly string[]) =>
    form.onChange(Object.fromEntries(names.map((name) => [`os.${name}`, form.typed[`od.${name}`] ?? ''])))
  return (
    <>
      {eyes.map((eye: Eye) => (
        <fieldset key={eye} className="mb-3 min-w-0">
          <legend className="mb-1 font-semibold">{eyeNames[eye]}</legend>
          <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-4">
            {fields.map(
              ([field, label]) =>
                (!wearsNone(eye) || field === 'no_lens') && <RxField key={field} path={`${eye}.${field}`} label={label} {...form} />,
            )}
            {wearsNone(eye) && copiable.length === fields.length && <p className="col-span-full text-ink-2">No lens for this eye.</p>}
          </div>
        </fieldset>
      ))}
      {!eyes.some(wearsNone) && (
        <div role="group" aria-label="Copy OD to OS" className="flex flex-wrap items-center gap-1">
          <span className="mr-1 text-sm text-ink-2">Copy OD to OS:</span>
          <Button icon={<Copy size={18} aria-hidden />} onClick={() => copied(copiable.map(([field]) => field))}>
            All
          </Button>
          {copiable.map(([field, label]) => (
            <Button key={field} variant="quiet" onClick={() => copied([field])}>
              {label}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}
