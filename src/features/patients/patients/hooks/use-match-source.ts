import { useConnection } from '#src/sync/react/device-context.tsx'
import { usePatientShelf } from '#src/sync/react/use-patient-shelf.ts'
import type { MatchSource } from './use-matches.ts'

/** Returns the patients of this device and its connection, for a search. */
export function useMatchSource(): MatchSource {
  const isOffline = useConnection((connection) => connection.online) === false
  return { ...usePatientShelf(), isOffline }
}
