import { useEffect, useRef, useState } from 'react'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { type DraftParts, type DraftPlace, dropDraft, isOfPatient, keepDraft, readDraft } from '#src/sync/device/drafts.ts'
import { useWork } from '#src/sync/react/use-work.ts'

type Parts = DraftParts & Pick<Device, 'patients'>

/** Nobody waits longer for what the disk does not give. */
const longestMs = 2000
/** Longer than the server may take to give the key. */
const keyMs = 10_000

export type Draft<T> = {
  /** What was typed before and not saved; undefined until it has been looked for, null where there is nothing that can be used. */
  kept: T | null | undefined
  /** Keeps what is typed in place of what was. @returns whether it lies on the disk now, or something newer does */
  keep: (content: T) => Promise<boolean>
  /** For good. @returns whether the disk let it go */
  forget: () => Promise<boolean>
}

/**
 * What a person types and has not saved: found again after a reload, kept at every change, forgotten when it is saved.
 * A disk that fails takes nothing from the screen.
 * @param place the form and its object; `patient:` where it holds data of a patient
 * @param read null for what another version of the app has written and this one cannot use
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
    // Whatever cannot be read is no reason to keep anybody from typing.
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

/** In which of these places something was typed and not saved; looked for anew at every other turn. */
export function useBegunDrafts(places: readonly DraftPlace[], turn: unknown): ReadonlySet<DraftPlace> {
  const device = useDevice()
  const [begun, setBegun] = useState<ReadonlySet<DraftPlace>>(new Set())
  const asked = JSON.stringify(places)
  useEffect(() => {
    let gone = false
    const look = async () => {
      // Opening the patients brings the key under which drafts lie, where this device does not have it yet.
      await device.patients()
      const all = JSON.parse(asked) as DraftPlace[]
      const drafts = await Promise.all(all.map((place) => readWritten(device, place)))
      if (!gone) setBegun(new Set(all.filter((_, index) => drafts[index] !== null)))
    }
    // Where nothing can be read, nothing is offered.
    look().catch(() => undefined)
    return () => {
      gone = true
    }
  }, [device, asked, turn])
  return begun
}

/** What is to be written in one place: one write after the other, and of what came meanwhile only the last. */
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
    // Where the disk is full the person finds out when they save; what they type stays on the screen.
    return false
  }
}

/** Right after a sign-in somebody types before the key is here, and may type nothing more when it is. */
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

/** After what is being written there. */
async function readWritten(parts: Parts, place: DraftPlace): Promise<unknown> {
  await lines.get(parts.hot)?.get(place)?.turn
  return await readDraft(parts, place)
}
