import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { FileQueue } from '#src/sync/device.ts'
import { useDevice } from '#src/sync/device-context.tsx'

const nothing: FileQueue['state'] = createStore(() => ({ files: [], strange: [], ready: false }))

/** The queue of files and what is in it; null and nothing until its code is there. */
export function useFileQueue() {
  const device = useDevice()
  const [queue, setQueue] = useState<FileQueue | null>(null)
  useEffect(() => {
    let isCurrent = true
    device.files().then(
      (opened) => isCurrent && setQueue(opened),
      // The app is being closed, or its code cannot be had now: whoever looks again asks again.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [device])
  return { queue, ...useStore(queue?.state ?? nothing) }
}
