import { useStore } from 'zustand'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { LoadingBar } from './loading-bar.tsx'

/** How far the first filling of this tablet is. It goes on while one works. */
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
