import { useEffect, useRef, useState } from 'react'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { type DraftParts, type DraftPlace, dropDraft, isOfPatient, keepDraft, readDraft } from '#src/sync/device/drafts.ts'
import { useWork } from '#src/sync/react/use-work.ts'

type Parts = DraftParts & Pick<Device, 'patients'>

/** A form waits no longer than this for the disk, ms. */
const longestMs = 2000
/** Longer than the server may take to give the key, ms. */
const keyMs = 10_000

export type Draft<T> = {
  /** The unsaved text from before; undefined until it has been looked for, null when there is none to use. */
  kept: T | null | undefined
  /** Replaces the kept text. @returns true when this text or a newer one is on the disk */
  keep: (content: T) => Promise<boolean>
  /** Deletes the draft. @returns true when the disk did so */
  forget: () => Promise<boolean>
}

/**
 * Keeps the unsaved text of a form: found again after a reload, kept at every change, deleted when it is saved. A
 * failing disk takes nothing from the screen.
 * @param place the form and its object; `patient:` when it holds data of a patient
 * @param read returns null for text of another version that this one cannot use
 */
export function useDraft<T>(place: DraftPlace, read: (given: unknown) => T | null): Draft<T> {
  const device = useDevice()
  const [found, setFound] = useState<{ place: DraftPlace; draft: T | null } | null>(null)
  const [last, setLast] = useState<{ place: DraftPlace; isTyped: boolean } | null>(null)
  const isTyped = last?.place === place ? last.isTyped : found?.place === place && found.draft !== null
  useWork(isTyped ? (isOfPatient(place) ? 'patient' : 'form') : null)
  const reading = useRef(read)
  useEffect(() => {
    let gone = false
    const settle = (given: unknown) => {
      if (!gone) setFound((now) => (now?.place === place ? now : { place, draft: given === null ? null : reading.current(given) }))
    }
    // A draft that cannot be read must not keep a user from typing.
    readWritten(device, place).then(settle, () => settle(null))
    const giveUp = setTimeout(() => settle(null), longestMs)
    return () => {
      gone = true
      clearTimeout(giveUp)
    }
  }, [device, place])
  return {
    kept: found?.place === place ? found.draft : undefined,
    keep(content) {
      setLast({ place, isTyped: true })
      return write(device, place, { content })
    },
    forget() {
      setLast({ place, isTyped: false })
      return write(device, place, null)
    },
  }
}

/** The places with unsaved text. Looks again when `turn` changes. */
export function useBegunDrafts(places: readonly DraftPlace[], turn: unknown): ReadonlySet<DraftPlace> {
  const device = useDevice()
  const [begun, setBegun] = useState<ReadonlySet<DraftPlace>>(new Set())
  const asked = JSON.stringify(places)
  useEffect(() => {
    let gone = false
    const look = async () => {
      // Opening the patients brings the key for drafts, when this device does not have it yet.
      await device.patients()
      const all = JSON.parse(asked) as DraftPlace[]
      const drafts = await Promise.all(all.map((place) => readWritten(device, place)))
      if (!gone) setBegun(new Set(all.filter((_, index) => drafts[index] !== null)))
    }
    // When nothing can be read, nothing is offered.
    look().catch(() => undefined)
    return () => {
      gone = true
    }
  }, [device, asked, turn])
  return begun
}

/** The writes to one place: one after the other, and only the newest of those that came meanwhile. */
type Line = { newest: { content: unknown } | null; count: number; written: number; lies: boolean; turn: Promise<unknown> }

const lines = new WeakMap<HotDatabase, Map<DraftPlace, Line>>()

async function write(parts: Parts, place: DraftPlace, next: Line['newest']): Promise<boolean> {
  const ofDisk = lines.get(parts.hot) ?? new Map<DraftPlace, Line>()
  lines.set(parts.hot, ofDisk)
  const line = ofDisk.get(place) ?? { newest: null, count: 0, written: 0, lies: false, turn: Promise.resolve() }
  ofDisk.set(place, line)
  line.newest = next
  line.count += 1
  const mine = line.count
  const turn = line.turn.then(async () => {
    if (line.written < mine) {
      line.written = line.count
      line.lies = await writeOne(parts, place, line.newest)
    }
    if (line.written === line.count) ofDisk.delete(place)
    return line.lies
  })
  line.turn = turn
  return await turn
}

async function writeOne(parts: Parts, place: DraftPlace, next: Line['newest']): Promise<boolean> {
  try {
    if (!next) {
      await dropDraft(parts, place)
      return true
    }
    if (await keepDraft(parts, place, next.content)) return true
    if (isOfPatient(place)) await untilKeyComes(parts)
    return await keepDraft(parts, place, next.content)
  } catch {
    // On a full disk the user finds out when they save. Their text stays on the screen.
    return false
  }
}

/** Waits for the key: right after a sign-in a user may type before it is here, and nothing more afterwards. */
async function untilKeyComes({ patients }: Parts): Promise<void> {
  const { state } = await patients()
  if (state.getState().status !== 'locked') return
  await new Promise<void>((resolve) => {
    const done = () => {
      stop()
      clearTimeout(giveUp)
      resolve()
    }
    const giveUp = setTimeout(done, keyMs)
    const stop = state.subscribe(({ status }) => status !== 'locked' && done())
  })
}

/** Reads a draft after the present write to its place. */
async function readWritten(parts: Parts, place: DraftPlace): Promise<unknown> {
  await lines.get(parts.hot)?.get(place)?.turn
  return await readDraft(parts, place)
}
