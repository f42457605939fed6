import { formatPhone } from '#contract/patients/patient.ts'
import { useRef, useState, type FormEvent } from 'react'
import * as v from 'valibot'
import { type Letterhead, letterhead, letterheadEndpoints, missingOf } from '#contract/settings/letterhead.ts'
import { usStates } from '#contract/core/us-states.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useReference } from '#src/sync/react/use-reference.ts'
import { Button } from '#src/ui/button.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField, type TextFieldProps } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { useChanges } from '#src/sync/react/use-changes.ts'

const timeoutMs = 15_000
type Typed = Record<keyof Letterhead, string>

function typedFrom(stored: Letterhead): Typed {
  const shown = { ...stored, phone: stored.phone && formatPhone(stored.phone), fax: stored.fax && formatPhone(stored.fax) }
  return Object.fromEntries(Object.entries(shown).map(([field, text]) => [field, text ?? ''])) as Typed
}

/** The letterhead of the user's store, which its prescriptions print as the prescriber's contact. */
export function LetterheadForm({ locked, onSaved }: { locked: boolean; onSaved: () => void }) {
  const store = useSession((session) => session.home?.store_id)
  const { value, failure, reload } = useReference(letterheadEndpoints.letterhead)
  return (
    <section aria-label="Address on prescriptions" className="mb-8 border-b border-line pb-8">
      <h2 className="mb-1 text-lg font-semibold">Address on prescriptions</h2>
      <p className="mb-4 max-w-prose text-sm text-ink-2">
        Printed and emailed with every prescription. US law requires the prescriber’s address, phone and fax on contact lens prescriptions.
      </p>
      {value ? (
        <Form key={store} stored={value} locked={locked} onSaved={onSaved} />
      ) : failure ? (
        <NotLoaded
          failure={failure}
          title="Couldn’t load the address"
          offline="This device hasn’t downloaded it yet. Open this page again when you’re back online."
          onRetry={() => void reload()}
        />
      ) : (
        <Skeleton lines={2} height="row" />
      )}
    </section>
  )
}

/** Keeps typed values until they are saved, also over a reload. */
function Form({ stored, locked, onSaved }: { stored: Letterhead; locked: boolean; onSaved: () => void }) {
  const device = useDevice()
  const [base, setBase] = useState(stored)
  const draft = useChanges('own: settings letterhead', typedFrom(base))
  const [problems, setProblems] = useState<Partial<Record<string, string>>>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  const place = useRef<HTMLFormElement>(null)
  const missing = missingOf(base)
  if (draft === null) return <Skeleton lines={2} height="row" />
  const { typed, isChanged, startOver } = draft

  const change = (field: keyof Letterhead, text: string) => {
    draft.change({ [field]: text })
    setProblems(({ [field]: _mended, ...others }) => others)
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    if (locked || busy) return
    const read = v.safeParse(letterhead, typed)
    if (!read.success) {
      setProblems(Object.fromEntries(read.issues.map((issue) => [v.getDotPath(issue) ?? '', issue.message])))
      requestAnimationFrame(() => place.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      return
    }
    setBusy(true)
    setFailure(null)
    const answer = await device.call(letterheadEndpoints.changeLetterhead, { body: read.output }, { timeoutMs })
    setBusy(false)
    if (!answer.ok) return setFailure(answer.failure)
    setBase(answer.value)
    startOver()
    showToast({ title: 'Address saved', tone: 'good' })
    onSaved()
  }

  const text = (field: keyof Letterhead, label: string, more: Partial<TextFieldProps> = {}) => (
    <TextField
      label={label}
      autoComplete="off"
      value={typed[field]}
      disabled={locked}
      error={problems[field]}
      onChange={(value) => change(field, value)}
      {...more}
    />
  )
  return (
    <form
      ref={place}
      noValidate
      aria-label="Address on prescriptions"
      className="flex flex-col gap-4"
      onSubmit={(event) => void save(event)}
    >
      <TypedNotice of={draft} startOverLabel="Revert to saved" />
      {missing.length > 0 && !isChanged && (
        <Notice tone="warn">Missing from this store’s contact lens prescriptions: {missing.join(', ')}.</Notice>
      )}
      {failure && (
        <Notice tone="bad" title="NOT SAVED">
          {failure.kind === 'unreachable'
            ? 'Couldn’t reach the server. Your changes are still here; save when you’re back online.'
            : `${failure.message.replace(/\.$/, '')}. Your changes are still here.`}
        </Notice>
      )}
      <div className="grid max-w-4xl gap-4 sm:grid-cols-2">
        {text('street_address', 'Street', { maxLength: 200 })}
        {text('address_line_2', 'Address line 2', { maxLength: 200 })}
        {text('city', 'City', { maxLength: 100 })}
        <div className="grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)] gap-4">
          <SelectField
            label="State"
            options={[{ value: '-', label: 'Select' }, ...usStates.map(([value, label]) => ({ value, label }))]}
            value={typed.state || '-'}
            disabled={locked}
            error={problems['state']}
            onChange={(value) => change('state', value === '-' ? '' : value)}
          />
          {text('zip_code', 'ZIP code', { maxLength: 10, figures: true })}
        </div>
        {text('phone', 'Phone', { type: 'tel', maxLength: 40, figures: true })}
        {text('fax', 'Fax', { type: 'tel', maxLength: 40, figures: true })}
      </div>
      {!locked && (
        <div>
          <Button type="submit" variant={isChanged ? 'primary' : 'secondary'} busy={busy} disabled={!isChanged}>
            Save address
          </Button>
        </div>
      )}
    </form>
  )
}
