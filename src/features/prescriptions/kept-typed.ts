import { useEffect, useState } from 'react'
import * as v from 'valibot'
import type { Device } from '#src/sync/device.ts'
import { useDevice } from '#src/sync/device-context.tsx'
import { dropPatientDraft, keepPatientDraft, readPatientDraft } from '#src/sync/patient-drafts.ts'
import type { TypedRx } from './typed-rx.ts'

/** Nobody waits longer for what the disk does not give. */
const longestMs = 2000

const placeOf = (idRx: string) => `rx ${idRx}`
let writing: Promise<unknown> = Promise.resolve()

/** Keeps what was typed and not saved, encrypted as patients are; null forgets it. A disk that fails takes nothing from the screen. */
export function keepTyped(device: Device, idRx: string, typed: TypedRx | null): void {
  const place = placeOf(idRx)
  // One after the other, so that the last one holds.
  const write = async () => void (await (typed ? keepPatientDraft(device, place, typed) : dropPatientDraft(device, place)))
  writing = writing.then(write).catch(() => undefined)
}

/** What was typed before and not saved; undefined until it has been looked for, null where there is nothing. */
export function useKeptTyped(idRx: string): TypedRx | null | undefined {
  const device = useDevice()
  const [kept, setKept] = useState<TypedRx | null | undefined>(undefined)
  useEffect(() => {
    let gone = false
    const found = (given: unknown) => {
      const parsed = v.safeParse(v.record(v.string(), v.string()), given)
      if (!gone) setKept((now) => (now === undefined ? (parsed.success ? parsed.output : null) : now))
    }
    const giveUp = setTimeout(() => found(null), longestMs)
    writing.then(() => readPatientDraft(device, placeOf(idRx))).then(found, () => found(null))
    return () => {
      gone = true
      clearTimeout(giveUp)
    }
  }, [device, idRx])
  return kept
}
