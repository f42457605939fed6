import { useEffect, useRef, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import type { Channel, CallOutcome, Message } from '#contract/messages.ts'
import { useDevice } from '#src/sync/device-context.tsx'
import { dropPatientDraft, keepPatientDraft, readPatientDraft } from '#src/sync/patient-drafts.ts'

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

/** Nobody waits longer for what the disk does not give. */
const longestMs = 2000

type Parts = Parameters<typeof keepPatientDraft>[0]

const placeOf = (idPatient: string, channel: Channel) => `message ${idPatient} ${channel}`

/** Null when there is none, or when it cannot be read now. */
export async function readDraft(parts: Parts, idPatient: string, channel: Channel): Promise<Draft | null> {
  return (await readPatientDraft(parts, placeOf(idPatient, channel))) as Draft | null
}

async function keepDraft(parts: Parts, idPatient: string, channel: Channel, draft: Draft | null): Promise<void> {
  const place = placeOf(idPatient, channel)
  if (draft === null || !isWritten(draft)) await dropPatientDraft(parts, place)
  else await keepPatientDraft(parts, place, draft)
}

/** A draft while it is written: every change is on the disk a moment later. Null until it is known whether there is one. */
export function useDraft(idPatient: string, channel: Channel, beginning: Partial<Draft> | null) {
  const device = useDevice()
  const [draft, setDraft] = useState<Draft | null>(null)
  const [former, setFormer] = useState<Draft | null>(null)
  const writing = useRef<Promise<void>>(Promise.resolve())
  const begin = useRef(beginning)

  useEffect(() => {
    let gone = false
    const fresh = () => ({ ...newDraft(device.serverNow()), ...begin.current })
    const giveUp = setTimeout(() => setDraft((now) => now ?? fresh()), longestMs)
    readDraft(device, idPatient, channel).then(
      (kept) => {
        if (gone) return
        // Whoever writes again what failed begins with that; everybody else goes on where they stopped.
        setDraft((now) => now ?? (begin.current ? fresh() : (kept ?? fresh())))
        if (begin.current) setFormer(kept)
      },
      () => gone || setDraft((now) => now ?? fresh()),
    )
    return () => {
      gone = true
      clearTimeout(giveUp)
    }
  }, [device, idPatient, channel])

  const keep = (next: Draft | null) => {
    // One after the other, so that the last one holds. A disk that fails takes nothing from what is on the screen.
    writing.current = writing.current.then(() => keepDraft(device, idPatient, channel, next)).catch(() => undefined)
    return writing.current
  }
  return {
    draft,
    /** What had been begun before, where something else was begun now. */
    former,
    change: (changes: Partial<Draft>) => {
      if (!draft) return
      const next = { ...draft, ...changes }
      setDraft(next)
      void keep(next)
    },
    forget: () => keep(null),
  }
}
