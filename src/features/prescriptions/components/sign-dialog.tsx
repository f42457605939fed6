import { useState, type ReactNode } from 'react'
import type { RxSignature } from '#contract/prescription.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { SignaturePad } from './signature-pad.tsx'

/** Signing, by hand on the screen or by typing one's name. `onSign` answers with why it was not signed, or null. */
export function SignDialog({
  note,
  onSign,
  onClose,
}: {
  /** What it will tell of whoever prescribes. */
  note: ReactNode
  onSign: (signature: RxSignature) => Promise<string | null>
  onClose: () => void
}) {
  const [strokes, setStrokes] = useState<number[][]>([])
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function sign() {
    if (strokes.length === 0 && name.trim() === '') return setProblem('Sign in the field, or type your name.')
    setBusy(true)
    const failed = await onSign(strokes.length > 0 ? { kind: 'drawn', strokes } : { kind: 'typed', name: name.trim() })
    setBusy(false)
    setProblem(failed && `NOT SIGNED. ${failed}`)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      title="Sign the prescription"
      description="Once signed it never changes. The one of this kind that was in force before is replaced."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} onClick={() => void sign()}>
            Sign
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem && <Notice tone="bad">{problem}</Notice>}
        {note}
        <SignaturePad strokes={strokes} onChange={setStrokes} />
        <TextField label="Or type your full name" value={name} autoComplete="off" onChange={setName} disabled={strokes.length > 0} />
      </div>
    </Dialog>
  )
}
