import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type SyntheticEvent } from 'react'
import { ScanBarcode, Search } from 'lucide-react'
import * as v from 'valibot'
import { needsConfirmation } from '#contract/stock/control-rules.ts'
import { normaliseCode } from '#contract/core/codes.ts'
import { controlFlags, type FrameRecord, type ItemHistory } from '#contract/stock/frames.ts'
import { pageScanner } from '#src/device/page-scanner.ts'
import { readAs } from '#src/sync/device/read-as.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { untilSent, useCutOff } from '#src/sync/react/use-cut-off.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { useWaiting } from '#src/sync/react/use-waiting.ts'
import { frameChanges } from '#src/domain/frames/record-frame-state.ts'
import { PieceList } from '#src/domain/pieces/piece-list.tsx'
import { labelRequests, recordLabelRequests } from '#src/domain/labels/record-label-requests.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { changeFrameState } from './actions.ts'
import type { EditDraft } from './components/frame-edit.tsx'
import { FrameEdit } from './components/frame-edit.tsx'
import { FrameHistory } from './components/frame-history.tsx'
import { FrameHead, FrameInfo } from './components/frame-info.tsx'
import { SoldConfirmation } from './components/sold-confirmation.tsx'
import { WaitingChanges, WaitingLabels } from './components/waiting-changes.tsx'
import type { EditErrors, FieldChange } from './form.ts'
import { changesBetween, editErrors } from './form.ts'
import type { LookupResult } from './queries.ts'
import { fetchHistory, lookUpFrame, lookUpHere } from './queries.ts'

const CameraPanel = fetchedDialog(async () => (await import('#src/camera/camera-panel.tsx')).CameraPanel)

export type FrameLookupDialogProps = {
  open: boolean
  onClose: () => void
  /** The code to look up when the dialog opens. */
  initialCode?: string
}

/** 'Frame lookup by Serial / F#': info and edit work offline from this device; the history needs the server. */
export function FrameLookupDialog({ open, onClose, initialCode = '' }: FrameLookupDialogProps) {
  // A dialog that opens again starts empty.
  return open ? <OpenDialog onClose={onClose} initialCode={initialCode} /> : null
}

type View = 'info' | 'history' | 'edit'
const emptyDraft: EditDraft = { action: null, note: '' }
const readEdit = readAs(v.object({ action: v.nullable(v.picklist(controlFlags)), note: v.string() }))

function OpenDialog({ onClose, initialCode }: { onClose: () => void; initialCode: string }) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const cutOff = useCutOff()
  const isOffline = cutOff !== null
  const [code, setCode] = useState(initialCode)
  const [codeError, setCodeError] = useState<string>()
  const [result, setResult] = useState<LookupResult | null>(() => lookUpHere(device, initialCode))
  const [asked, setAsked] = useState<{ code: string } | null>(normaliseCode(initialCode) === '' ? null : { code: initialCode })
  const [view, setView] = useState<View>('info')
  const [history, setHistory] = useState<ItemHistory | null>()
  const [errors, setErrors] = useState<EditErrors>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [changes, setChanges] = useState<FieldChange[] | null>(null)
  const [isSaving, setSaving] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const [hasCamera, setCamera] = useState(false)
  const historyAsked = useRef<AbortController | null>(null)

  const known = result?.found === 'one' ? result.known : null
  const edit = useTyped<EditDraft>(`own: change of frame ${known?.frame.id_inventory ?? 'none'}`, emptyDraft, readEdit)
  const draft = edit.typed ?? emptyDraft
  const waiting = useWaiting(frameChanges)?.filter(({ body }) => body.id_inventory === known?.frame.id_inventory)
  // An unsent change makes the frame's next state unknown, so no other change is possible until then.
  const isWaiting = waiting?.some(({ refusal }) => refusal === null) ?? false
  const labels = useWaiting(labelRequests)?.filter(({ body }) => body.id_inventory === known?.frame.id_inventory)
  const isLabelWaiting = labels?.some(({ refusal }) => refusal === null) ?? false
  const preset = home?.store_settings.control_preset ?? 'practice'
  const timeZone = home?.locations.find((location) => location.store_id === home.store_id)?.time_zone
  const mayChange = home?.permissions.includes('frame.change-state') ?? false
  const mayLabel = home?.permissions.includes('frame.label') ?? false
  const storeName = (id: number) => home?.locations.find((location) => location.store_id === id)?.store_name ?? `Store ${id}`

  function lookUp(typed: string) {
    leaveEdit()
    setHistory(undefined)
    setCodeError(undefined)
    // Shows this device's data at once. The server's answer replaces it.
    setResult(lookUpHere(device, typed))
    setAsked({ code: typed })
  }

  useEffect(() => {
    if (!asked) return
    const asking = new AbortController()
    void lookUpFrame(device, asked.code, asking.signal).then((answer) => {
      if (asking.signal.aborted) return
      setResult(answer)
      setAsked(null)
    })
    return () => asking.abort()
  }, [device, asked])

  async function loadHistory(sku: string) {
    historyAsked.current?.abort()
    const { signal } = (historyAsked.current = new AbortController())
    setHistory(undefined)
    const answer = await fetchHistory(device, sku, signal)
    if (!signal.aborted) setHistory(answer)
  }

  const takeScan = useEffectEvent((scanned: string) => {
    if (view === 'edit' && (draft.action !== null || draft.note !== '')) {
      showToast({ title: 'Save or cancel your edit first', description: `Not looked up: ${scanned}`, tone: 'warn' })
      return
    }
    setCode(scanned)
    lookUp(scanned)
  })
  // Subscribes before the field gets the focus, to take scans from the time while the dialog opened.
  useLayoutEffect(() => pageScanner(normaliseCode).subscribe((scanned) => takeScan(scanned)), [])

  function submitCode(event: SyntheticEvent) {
    event.preventDefault()
    if (normaliseCode(code) === '') setCodeError('This field is required')
    else lookUp(code)
  }

  function show(next: View) {
    setView(next)
    if (next === 'history' && known) void loadHistory(known.frame.sku)
  }

  function cancelEdit() {
    edit.startOver()
    leaveEdit()
  }

  function leaveEdit() {
    setErrors({})
    setProblem(null)
    setChanges(null)
    setView('info')
  }

  function requestSave() {
    if (!known) return
    const found = editErrors(draft.action, draft.note, known.frame.status, preset)
    setErrors(found)
    if (found.action !== undefined || found.note !== undefined) return
    if (needsConfirmation(known.frame.status)) setConfirming(true)
    else void save()
  }

  function accept(record: FrameRecord) {
    setResult({ found: 'one', known: { frame: record, record } })
  }

  async function askForLabel() {
    if (!known || isAsking) return
    setAsking(true)
    const reason = await recordLabelRequests(device, [known.frame])
    setAsking(false)
    if (reason !== null) return showToast({ title: 'NOT SAVED', description: reason, tone: 'bad' })
    showToast({
      title: isOffline ? 'Saved on this device' : 'Label requested',
      description: isOffline
        ? `${known.frame.sku} will be added to the label list ${untilSent(cutOff)}.`
        : `Print ${known.frame.sku} with the others under Labels.`,
      tone: 'good',
    })
  }

  async function save() {
    if (!known || draft.action === null || isSaving) return
    setConfirming(false)
    setSaving(true)
    setProblem(null)
    setChanges(null)
    const before = known.frame
    const outcome = await changeFrameState(device, before, draft.action, draft.note)
    setSaving(false)
    if (outcome.done && 'kept' in outcome) {
      cancelEdit()
      showToast({ title: 'Saved on this device', description: `${before.sku} will be updated ${untilSent(outcome.kept)}.`, tone: 'good' })
      return
    }
    if (outcome.done) {
      accept(outcome.record)
      edit.startOver()
      showToast({ title: `${outcome.record.sku} is now ${outcome.record.status}`, tone: 'good' })
      setView('history')
      void loadHistory(outcome.record.sku)
      return
    }
    if (outcome.problem === 'refused') {
      if (outcome.field) setErrors({ [outcome.field]: outcome.message })
      else setProblem(outcome.message)
      return
    }
    setProblem(outcome.message)
    if (outcome.now) {
      setChanges(changesBetween(before, outcome.now, storeName))
      accept(outcome.now)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Frame lookup by Serial / F#"
      size={view === 'info' ? 'md' : 'xl'}
      closeOnOutside={view !== 'edit'}
      footer={
        <>
          {known && view !== 'edit' && (
            <Button onClick={() => show(view === 'history' ? 'info' : 'history')} disabled={isOffline && view === 'info'}>
              {view === 'history' ? 'Hide History' : 'Item History'}
            </Button>
          )}
          {known && mayLabel && view === 'info' && (
            <Button busy={isAsking} onClick={() => void askForLabel()} disabled={isLabelWaiting}>
              Request a label
            </Button>
          )}
          {known && mayChange && view !== 'edit' && (
            <Button onClick={() => show('edit')} disabled={isWaiting}>
              Edit
            </Button>
          )}
          {view === 'edit' && <Button onClick={cancelEdit}>Cancel Edit</Button>}
          <Button onClick={onClose}>Close</Button>
          {view === 'edit' && (
            <Button variant="primary" busy={isSaving} onClick={requestSave}>
              Save
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {view !== 'edit' && (
          <form onSubmit={submitCode} noValidate className="grid grid-cols-[1fr_auto] items-start gap-3">
            <TextField
              label="Serial / F#"
              required
              figures
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              data-autofocus
              maxLength={128}
              value={code}
              onChange={setCode}
              error={codeError}
            />
            <div className="flex gap-1 pt-6.5">
              <IconButton
                label={hasCamera ? 'Close the camera' : 'Scan with the camera'}
                icon={<ScanBarcode size={20} aria-hidden />}
                pressed={hasCamera}
                onClick={() => setCamera(!hasCamera)}
              />
              <Button type="submit" variant="primary" icon={<Search size={18} aria-hidden />}>
                Look up
              </Button>
            </div>
          </form>
        )}
        {hasCamera && view !== 'edit' && (
          <CameraPanel
            isKnown={(read) => device.frames.find(read) !== null}
            onScan={(read) => {
              setCamera(false)
              pageScanner(normaliseCode).take(read)
            }}
            onClose={() => setCamera(false)}
          />
        )}
        {result?.found === 'nothing' && (
          <Notice tone="bad" title="Failed to fetch frame information. Please try again.">
            {result.reason}
          </Notice>
        )}
        {result === null && asked && <Spinner label="Looking up…" />}
        {result?.found === 'pieces' && (
          <PieceList
            frames={result.frames}
            onPick={(frame) => {
              setCode(frame.sku)
              lookUp(frame.sku)
            }}
          />
        )}
        {known && cutOff && (
          <Notice tone="neutral">
            {view === 'edit'
              ? `${cutOff === 'offline' ? 'You’re offline. ' : ''}Changes are saved on this device and applied if the frame hasn’t changed by then.`
              : `This information is from this device. ${cutOff === 'offline' ? 'History is available online' : 'Sign in to see history'}.`}
          </Notice>
        )}
        {known && <WaitingChanges changes={waiting ?? []} timeZone={timeZone} />}
        {known && <WaitingLabels labels={labels ?? []} timeZone={timeZone} />}
        {known && view === 'info' && (
          <FrameInfo frame={known.frame} record={known.record} storeName={storeName(known.frame.store_id)} timeZone={timeZone} />
        )}
        {known && view !== 'info' && <FrameHead frame={known.frame} withTag />}
        {known && view === 'history' && <FrameHistory history={history} timeZone={timeZone} />}
        {known && view === 'edit' && <TypedNotice of={edit} />}
        {known && view === 'edit' && (
          <FrameEdit
            frame={known.frame}
            preset={preset}
            draft={draft}
            onDraft={edit.change}
            errors={errors}
            problem={problem}
            changes={changes}
          />
        )}
      </div>
      {known && draft.action !== null && isConfirming && (
        <SoldConfirmation frame={known.frame} action={draft.action} onCancel={() => setConfirming(false)} onConfirm={save} />
      )}
    </Dialog>
  )
}
