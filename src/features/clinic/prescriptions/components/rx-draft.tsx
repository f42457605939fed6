import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Prescription, RxInput, RxKind, RxSignature } from '#contract/rx/prescription.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { type RxProblem, signingProblems } from '#contract/rx/rx-rules.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import type { StoreOpticalSettings } from '#contract/settings/settings.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useToday } from '#src/sync/react/use-today.ts'
import { readTexts } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { changed, readTyped, type TypedProblem, type TypedRx, typedFrom } from '../model/typed-rx.ts'
import { useProviders } from '../queries.ts'
import { ProviderNote } from './provider-note.tsx'
import { RxEditor } from './rx-editor.tsx'
import { fieldName } from '../model/rx-fields.ts'
import { RxPowers } from './rx-powers.tsx'
import { SignDialog } from './sign-dialog.tsx'

const timeoutMs = 15_000

type DraftProps = {
  /** Version 0: nothing of it is at the server yet. */
  rx: Prescription
  previous: Prescription | null
  settings: StoreOpticalSettings
  providers: { id_user: number; name: string }[]
  /** Called when the server has it, with its id. */
  onChanged: (idRx: string) => Promise<void>
}

/**
 * A draft of a prescription, to write, sign or delete. The device keeps the typed values until they are saved. A new one
 * is at the server from its first save on, so looking at an empty form leaves nothing behind.
 */
export function RxDraft({ rx: stored, previous, settings, providers, onChanged }: DraftProps) {
  const device = useDevice()
  const navigate = useNavigate()
  const home = useSession((session) => session.home)
  const isOffline = useConnection((connection) => connection.online) === false
  const isNew = stored.version === 0
  const fresh = { ...typedFrom(stored, settings), version: String(stored.version), id_rx: stored.id_rx }
  const place = isNew ? (`patient: new rx ${stored.rx_kind} ${stored.id_patient}` as const) : (`patient: rx ${stored.id_rx}` as const)
  const draft = useTyped<TypedRx>(place, fresh, readTexts, { isWritten: (next) => isOtherThan(fresh, next) })
  const [missing, setMissing] = useState<Record<string, TypedProblem>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const form = useRef<HTMLDivElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [dialog, setDialog] = useState<'sign' | 'delete' | null>(null)
  const numbers = useProviders()
  const today = useToday()
  if (draft.typed === null) return <Skeleton lines={4} height="row" />
  const { typed, forget } = draft
  const { rx, problems } = readTyped(typed, settings)

  function change(changes: TypedRx) {
    draft.change(changed(typed, changes, settings))
    setMissing((before) => Object.fromEntries(Object.entries(before).filter(([path]) => !(path in changes))))
  }

  /** The typed values of a new prescription may be older than this page. They keep their id. */
  const idRx = typed['id_rx'] ?? stored.id_rx

  /** Returns the version at the server, which then has the typed values of a new prescription. */
  async function add(content: RxInput): Promise<Outcome<number>> {
    const body = { ...content, id_patient: stored.id_patient, id_rx: idRx }
    const answer = await device.call(prescriptionEndpoints.addRx, { body }, { timeoutMs })
    if (answer.ok) return { ok: true, value: answer.value.version }
    // The answer to an earlier press was lost, and the user went on typing.
    const isThere = answer.failure.kind === 'refused' && answer.failure.code === 'key-reused'
    return isThere ? { ok: true, value: 1 } : answer
  }

  async function put(signature?: RxSignature): Promise<string | null> {
    if (!rx || Object.keys(problems).length > 0) return 'Some fields are incorrect.'
    const added = isNew ? await add(rx) : null
    if (added && !added.ok) return wordsFor(added.failure)
    const body = { id_rx: idRx, version: added?.value ?? Number(typed['version']), rx, ...(signature && { signature }) }
    const answer = added && !signature ? null : await device.call(prescriptionEndpoints.changeRx, { body }, { timeoutMs })
    if (answer?.ok === false && answer.failure.kind === 'refused' && answer.failure.code === 'rx-signed') {
      // This tablet may have signed it, if an earlier answer was lost. Show the signed prescription, so that nobody
      // must guess.
      showToast({ title: 'Already signed', description: 'Showing the signed prescription.', tone: 'info' })
      await onChanged(idRx)
      return null
    }
    if (answer?.ok === false) return wordsFor(answer.failure)
    void forget()
    showToast({ title: signature ? 'Prescription signed' : 'Draft saved', tone: 'good' })
    await onChanged(idRx)
    return null
  }

  /** Names the wrong fields beside the buttons, and focuses the first. On a phone, it is screens away. */
  function leadToWrong(wrong: string[], outcome = '') {
    const names = wrong.map((path) => fieldName(path, stored.rx_kind))
    setProblem(`${outcome}Some fields are missing or incorrect: ${names.join(', ')}.`)
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(wrongField)?.focus())
  }

  async function save() {
    if (Object.keys(problems).length > 0) return leadToWrong(Object.keys(problems), 'NOT SAVED. ')
    setBusy(true)
    const failed = await put()
    setBusy(false)
    setProblem(failed && `NOT SAVED. ${failed}`)
  }

  function startSigning() {
    const open = rx ? signingProblems(rx, today, settings.power_step) : []
    const found = Object.fromEntries(open.map(({ path, message }) => [path, { message, nearest: [] }]))
    setMissing(found)
    const wrong = Object.keys({ ...found, ...problems })
    if (wrong.length > 0) return leadToWrong(wrong)
    setProblem(null)
    setDialog('sign')
  }

  async function remove() {
    if (isNew) {
      void forget()
      await navigate({ to: '/patient/$id_patient/rx', params: { id_patient: stored.id_patient } })
      return
    }
    setBusy(true)
    const answer = await device.call(prescriptionEndpoints.deleteRx, { params: { id: stored.id_rx } }, { timeoutMs })
    setBusy(false)
    if (!answer.ok) return setProblem(`NOT DELETED. ${wordsFor(answer.failure)}`)
    void forget()
    await navigate({ to: '/patient/$id_patient/rx', params: { id_patient: stored.id_patient } })
  }

  // Without a chosen provider, the signing user is the prescriber.
  const prescriber = Number(typed['provider_id']) || (home?.permissions.includes('rx.sign') ? home.id_user : 0)
  const known = typed['is_outside_rx'] === 'yes' ? undefined : numbers?.find(({ id_user }) => id_user === prescriber)
  const note = known && <ProviderNote provider={known} />
  const provider = (
    <div>
      <SelectField
        label="Provider"
        options={[{ value: '-', label: 'Select' }, ...providers.map(({ id_user, name }) => ({ value: String(id_user), label: name }))]}
        value={typed['provider_id'] || '-'}
        onChange={(value) => change({ provider_id: value === '-' ? '' : value })}
      />
      {note}
    </div>
  )
  return (
    <div className="flex flex-col gap-4">
      {isOffline && (
        <Notice tone="warn" title="No connection">
          {noConnection}
        </Notice>
      )}
      <TypedNotice of={draft} startOverLabel={isNew ? 'Start over' : 'Revert to saved'} />
      <div ref={form}>
        <RxEditor
          settings={settings}
          typed={typed}
          problems={{ ...missing, ...problems }}
          onChange={change}
          rx={rx}
          previous={previous}
          provider={provider}
          beforeSigning={rx ? beforeSigning(signingProblems(rx, today, settings.power_step), stored.rx_kind) : ''}
        />
      </div>
      {/* Last for the keyboard. At the top for the eye, where it covers no field of a page that is not scrolled. */}
      <div
        role="group"
        aria-label="Save and sign"
        className="sticky top-[calc(var(--header-height)+var(--notice-height)+var(--target)+0.5rem)] z-10 order-first -mx-3 flex flex-wrap items-center justify-end gap-2 border-b border-line bg-paper px-3 py-1 sm:-mx-5 sm:px-5 lg:-mx-7 lg:px-7"
      >
        {problem && (
          <div className="w-full">
            <Notice tone="bad">{problem}</Notice>
          </div>
        )}
        {dialog === 'delete' ? (
          <>
            <Button onClick={() => setDialog(null)}>Keep it</Button>
            <Button variant="danger" busy={isBusy} onClick={() => void remove()}>
              Delete this draft permanently
            </Button>
          </>
        ) : (
          <Button onClick={() => (isNew && draft.former === null && !isOtherThan(fresh, typed) ? void remove() : setDialog('delete'))}>
            {isNew ? 'Discard' : 'Delete draft'}
          </Button>
        )}
        <Button busy={isBusy} onClick={() => void save()}>
          Save draft
        </Button>
        {home?.permissions.includes('rx.sign') && (
          <Button variant="primary" onClick={startSigning}>
            Sign
          </Button>
        )}
      </div>
      {dialog === 'sign' && rx && (
        <SignDialog
          idRx={idRx}
          powers={<RxPowers rx={rx} label="Powers to sign" />}
          note={note}
          onSign={put}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  )
}

/** Says while a user types what a signature would still need. */
function beforeSigning(open: readonly RxProblem[], kind: RxKind): string {
  const names = [...new Set(open.map(({ path }) => fieldName(path, kind)))]
  if (names.length === 0) return 'Ready to sign'
  const shown = names.slice(0, 4).join(', ')
  return `Before signing: ${shown}${names.length > 4 ? ` and ${names.length - 4} more` : ''}`
}

/** Selects the focusable element of a wrong field. */
const wrongField = '[aria-invalid=true], [data-wrong] :is(input, button, [role=checkbox])'

/** Whether a user has typed anything. The id of a new prescription differs with each form. */
const isOtherThan = (fresh: TypedRx, next: TypedRx) => JSON.stringify({ ...next, id_rx: '' }) !== JSON.stringify({ ...fresh, id_rx: '' })

const wordsFor = (failure: Failure) => (failure.kind === 'unreachable' ? noConnection : failure.message)

const noConnection =
  'You need a connection to save and sign. What you type is kept encrypted on this tablet; save it when you’re back online.'
