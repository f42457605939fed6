import { touchedKey, wasLeftAlone } from '#src/sync/device/idling.ts'

const signs = ['keydown', 'pointerdown', 'wheel', 'touchstart'] as const
const lookEveryMs = 5000
/** What other windows and the next start hear of it may be so old. */
const writeEveryMs = 2000

type Watched = { target: EventTarget; storage: Pick<Storage, 'getItem' | 'setItem'>; now: () => number }

/** Calls `lock` when nobody has touched a key or the screen, in any window of the tablet, for as long as its setting says. Returns the end. */
export function watchIdling(lock: () => void, { target, storage, now }: Watched): () => void {
  let writtenAt = -Infinity

  function touch() {
    if (Math.abs(now() - writtenAt) < writeEveryMs) return
    writtenAt = now()
    try {
      storage.setItem(touchedKey, String(writtenAt))
    } catch {
      // Full, or forbidden: what is there is older than it is, and locks too early rather than too late.
    }
  }

  function look() {
    // Set back, the clock would have the tablet stay open for as long as it was set back.
    if (Number(storage.getItem(touchedKey)) > now()) touch()
    else if (wasLeftAlone(storage, now())) lock()
  }

  /** A tablet that slept may be touched before it has looked. */
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
