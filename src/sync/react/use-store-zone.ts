import { useSession } from './device-context.tsx'

/** Returns the time zone of the user's store. */
export function useStoreZone(): string | undefined {
  return useSession(({ home }) => home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone)
}
