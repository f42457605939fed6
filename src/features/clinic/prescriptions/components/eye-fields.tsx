import { Copy } from 'lucide-react'
import type { CSSProperties, KeyboardEvent } from 'react'
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
      <div data-wrong={problem ? '' : undefined}>
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
      <div>
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
  return (
    <div data-path={path}>
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

/** The most fields in one row. More of them are divided into rows of equal length. */
const mostPerRow = 7
const wideFields = ['brand']
const spanOf = (field: string) => (wideFields.includes(field) ? 2 : 1)

type EyeFieldsProps = FormPart & { fields: readonly (readonly [field: string, label: string])[]; copies?: boolean }

/**
 * The same fields for both eyes, a row for each eye, as opticians write them. Enter and the arrow keys lead to the other
 * eye. A phone has the eyes below each other. `copies` adds the button that copies the right eye.
 */
export function EyeFields({ fields, copies = false, ...form }: EyeFieldsProps) {
  const wearsNone = (eye: Eye) => isWithoutLens(form.typed, `${eye}.power`)
  const isShown = (eye: Eye, field: string) => !wearsNone(eye) || field === 'no_lens'
  const rows = Math.ceil(fields.length / mostPerRow)
  const perRow = Math.ceil(fields.length / rows)
  const parts = Array.from({ length: rows }, (_, at) => fields.slice(at * perRow, (at + 1) * perRow))
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys come from the fields inside
    <div className="@container/eyes flex flex-col gap-4" onKeyDown={(event) => goToOtherEye(event, fields)}>
      {parts.map((part) => (
        <div
          key={part[0]?.[0]}
          style={tracks(part.reduce((sum, [field]) => sum + spanOf(field), 0))}
          className="flex flex-col gap-3 @min-[44rem]/eyes:grid @min-[44rem]/eyes:grid-cols-[var(--tracks)] @min-[44rem]/eyes:items-start @min-[44rem]/eyes:gap-x-2 @min-[44rem]/eyes:gap-y-1.5"
        >
          <div aria-hidden="true" className="hidden @min-[44rem]/eyes:contents">
            <span />
            {part.map(([field, label]) => (
              <span key={field} className={`self-end text-sm font-medium text-ink-2 ${spanOf(field) === 2 ? 'col-span-2' : ''}`}>
                {label}
              </span>
            ))}
          </div>
          {eyes.map((eye) => (
            <div
              key={eye}
              role="group"
              aria-label={eyeNames[eye]}
              className="grid grid-cols-2 items-start gap-3 sm:grid-cols-4 @min-[44rem]/eyes:contents @min-[44rem]/eyes:[&_label:not(:has(input))]:sr-only"
            >
              <span className="col-span-full flex min-h-target items-center font-semibold @min-[44rem]/eyes:col-span-1">
                {eyeNames[eye]}
              </span>
              {part.map(([field, label]) =>
                isShown(eye, field) ? (
                  <div key={field} className={spanOf(field) === 2 ? 'col-span-2' : ''}>
                    <RxField path={`${eye}.${field}`} label={label} {...form} />
                  </div>
                ) : (
                  <span key={field} className={`text-ink-3 ${spanOf(field) === 2 ? 'col-span-2' : ''}`}>
                    —
                  </span>
                ),
              )}
            </div>
          ))}
        </div>
      ))}
      {copies && !eyes.some(wearsNone) && (
        <div>
          <Button
            icon={<Copy size={18} aria-hidden />}
            onClick={() => form.onChange(Object.fromEntries(fields.map(([field]) => [`os.${field}`, form.typed[`od.${field}`] ?? ''])))}
          >
            Copy OD to OS
          </Button>
        </div>
      )}
    </div>
  )
}

function tracks(columns: number): CSSProperties & Record<`--${string}`, string> {
  return { '--tracks': `5.5rem repeat(${columns}, minmax(0, 1fr))` }
}

/** Enter leads down a column, and from the left eye to the next column. The arrow keys lead to the other eye. */
function goToOtherEye(event: KeyboardEvent<HTMLElement>, fields: EyeFieldsProps['fields']) {
  const { target, currentTarget, key } = event
  if (!(target instanceof HTMLInputElement) || target.role === 'combobox' || !['Enter', 'ArrowDown', 'ArrowUp'].includes(key)) return
  const [eye, field] = target.closest<HTMLElement>('[data-path]')?.dataset['path']?.split('.') ?? []
  const inputOf = (path: string) => currentTarget.querySelector<HTMLInputElement>(`[data-path="${path}"] input`)
  const following = fields.slice(fields.findIndex(([name]) => name === field) + 1)
  const next = following.map(([name]) => inputOf(`od.${name}`)).find((input) => input !== null)
  const goal = key === 'ArrowUp' ? inputOf(`od.${field}`) : eye === 'od' ? inputOf(`os.${field}`) : key === 'Enter' ? next : null
  if (!goal || goal === target) return
  event.preventDefault()
  goal.focus()
  goal.select()
}
