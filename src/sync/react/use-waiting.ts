import { useLiveQuery } from 'dexie-react-hooks'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'

type Readable<One> = { read: (hot: HotDatabase, key?: string | number) => Promise<One[]> }

/**
 * The waiting actions of this device, always current; undefined until they have been read. With a key: one lane only.
 */
export function useWaiting<One>(work: Readable<One>, key?: string | number): One[] | undefined {
  const { hot } = useDevice()
  return useLiveQuery(() => work.read(hot, key), [hot, work, key])
}
