import { useState, type ReactNode } from 'react'
import * as v from 'valibot'
import { isSameName } from '#contract/core/folding.ts'
import type { RxSignature } from '#contract/rx/prescription.ts'
import { KeptForm } from '#src/domain/forms/kept-form.tsx'
import { useSession } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { SignaturePad } from './signature-pad.tsx'

const readName = readAs(v.object({ name: v.string() }))
const fresh = { name: '' }

/**
 * Signs by hand on the screen or by typing a name. The device keeps a typed name until the signature, and never keeps a
 * drawing. `onSign` returns the problem, or null.
 */
export function SignDialog({
  idRx,
  powers,
  note,
  onSign,
  onClose,
}: {
  idRx: string
  /** The powers to sign. */
  powers: ReactNode
  /** The prescriber's numbers. */
  note: ReactNode
  onSign: (signature: RxSignature) => Promise<string | null>
  onClose: () => void
}) {
  const [strokes, setStrokes] = useState<number[][]>([])
  const draft = useTyped(`patient: rx signature ${idRx}`, fresh, readName)
  const own = useSession(({ home }) => (home ? `${home.first_name} ${home.last_name}`.trim() : ''))
  const isDrawn = strokes.length > 0

  async function sign({ name }: typeof fresh) {
    if (!isDrawn && name.trim() === '') return 'Sign in the field or type your name.'
    const failed = await onSign(isDrawn ? { kind: 'drawn', strokes } : { kind: 'typed', name: name.trim() })
    return failed && `NOT SIGNED. ${failed}`
  }

  return (
    <KeptForm
      draft={draft}
      title="Sign the prescription"
      description="You can’t edit this prescription after signing. It replaces the current one."
      cancel="Cancel"
      save="Sign"
      check={({ name }) =>
        isDrawn || name.trim() === '' || isSameName(name, own) ? {} : { name: `That’s not your name. Type ${own} or sign in the field.` }
      }
      send={sign}
      onDone={() => undefined}
      onClose={onClose}
    >
      {({ typed, problems, change }) => (
        <>
          {powers}
          {note}
          <SignaturePad strokes={strokes} onChange={setStrokes} />
          <TextField
            label="Or type your full name"
            value={typed.name}
            autoComplete="off"
            hint={`As on your account: ${own}`}
            error={isDrawn ? undefined : problems['name']}
            onChange={(name) => change({ name })}
            disabled={isDrawn}
          />
        </>
      )}
    </KeptForm>
  )
}
