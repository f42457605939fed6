import { useCallback } from 'react'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { insuranceEndpoints } from '#contract/insurance/insurance.ts'
import { patientEndpoints, type PatientRecord } from '#contract/patients/patients.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded, type Loaded } from '#src/sync/react/use-loaded.ts'
import { useMore } from '#src/sync/react/use-more.ts'
import { useReference } from '#src/sync/react/use-reference.ts'

const timeoutMs = 15_000

/** The patient's record from the server. */
export function usePatientRecord(id: string): Loaded<PatientRecord> {
  const device = useDevice()
  const load = useCallback(
    () => device.call(patientEndpoints.readPatient, { params: { id }, query: { reason: 'patient page' } }, { timeoutMs }),
    [device, id],
  )
  return useLoaded(load)
}

/** The providers and stores that a patient may prefer. */
export const usePatientChoices = () => useReference(patientEndpoints.patientChoices)

/** The coverages that a policy may have. */
export const useCoverageTypes = () => useReference(insuranceEndpoints.coverageTypes)

export type AccessEntry = ResponseOf<typeof patientEndpoints.patientAudit>['entries'][number]

const entryKey = ({ id }: AccessEntry) => id

/** The users who saw and changed a patient's record, newest first. */
export const useAccessLog = (id: string) =>
  useMore(patientEndpoints.patientAudit, {}, 'entries', { rowKey: entryKey, params: { id }, timeoutMs })
