import type { HomeInfo } from '#contract/people/session.ts'
import type { BegunPatients, ReadAhead } from '#src/sync/device/read-ahead.ts'
import { patientsKeyIn } from '#src/sync/patients/patients-key.ts'

/**
 * The key for patients and the first patients, read at the start. Each is given once, because both may change later.
 */
export type PatientsAhead = {
  key(home: HomeInfo): Promise<CryptoKey | null>
  reading(name: string): Promise<BegunPatients | undefined>
  /** Closes a reading that no code took. */
  close(): void
}

export function patientsAhead(ahead: ReadAhead | null): PatientsAhead {
  let facts = ahead?.facts ?? null
  let patients = ahead?.patients ?? null

  function close() {
    void patients?.then(
      (begun) => begun?.database.close(),
      () => undefined,
    )
    facts = null
    patients = null
  }

  return {
    async key(home) {
      const found = facts
      facts = null
      return patientsKeyIn((await found?.catch(() => null))?.key, home)
    },
    async reading(name) {
      const found = patients
      patients = null
      const begun = (await found?.catch(() => null)) ?? undefined
      if (begun?.name === name) return begun
      begun?.database.close()
      return undefined
    },
    close,
  }
}
