import { touchedKey, wasLeftAlone } from '#src/sync/device/idling.ts'

const signs = ['keydown', 'pointerdown', 'wheel', 'touchstart'] as const
const lookEveryMs = 5000
/** How late other windows and the next start may learn of a touch. */
const writeEveryMs = 2000

type Watched = { target: EventTarget; storage: Pick<Storage, 'getItem' | 'setItem'>; now: () => number }

/**
 * Calls `lock` when all windows of the tablet were idle as long as its setting says. Returns a function that stops it.
 */
export function watchIdling(lock: () => void, { target, storage, now }: Watched): () => void {
  let writtenAt = -Infinity

  function touch() {
    if (Math.abs(now() - writtenAt) < writeEveryMs) return
    writtenAt = now()
    try {
      storage.setItem(touchedKey, String(writtenAt))
    } catch {
      // The disk is full or forbidden. The stored time is then too old, so the tablet locks too early, never too late.
    }
  }

  function look() {
    // If someone set the clock back, the tablet would stay open for that much longer.
    if (Number(storage.getItem(touchedKey)) > now()) touch()
    else if (wasLeftAlone(storage, now())) lock()
  }

  /** A user may touch a tablet that slept before its timer has run. */
  function onSign() {
    look()
    if (!wasLeftAlone(storage, now())) touch()
  }

  touch()
  const timer = setInterval(look, lookEveryMs)
  for (const sign of signs) target.addEventListener(sign, onSign, { capture: true, passive: true })
  return () => {
    clearInterval(timer)
    for (const sign of signs) target.removeEventListener(sign, onSign, { capture: true })
  }
}
