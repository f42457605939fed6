import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Patient } from '#contract/patient.ts'
import { useDevice } from '#src/sync/device-context.tsx'
import { dropPatientDraft, keepPatientDraft, readPatientDraft } from '#src/sync/patient-drafts.ts'
import { draftOf, type PatientDraft, readDraft } from './draft.ts'
import type { PatientForm } from './form.ts'

const restMs = 250
/** Nobody waits longer for what the disk does not give. */
const longestMs = 2000

/** What was typed before and not saved; undefined until it has been looked for, null where there is nothing. */
export function useKeptDraft(place: string): PatientDraft | null | undefined {
  const device = useDevice()
  const [found, setFound] = useState<PatientDraft | null | undefined>(undefined)
  useEffect(() => {
    let gone = false
    // Whatever cannot be read is no reason to keep anybody from typing.
    readPatientDraft(device, place).then(
      (given) => gone || setFound((now) => (now === undefined ? readDraft(given) : now)),
      () => gone || setFound((now) => now ?? null),
    )
    const giveUp = setTimeout(() => setFound((now) => now ?? null), longestMs)
    return () => {
      gone = true
      clearTimeout(giveUp)
    }
  }, [device, place])
  return found
}

/** Keeps what is typed, a moment after it was, and at once when the page is left. @returns forgets it, for good */
export function useKeeping(place: string, id: string, base: Patient | null, form: PatientForm, isTouched: boolean): () => Promise<void> {
  const device = useDevice()
  const kept = useRef<PatientForm | null>(null)
  const done = useRef(false)
  const writing = useRef<Promise<unknown>>(Promise.resolve())
  const keep = useEffectEvent(() => {
    if (!isTouched || done.current || kept.current === form) return
    kept.current = form
    // Where the disk is full the person finds out when they save; what they type stays on the screen.
    writing.current = keepPatientDraft(device, place, draftOf(id, base, form)).catch(() => undefined)
  })
  useEffect(() => {
    const timer = setTimeout(() => keep(), restMs)
    return () => clearTimeout(timer)
  }, [form])
  useEffect(() => {
    const leave = () => keep()
    document.addEventListener('visibilitychange', leave)
    window.addEventListener('pagehide', leave)
    return () => {
      leave()
      document.removeEventListener('visibilitychange', leave)
      window.removeEventListener('pagehide', leave)
    }
  }, [])
  return async () => {
    done.current = true
    await writing.current
    await dropPatientDraft(device, place).catch(() => undefined)
  }
}
