import { useState, type ReactNode } from 'react'
import * as v from 'valibot'
import { isSameName } from '#contract/core/folding.ts'
import type { RxSignature } from '#contract/rx/prescription.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DiscardButton } from '#src/ui/forms/discard-button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { SignaturePad } from './signature-pad.tsx'

const readName = readAs(v.object({ name: v.string() }))

/**
 * Signing, by hand on the screen or by typing one's name. A name is kept on this device until it is signed; what is drawn never is.
 * `onSign` answers with why it was not signed, or null.
 */
export function SignDialog({
  idRx,
  powers,
  note,
  onSign,
  onClose,
}: {
  idRx: string
  /** What is signed. */
  powers: ReactNode
  /** What it will tell of whoever prescribes. */
  note: ReactNode
  onSign: (signature: RxSignature) => Promise<string | null>
  onClose: () => void
}) {
  const [strokes, setStrokes] = useState<number[][]>([])
  const draft = useTyped(`rx signature ${idRx}`, { name: '' }, readName)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isForeign, setForeign] = useState(false)
  const own = useSession(({ home }) => (home ? `${home.first_name} ${home.last_name}`.trim() : ''))
  if (draft.typed === null) return null
  const { name } = draft.typed

  async function sign() {
    if (strokes.length === 0 && name.trim() === '') return setProblem('Sign in the field or type your name.')
    if (strokes.length === 0 && !isSameName(name, own)) {
      setProblem(null)
      return setForeign(true)
    }
    setBusy(true)
    const failed = await onSign(strokes.length > 0 ? { kind: 'drawn', strokes } : { kind: 'typed', name: name.trim() })
    setBusy(false)
    if (failed === null) void draft.forget()
    setProblem(failed && `NOT SIGNED. ${failed}`)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      size="md"
      title="Sign the prescription"
      description="You can’t edit this prescription after signing. It replaces the current one."
      footer={
        <>
          <DiscardButton forget={draft.forget} onClose={onClose}>
            Cancel
          </DiscardButton>
          <Button variant="primary" busy={busy} onClick={() => void sign()}>
            Sign
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TypedNotice of={draft} />
        {problem && <Notice tone="bad">{problem}</Notice>}
        {powers}
        {note}
        <SignaturePad strokes={strokes} onChange={setStrokes} />
        <TextField
          label="Or type your full name"
          value={name}
          autoComplete="off"
          hint={`As on your account: ${own}`}
          error={isForeign && strokes.length === 0 ? `That’s not your name. Type ${own} or sign in the field.` : undefined}
          onChange={(typed) => {
            setForeign(false)
            draft.change({ name: typed })
          }}
          disabled={strokes.length > 0}
        />
      </div>
    </Dialog>
  )
}
