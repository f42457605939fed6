import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { FileQueue } from '#src/sync/device/device.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'

const nothing: FileQueue['state'] = createStore(() => ({ files: [], strange: [], ready: false }))

/**
 * The queue of files and its state. Null and empty until its code is loaded; `missing` when the code could not be
 * loaded.
 */
export function useFileQueue() {
  const device = useDevice()
  const [queue, setQueue] = useState<FileQueue | null>(null)
  const [missing, setMissing] = useState(false)
  useEffect(() => {
    let isCurrent = true
    device.files().then(
      (opened) => isCurrent && setQueue(opened),
      // The app is closing, or the code cannot be loaded now. The next visit tries again.
      () => isCurrent && setMissing(true),
    )
    return () => {
      isCurrent = false
    }
  }, [device])
  return { queue, missing, ...useStore(queue?.state ?? nothing) }
}
