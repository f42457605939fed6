import { useEffect, useMemo, useState } from 'react'
import { countSheetEndpoints, type CountDevice, type CountLine, type CountSheet } from '#contract/counts/count-sheets.ts'
import { type CountSum, countSumOf } from '#contract/counts/count-sum.ts'
import { bringUpToDate, closeSheet, failureText } from '#src/features/counts/count-sheets/actions.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatAge, formatCount, formatNumberOf, formatPercent } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { CloseFigures } from './close-figures.tsx'
import { undecidedOf } from './exceptions-list.tsx'

type Preview = { lines: CountLine[]; devices: CountDevice[]; undecided: number }
type Step = { at: 'preparing' } | { at: 'blocked'; why: string } | { at: 'ready'; preview: Preview }

/** A tablet that is silent for longer may hold unknown scans. The server decides. */
const silentMs = 30_000

/** Closes a count: it sends everything, shows the figures, and asks for the typed number. */
export function CloseDialog({
  model,
  sheet,
  onClose,
  onClosed,
  onExceptions,
}: {
  model: SheetModel
  sheet: CountSheet
  onClose: () => void
  onClosed: () => void
  onExceptions: () => void
}) {
  const device = useDevice()
  const online = useConnection((connection) => connection.online)
  const withCost = useSession((session) => session.home?.permissions.includes('frame.see-cost') ?? false)
  const coverage = useSession((session) => session.home?.store_settings.coverage_percent ?? 85)
  const [step, setStep] = useState<Step>({ at: 'preparing' })
  const [round, setRound] = useState(0)
  const [typed, setTyped] = useState('')
  const [searched, setSearched] = useState(false)
  const [overridden, setOverridden] = useState<ReadonlySet<string>>(new Set())
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    let current = true
    async function prepare(): Promise<Step> {
      const why = await bringUpToDate(device, model)
      if (why !== null) return { at: 'blocked', why }
      const [lines, view] = await Promise.all([
        device.call(countSheetEndpoints.listCountItems, { query: { id_count_sheet: model.id } }),
        device.call(countSheetEndpoints.viewCountSheet, { params: { id: model.id } }),
      ])
      if (!lines.ok) return { at: 'blocked', why: failureText(lines.failure) }
      if (!view.ok) return { at: 'blocked', why: failureText(view.failure) }
      return { at: 'ready', preview: { lines: lines.value.items, devices: view.value.devices, undecided: undecidedOf(model).length } }
    }
    void prepare().then((step) => {
      if (current) setStep(step)
    })
    return () => {
      current = false
    }
  }, [device, model, round])

  const preview = step.at === 'ready' ? step.preview : null
  const sum = useMemo(() => (preview ? countSumOf(preview.lines) : null), [preview])
  const missing = sum?.missing ?? 0
  const holding = preview
    ? preview.devices.filter(
        (tablet) =>
          tablet.device_id !== device.deviceId &&
          (tablet.unsent > 0 || (tablet.open && device.serverNow() - Date.parse(tablet.last_seen_at) > silentMs)),
      )
    : []
  const waitsFor = holding.filter((tablet) => !overridden.has(tablet.device_id))
  const numberIsRight = missing === 0 || typed.trim() === String(missing)
  const mayClose = preview !== null && preview.undecided === 0 && waitsFor.length === 0 && numberIsRight && online !== false

  function prepareAgain() {
    setStep({ at: 'preparing' })
    setRound((count) => count + 1)
  }

  async function close() {
    setBusy(true)
    setProblem(null)
    const outcome = await closeSheet(device, model.id, { confirmedMissing: missing, overrideDevices: [...overridden], searched })
    setBusy(false)
    if (!outcome.ok) {
      setProblem(failureText(outcome.failure))
      // A tablet scanned meanwhile. Prepare the figures again, and keep the typed number.
      if (outcome.failure.kind === 'refused') prepareAgain()
      return
    }
    await device.pull()
    onClosed()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      size="md"
      title={`Close count ${sheet.number === null ? '' : `#${sheet.number}`}`}
      description="Closing is final. Frames change as listed here."
      footer={
        <>
          {preview && missing > 0 && (
            <div className="w-full">
              <TextField
                label={`Type ${missing} to confirm marking ${formatNumberOf(missing, 'frame')} missing`}
                value={typed}
                onChange={setTyped}
                inputMode="numeric"
                figures
                autoComplete="off"
                error={
                  typed !== '' && !numberIsRight && typed.trim().length >= String(missing).length ? `The number is ${missing}` : undefined
                }
              />
            </div>
          )}
          <Button onClick={onClose}>Not yet</Button>
          {step.at === 'blocked' ? (
            <Button variant="primary" onClick={prepareAgain}>
              Try again
            </Button>
          ) : (
            <Button variant={missing > 0 ? 'danger' : 'primary'} busy={busy} disabled={!mayClose} onClick={() => void close()}>
              {missing > 0 ? `Close and mark ${formatCount(missing)} missing` : 'Close count'}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem && (
          <Notice tone="bad" title="Not closed">
            {problem}
          </Notice>
        )}
        {step.at === 'preparing' && <Spinner label="Sending waiting scans and checking with the server…" />}
        {step.at === 'blocked' && (
          <Notice tone="warn" title="This count can’t be closed now">
            {step.why}
          </Notice>
        )}
        {preview && sum && (
          <>
            <CloseFigures sheet={sheet} sum={sum} withCost={withCost} />
            {preview.undecided > 0 && (
              <Notice
                tone="warn"
                title={`${formatNumberOf(preview.undecided, 'exception needs', 'exceptions need')} a decision`}
                actions={<Button onClick={onExceptions}>Decide now</Button>}
              >
                Decide each one before closing.
              </Notice>
            )}
            {holding.map((tablet) => (
              <Notice key={tablet.device_id} tone="warn" title={tabletTitle(tablet)}>
                <bdi>{tablet.person_name}</bdi>, last seen {formatAge(device.serverNow() - Date.parse(tablet.last_seen_at))} ago.{' '}
                {tablet.unsent > 0
                  ? `${formatNumberOf(tablet.unsent, 'scan')} to send. Frames scanned there would be marked Missing.`
                  : 'Last report: nothing waiting. Only frames scanned there since then would be marked Missing.'}
                <Checkbox
                  label={`Close without ${tablet.device_name} — I take responsibility`}
                  checked={overridden.has(tablet.device_id)}
                  onChange={(checked) => {
                    const next = new Set(overridden)
                    if (checked) next.add(tablet.device_id)
                    else next.delete(tablet.device_id)
                    setOverridden(next)
                  }}
                />
              </Notice>
            ))}
            {missing > 0 && (
              <>
                <CoverageWarning sum={sum} coveragePercent={coverage} />
                <Checkbox label="I rechecked the boards for missing frames" checked={searched} onChange={setSearched} />
              </>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}

function tabletTitle({ device_name, unsent }: CountDevice): string {
  return unsent > 0 ? `${device_name} may have unsent scans` : `${device_name} is out of reach`
}

function CoverageWarning({ sum, coveragePercent }: { sum: CountSum; coveragePercent: number }) {
  const share = sum.expected === 0 ? 1 : (sum.counted + sum.expectedSetAside) / sum.expected
  if (share * 100 >= coveragePercent) return null
  return (
    <Notice tone="bad" title={`Only ${formatPercent(share)} scanned: ${formatNumberOf(sum.missing, 'frame')} would be marked Missing`}>
      Is there still a board, drawer, repair tray or window display to count?
    </Notice>
  )
}
