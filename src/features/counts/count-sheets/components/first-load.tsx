import { useStore } from 'zustand'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { LoadingBar } from './loading-bar.tsx'

/** Shows the progress of this tablet's first load, which continues while the user works. */
export function FirstLoad() {
  const device = useDevice()
  const loading = useStore(device.mirror.progress, (progress) => progress.loading)
  if (!loading) return null
  return (
    <LoadingBar
      label={loading.collection === 'frames' ? 'Loading frames onto this tablet' : 'Loading onto this tablet'}
      done={loading.done}
      total={loading.total}
      leave="You can leave this page. Loading continues."
    />
  )
}
