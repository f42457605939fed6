import { useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import type { Channel, CallOutcome, Message } from '#contract/patients/messages.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useTyped } from '#src/sync/react/use-typed.ts'
import type { DraftPlace } from '#src/sync/device/drafts.ts'

/**
 * What was typed and not sent yet. It lies on the device under the key of its patients, so that it survives a reload and is for nobody else to
 * read. `id` is that of the message which comes of it: sent twice, it is there once.
 */
export type Draft = {
  id: string
  /** Of the first word, server time, ms. */
  begunAt: number
  template: Message['template']
  subject: string
  text: string
  direction: Message['direction']
  outcome: CallOutcome | null
  minutes: string
  /** The number of a call; null while none was chosen, empty for one that is not on file. */
  to: string | null
}

const isWritten = ({ subject, text, outcome, minutes }: Draft) => `${subject}${text}${minutes}`.trim() !== '' || outcome !== null

export function newDraft(now: number): Draft {
  return { id: uuidv7(), begunAt: now, template: null, subject: '', text: '', direction: 'out', outcome: null, minutes: '', to: null }
}

/** Where it is kept on this device. */
export const draftPlace = (idPatient: string, channel: Channel): DraftPlace => `patient: message ${idPatient} ${channel}`

const shape = v.looseObject({ id: v.string(), begunAt: v.number(), subject: v.string(), text: v.string(), minutes: v.string() })

/** Null for what another version of the app has written and this one cannot use. */
function readDraft(given: unknown): Draft | null {
  return v.is(shape, given) ? { ...newDraft(given.begunAt), ...(given as Partial<Draft>) } : null
}

/** A draft while it is written. Null until it is known whether there is one. */
export function useDraft(idPatient: string, channel: Channel, beginning: Partial<Draft> | null) {
  const device = useDevice()
  const [fresh] = useState<Draft>(() => ({ ...newDraft(device.serverNow()), ...beginning }))
  // Whoever writes again what failed begins with that; everybody else goes on where they stopped.
  const ways = { goesOn: beginning === null, isWritten }
  const { typed, former, change, forget } = useTyped(draftPlace(idPatient, channel), fresh, readDraft, ways)
  return {
    draft: typed,
    /** What had been begun before, where something else was begun now. */
    former: beginning ? former : null,
    change: (changes: Partial<Draft>) => {
      if (typed) change({ ...typed, ...changes })
    },
    forget,
  }
}
