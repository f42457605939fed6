import { useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import type { Channel, CallOutcome, Message } from '#contract/patients/messages.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useTyped } from '#src/sync/react/use-typed.ts'
import type { DraftPlace } from '#src/sync/device/drafts.ts'

/**
 * Typed text that is not sent yet. The device encrypts it with its patients' key. It survives a reload, and nobody else
 * can read it.
 * `id` becomes the id of the message, so that sending twice makes one message.
 */
export type Draft = {
  id: string
  /** The time of the first word: server time, ms. */
  begunAt: number
  template: Message['template']
  subject: string
  text: string
  direction: Message['direction']
  outcome: CallOutcome | null
  minutes: string
  /** The number that was called: null until the user chooses, empty when it is not on file. */
  to: string | null
}

const isWritten = ({ subject, text, outcome, minutes }: Draft) => `${subject}${text}${minutes}`.trim() !== '' || outcome !== null

export function newDraft(now: number): Draft {
  return { id: uuidv7(), begunAt: now, template: null, subject: '', text: '', direction: 'out', outcome: null, minutes: '', to: null }
}

/** Returns the key of the draft on this device. */
export const draftPlace = (idPatient: string, channel: Channel): DraftPlace => `patient: message ${idPatient} ${channel}`

const shape = v.looseObject({ id: v.string(), begunAt: v.number(), subject: v.string(), text: v.string(), minutes: v.string() })

/** Returns null for a draft of another app version that this one cannot use. */
function readDraft(given: unknown): Draft | null {
  return v.is(shape, given) ? { ...newDraft(given.begunAt), ...(given as Partial<Draft>) } : null
}

/** Returns the draft while the user types. It is null until the device has looked for one. */
export function useDraft(idPatient: string, channel: Channel, beginning: Partial<Draft> | null) {
  const device = useDevice()
  const [fresh] = useState<Draft>(() => ({ ...newDraft(device.serverNow()), ...beginning }))
  // A retry of a failed message starts with that message. Otherwise the user continues their draft.
  const ways = { goesOn: beginning === null, isWritten }
  const { typed, former, change, forget } = useTyped(draftPlace(idPatient, channel), fresh, readDraft, ways)
  return {
    draft: typed,
    /** The former draft, when this dialog starts with another message. */
    former: beginning ? former : null,
    change: (changes: Partial<Draft>) => {
      if (typed) change({ ...typed, ...changes })
    },
    forget,
  }
}
