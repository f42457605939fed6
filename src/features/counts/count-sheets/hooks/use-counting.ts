import { startTransition, useCallback, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { normaliseCode } from '#contract/core/codes.ts'
import type { ScanOutcome } from '#contract/counts/counting.ts'
import { shake } from '#src/device/haptics.ts'
import { pageScanner } from '#src/device/page-scanner.ts'
import { pageSound } from '#src/device/sound.ts'
import { createWakeLock, type WakeLock, type WakeState } from '#src/device/wake-lock.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { fetchWindowing } from '#src/ui/lists/virtual-list.tsx'
import { SheetModel } from '../model/sheet-model.ts'

function tell(outcome: ScanOutcome): void {
  pageSound().play(outcome)
  shake(outcome)
}

export type Counting = {
  /** Null while the sheet is read. */
  model: SheetModel | null
  /** Someone pressed Start: sound, keep-awake and storage have been requested. */
  started: boolean
  soundWorks: boolean
  wake: WakeState
  start: () => void
  /** Couldn’t read the count sheet from this tablet. */
  problem: string | null
}

/** Opens a sheet for counting: its model, the scanner of the page, and what only a press may open. */
export function useCounting(idCountSheet: string): Counting {
  const device = useDevice()
  const gapMs = useSession((session) => session.home?.store_settings.scan_gap_ms)
  const [model, setModel] = useState<SheetModel | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [started, setStarted] = useState(false)
  const [soundWorks, setSoundWorks] = useState(true)
  const [lock] = useState<WakeLock>(createWakeLock)
  const wake = useSyncExternalStore(lock.subscribe, lock.state)

  useEffect(() => {
    const opened = new SheetModel(device, idCountSheet, tell)
    let current = true
    // On its way while the sheet is read: a list that has it from the beginning is drawn once. One that has not fetches it again.
    fetchWindowing().catch(() => undefined)
    opened.open().then(
      // In small steps, as every page is made: whoever touches it meanwhile is heard.
      () => startTransition(() => void (current && setModel(opened))),
      (error: unknown) => current && setProblem(error instanceof Error ? error.message : 'Couldn’t read the count sheet'),
    )
    const leave = device.openSheet(idCountSheet)
    return () => {
      current = false
      opened.close()
      leave()
    }
  }, [device, idCountSheet])

  // Before it listens: scans that were made before are read by the same rhythm.
  useLayoutEffect(() => {
    if (gapMs !== undefined) pageScanner(normaliseCode).setGap(gapMs)
  }, [gapMs])

  // Before the screen is painted: what shows that it listens must listen.
  useLayoutEffect(() => {
    if (model) return pageScanner(normaliseCode).subscribe((_code, raw) => void model.scan(raw))
  }, [model])

  useEffect(() => () => lock.release(), [lock])

  const start = useCallback(() => {
    setStarted(true)
    void pageSound().open().then(setSoundWorks)
    void lock.hold()
    // Asked once, at the first count; some browsers ask the person and some never answer, so nothing waits for it.
    void device.storage.askToKeep()
  }, [lock, device])

  return { model, started, soundWorks, wake, start, problem }
}
