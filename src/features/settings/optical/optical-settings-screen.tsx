import { useRef, useState, type FormEvent } from 'react'
import * as v from 'valibot'
import { settingsEndpoints, type StoreOpticalSettings } from '#contract/settings/settings.ts'
import { expiryProblem, monthsByState, termOf } from '#contract/rx/rx-expiry.ts'
import { usStates } from '#contract/core/us-states.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useReference } from '#src/sync/react/use-reference.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { SaveBar } from '#src/ui/forms/save-bar.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { ChangeList } from './components/change-list.tsx'
import { LetterheadForm } from './components/letterhead-form.tsx'
import { ProviderList } from './components/provider-list.tsx'
import { formOf, opticalForm, type OpticalForm } from './form.ts'
import { useChanges } from '#src/sync/react/use-changes.ts'

const timeoutMs = 15_000
const kinds = [
  ['spectacle', 'spectacle_expiry_months'],
  ['contact_lens', 'contact_lens_expiry_months'],
] as const
const stateName = (state: string) => usStates.find(([key]) => key === state)?.[1] ?? state
const byState = (state: string | null) => Object.fromEntries(kinds.map(([kind, field]) => [field, String(monthsByState(kind, state))]))

/** Says how long prescriptions are valid in a state, and names the law if there is one. */
function termWords(state: string | null): string {
  return kinds
    .map(([kind]) => {
      const law = termOf(kind, state)?.law
      return `${kind === 'spectacle' ? 'Glasses' : 'Contact lenses'} ${monthsByState(kind, state)} months${law ? ` (${law})` : ''}.`
    })
    .join(' ')
}

/** Settings → Optical: how the user's store writes prescriptions. Everyone can read it, managers change it. */
export function OpticalSettingsScreen() {
  const home = useSession((session) => session.home)
  const isOffline = useConnection((connection) => connection.online) === false
  const [turn, setTurn] = useState(0)
  const onSaved = () => setTurn((before) => before + 1)
  const { value, failure, reload } = useReference(settingsEndpoints.opticalSettings)
  if (!home) return null
  const mayChange = home.permissions.includes('settings.optical')
  return (
    <>
      <PageHeader title="Optical" windowTitle="Optical settings" caption={`Settings · ${home.store_name}`}>
        How this store writes prescriptions
      </PageHeader>
      <LetterheadForm
        locked={!mayChange || isOffline}
        onSaved={() => {
          onSaved()
          // The address may have another state now.
          void reload()
        }}
      />
      <ProviderList locked={!mayChange || isOffline} onSaved={onSaved} />
      {mayChange && <ChangeList turn={turn} />}
      {value ? (
        <Form key={home.store_id} stored={value} mayChange={mayChange} onSaved={onSaved} />
      ) : failure ? (
        <NotLoaded
          failure={failure}
          title="Couldn’t load settings"
          offline="This device hasn’t downloaded them yet. Open this page again when you’re back online."
          onRetry={() => void reload()}
        />
      ) : (
        <Skeleton lines={4} height="row" />
      )}
    </>
  )
}

/** Keeps typed values until they are saved or discarded, also over a reload. */
function Form({ stored, mayChange, onSaved }: { stored: StoreOpticalSettings; mayChange: boolean; onSaved: () => void }) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const [base, setBase] = useState(stored)
  const draft = useChanges<OpticalForm>('own: settings optical', formOf(base))
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const place = useRef<HTMLFormElement>(null)
  if (draft === null) return <Skeleton lines={4} height="row" />
  const { typed, isChanged, change, startOver } = draft
  const read = v.safeParse(opticalForm, typed)
  const locked = !mayChange ? 'for managers' : isOffline ? 'no connection' : null
  const isByState = typed.expiry_by_state === 'yes'
  const { state } = stored
  const against = read.success
    ? kinds.flatMap(([kind, field]) => (isByState ? [] : (expiryProblem(kind, read.output[field], state) ?? [])))
    : []
  const errorOf = (field: keyof OpticalForm) =>
    asked && !read.success ? read.issues.find((issue) => issue.path?.[0]?.key === field)?.message : undefined

  async function save(event: FormEvent) {
    event.preventDefault()
    setAsked(true)
    if (!read.success) {
      requestAnimationFrame(() => place.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      return
    }
    setBusy(true)
    setFailure(null)
    const answer = await device.call(settingsEndpoints.changeOpticalSettings, { body: read.output }, { timeoutMs })
    setBusy(false)
    if (!answer.ok) return setFailure(answer.failure)
    setBase(answer.value)
    startOver()
    setAsked(false)
    onSaved()
  }

  const number = (field: keyof OpticalForm, label: string, hint: string) => (
    <TextField
      label={label}
      hint={hint}
      inputMode="decimal"
      figures
      maxLength={4}
      autoComplete="off"
      value={isByState && field !== 'vertex_distance' ? (byState(state)[field] ?? '') : typed[field]}
      disabled={locked !== null || (field !== 'vertex_distance' && isByState)}
      error={errorOf(field)}
      onChange={(text) => change({ [field]: text })}
    />
  )
  const choice = (field: keyof OpticalForm, label: string, options: { value: string; label: string; hint: string }[]) => (
    <RadioGroup
      label={label}
      look="cards"
      columns={2}
      value={typed[field]}
      onChange={(value) => change({ [field]: value })}
      options={options.map((option) => ({ ...option, disabled: locked !== null }))}
    />
  )
  return (
    <form
      ref={place}
      noValidate
      aria-label="Optical settings"
      className="flex flex-1 flex-col"
      onSubmit={(event) => void (locked === null ? save(event) : event.preventDefault())}
    >
      <div className="flex flex-1 flex-col gap-6 pb-6">
        {locked !== null && (
          <Notice tone="neutral">
            {mayChange
              ? 'You’re offline. These settings may be out of date. You need a connection to change them.'
              : 'Only managers can change these settings.'}
          </Notice>
        )}
        <TypedNotice of={draft} startOverLabel="Revert to saved" />
        {choice('cylinder_notation', 'Cylinder', [
          { value: 'minus', label: 'Minus cylinder', hint: '+2.00 -1.50 x 030. A cylinder typed without a sign is minus.' },
          { value: 'plus', label: 'Plus cylinder', hint: '+0.50 +1.50 x 120 (same lens). A cylinder typed without a sign is plus.' },
        ])}
        <p className="-mt-4 text-sm text-ink-2">
          Glasses prescriptions are shown, typed and printed this way; printouts show both forms. Contact lenses always use minus cylinder.
        </p>
        {choice('power_step', 'Glasses powers', [
          { value: '250', label: 'In steps of 0.25', hint: 'What most labs make.' },
          { value: '125', label: 'In steps of 0.125', hint: 'For labs that make eighths. 2.12 is read as 2.125.' },
        ])}
        <RadioGroup
          label="When prescriptions expire"
          look="cards"
          columns={2}
          value={typed.expiry_by_state}
          onChange={(value) => change({ ...(value === 'yes' && byState(state)), expiry_by_state: value })}
          options={[
            { value: 'yes', label: state ? `${stateName(state)} rules` : 'Standard', hint: termWords(state), disabled: locked !== null },
            { value: 'no', label: 'Custom', hint: 'This store uses the months below.', disabled: locked !== null },
          ]}
        />
        <div className="grid max-w-4xl gap-5 sm:grid-cols-3">
          {number(
            'spectacle_expiry_months',
            'Glasses expire after, months',
            'From 6 to 60, counted from the issue date. The doctor can choose another date.',
          )}
          {number(
            'contact_lens_expiry_months',
            'Contact lenses expire after, months',
            'From 12 to 60. US law: at least one year unless there’s a medical reason.',
          )}
          {number('vertex_distance', 'Vertex distance, mm', 'From 5 to 20. The default for new glasses prescriptions.')}
        </div>
        {against.map((words) => (
          <Notice key={words} tone="warn">
            {words}.
          </Notice>
        ))}
        <p className="max-w-prose text-sm text-ink-2">
          The state comes from the address above. We don’t have every state’s law. If yours differs, choose Custom.
        </p>
      </div>
      <SaveBar
        state={busy ? 'saving' : isChanged ? 'changed' : 'saved'}
        locked={locked}
        onDiscard={() => {
          startOver()
          setFailure(null)
          setAsked(false)
        }}
      >
        {failure && (
          <Notice tone="bad" title="NOT SAVED">
            {failure.kind === 'unreachable'
              ? 'Couldn’t reach the server. Your changes are still here; save when you’re back online.'
              : `${failure.message.replace(/\.$/, '')}. Your changes are still here.`}
          </Notice>
        )}
      </SaveBar>
    </form>
  )
}
