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
  /** Null while this device reads the sheet. */
  model: SheetModel | null
  /** True after a user pressed Start, which requests sound, keep-awake and storage. */
  started: boolean
  soundWorks: boolean
  wake: WakeState
  start: () => void
  /** Set when this tablet could not read the count sheet. */
  problem: string | null
}

/** Opens a sheet for counting: its model, the page's scanner, and the features that need a press. */
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
    // Loads this while the sheet is read, so that the list is drawn once. After a failure, the list loads it again.
    fetchWindowing().catch(() => undefined)
    opened.open().then(
      // Renders in small steps, as every page does, so that a touch meanwhile is not lost.
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

  // Set the gap before the scanner listens: it then reads earlier scans with the same gap.
  useLayoutEffect(() => {
    if (gapMs !== undefined) pageScanner(normaliseCode).setGap(gapMs)
  }, [gapMs])

  // Subscribe before the first paint: a screen that shows a listening scanner must listen.
  useLayoutEffect(() => {
    if (model) return pageScanner(normaliseCode).subscribe((_code, raw) => void model.scan(raw))
  }, [model])

  useEffect(() => () => lock.release(), [lock])

  const start = useCallback(() => {
    setStarted(true)
    void pageSound().open().then(setSoundWorks)
    void lock.hold()
    // Ask once, at the first count. Some browsers ask the user and some never answer, so nothing waits for it.
    void device.storage.askToKeep()
  }, [lock, device])

  return { model, started, soundWorks, wake, start, problem }
}
