import { useState } from 'react'
import type { RxInput } from '#contract/rx/prescription.ts'
import { type FhirReading, fromFhir } from '#contract/rx/rx-fhir.ts'
import { inNotation, type WayOfWriting } from '#contract/rx/rx-rules.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatDate } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { eyeWords, kindWords } from '../words.ts'

const mostBytes = 256 * 1024

/** Shows a prescription file from another clinic before it becomes a draft. `onTake` returns the problem, or null. */
export function ImportDialog({
  writing,
  onTake,
  onClose,
}: {
  writing: WayOfWriting
  onTake: (rx: RxInput) => Promise<string | null>
  onClose: () => void
}) {
  const [reading, setReading] = useState<FhirReading | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const rx = reading?.ok && reading.problems.length === 0 ? reading.rx : null

  async function read(file: File | undefined) {
    setProblem(null)
    if (!file) return setReading(null)
    if (file.size > mostBytes) return setReading({ ok: false, message: 'This file is too large for a prescription' })
    setReading(fromFhir(await file.text(), writing.power_step))
  }

  async function take() {
    if (!rx) return
    setBusy(true)
    setProblem(await onTake(rx))
    setBusy(false)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Import a prescription"
      description="An HL7 FHIR VisionPrescription in a JSON file. It becomes a draft. Check the patient’s name against the paper Rx first."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isBusy} disabled={!rx} onClick={() => void take()}>
            Create draft
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <label className="flex flex-col gap-1.5 text-sm font-medium text-ink-2">
          File
          <input
            type="file"
            accept=".json,application/json"
            className="min-h-target py-3 text-base text-ink"
            onChange={(event) => void read(event.target.files?.[0])}
          />
        </label>
        {problem && <Notice tone="bad">{problem}</Notice>}
        {reading && !reading.ok && <Notice tone="bad">{reading.message}</Notice>}
        {reading?.ok && (
          <dl className="figures grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            <dt className="text-ink-2">Kind</dt>
            <dd>{kindWords[reading.rx.rx_kind]}</dd>
            <dt className="text-ink-2">OD</dt>
            <dd>{eyeWords(inNotation(reading.rx, writing.cylinder_notation), 'od')}</dd>
            <dt className="text-ink-2">OS</dt>
            <dd>{eyeWords(inNotation(reading.rx, writing.cylinder_notation), 'os')}</dd>
            <dt className="text-ink-2">Written</dt>
            <dd>{reading.rx.issue_date ? formatDate(reading.rx.issue_date) : '—'}</dd>
          </dl>
        )}
        {reading?.ok && reading.problems.length > 0 && (
          <Notice tone="bad" title="This file has values a prescription can’t have">
            {reading.problems.map(({ path, message }) => `${path.replace('.', ' ').toUpperCase()} ${message}`).join('. ')}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}
