import { useId, useRef, useState, type FormEvent } from 'react'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { pcp, type Pcp, type PcpField, pcpName } from '#contract/patients/pcp.ts'
import { pcpEndpoints } from '#contract/patients/pcps.ts'
import { usStates } from '#contract/core/us-states.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useTyped } from '#src/sync/react/use-typed.ts'
import type { DraftPlace } from '#src/sync/device/drafts.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField, type TextFieldProps } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { draftOfPcp, formOfPcp, pcpLabels, type PcpDraft, type PcpForm, readPcpDraft, readPcpForm } from './pcp-form.ts'

type Props = {
  /** The provider to change; null adds a new one. */
  base: Pcp | null
  /** The first values of a new provider. */
  given?: PcpForm
  onClose: () => void
  onSaved: (row: Pcp) => void
}

const timeoutMs = 15_000

/**
 * Adds or changes a primary care provider at the server, in the one list of all stores. Keeps typed text until it is
 * saved.
 */
export function PcpDialog({ base: first, given, onClose, onSaved }: Props) {
  const device = useDevice()
  const formId = useId()
  const [base, setBase] = useState(first)
  const [fresh] = useState<PcpDraft>(() => (first ? draftOfPcp(first) : { id: uuidv7(), version: null, form: given ?? formOfPcp({}) }))
  const draft = useTyped(placeOf(first, given), fresh, readPcpDraft)
  const [problems, setProblems] = useState<Partial<Record<string, string>>>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const element = useRef<HTMLFormElement>(null)

  const { typed } = draft
  if (typed === null) return null
  const { id, version, form } = typed

  function change<F extends PcpField>(field: F, value: PcpForm[F]) {
    draft.change({ id, version, form: { ...form, [field]: value } })
    setProblems(({ [field]: _mended, ...others }) => others)
  }

  function show(found: Partial<Record<string, string>>) {
    setProblems(found)
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    // React events bubble to the parent component, which may be another form.
    event.stopPropagation()
    const read = readPcpForm(form)
    if (!read.ok) return show(read.problems)
    setBusy(true)
    setFailure(null)
    const answer =
      version === null
        ? await device.call(pcpEndpoints.addPcp, { body: { ...read.input, id_pcp: id } }, { timeoutMs })
        : await device.call(pcpEndpoints.changePcp, { params: { id }, body: { ...read.input, version } }, { timeoutMs })
    setBusy(false)
    if (answer.ok) {
      void draft.forget()
      const saved = (
        <>
          <bdi>{pcpName(answer.value)}</bdi> {base ? 'updated' : 'added'}
        </>
      )
      showToast({ title: saved, tone: 'good' })
      onSaved(answer.value)
      onClose()
      return
    }
    setFailure(answer.failure)
    if (answer.failure.kind !== 'refused') return
    show(Object.fromEntries(answer.failure.fields.map(({ path, message }) => [path.replace(/^body\./, ''), message])))
  }

  const text = (field: Exclude<PcpField, 'inactive'>, more: Partial<TextFieldProps> = {}) => (
    <TextField
      label={pcpLabels[field]}
      autoComplete="off"
      spellCheck={false}
      value={form[field]}
      onChange={(value) => change(field, value)}
      error={problems[field]}
      {...more}
    />
  )
  const now = thereNow(failure)
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        base ? (
          <>
            Change <bdi>{pcpName(base)}</bdi>
          </>
        ) : (
          'Add a primary care provider'
        )
      }
      size="lg"
      closeOnOutside={false}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form={formId} variant="primary" busy={isBusy}>
            Save
          </Button>
        </>
      }
    >
      <form
        ref={element}
        id={formId}
        noValidate
        aria-label={base ? `Edit ${pcpName(base)}` : 'Add a primary care provider'}
        className="flex flex-col gap-5"
        onSubmit={(event) => void submit(event)}
      >
        <TypedNotice of={draft} />
        {now && (
          <Notice
            tone="warn"
            title="Someone else edited this provider too"
            actions={
              <>
                <Button
                  onClick={() => {
                    setBase(now)
                    draft.change(draftOfPcp(now))
                    setFailure(null)
                  }}
                >
                  Use theirs
                </Button>
                <Button
                  onClick={() => {
                    setBase(now)
                    draft.change({ id, version: now.version, form })
                    setFailure(null)
                  }}
                >
                  Keep mine
                </Button>
              </>
            }
          >
            <bdi>{now.changed_by}</bdi> saved it as <bdi>{pcpName(now)}</bdi>
            {now.practice ? `, ${now.practice}` : ''}. Nothing was overwritten.
          </Notice>
        )}
        {failure && !now && (
          <Notice tone="bad" title="NOT SAVED">
            {failure.kind === 'unreachable' ? 'You’re offline. Save when you’re back online.' : `${failure.message}.`} What you typed is
            still here.
            {takenBy(failure)}
          </Notice>
        )}
        <Group title="Name">
          {text('last_name', { required: true })}
          {text('first_name')}
          {text('credential', { hint: 'MD, DO, NP' })}
          {text('practice')}
          {text('specialty')}
          {text('npi', { inputMode: 'numeric', figures: true })}
        </Group>
        <Group title="Contact">
          {text('phone', { type: 'tel' })}
          {text('fax', { type: 'tel' })}
        </Group>
        <Group title="Address">
          {text('street_address')}
          {text('address_line_2')}
          {text('city')}
          <SelectField
            label={pcpLabels.state}
            options={[{ value: '', label: '' }, ...usStates.map(([value, label]) => ({ value, label: `${label} (${value})` }))]}
            value={form.state}
            onChange={(value) => change('state', value)}
            error={problems['state']}
          />
          {text('zip_code', { inputMode: 'numeric' })}
        </Group>
        <Checkbox
          label={pcpLabels.inactive}
          hint="Stays with current patients but can’t be chosen for others"
          checked={form.inactive}
          onChange={(checked) => change('inactive', checked)}
        />
      </form>
    </Dialog>
  )
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="engraved mb-2">{title}</legend>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">{children}</div>
    </fieldset>
  )
}

/**
 * The place of the draft: one for each provider, one for a new one, and one for a provider added from a patient's
 * picker.
 */
function placeOf(base: Pcp | null, given: PcpForm | undefined): DraftPlace {
  return `own: pcp ${base?.id_pcp ?? (given ? 'picked' : 'new')}`
}

/** The server's present provider, when another user's change came first. */
export function thereNow(failure: Failure | null): Pcp | null {
  if (failure?.kind !== 'refused' || failure.code !== 'pcp-changed') return null
  const read = v.safeParse(pcp, failure.details['pcp'])
  return read.success ? read.output : null
}

function takenBy(failure: Failure): string {
  const name = failure.kind === 'refused' && failure.code === 'pcp-npi-taken' ? failure.details['name'] : null
  return typeof name === 'string' ? ` It is ${name}’s.` : ''
}
