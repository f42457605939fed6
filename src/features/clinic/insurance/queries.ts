import { useCallback } from 'react'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { type Insurance, insuranceEndpoints } from '#contract/insurance/insurance.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded, type Loaded } from '#src/sync/react/use-loaded.ts'
import { useReference } from '#src/sync/react/use-reference.ts'
import type { DraftPlace } from '#src/sync/device/drafts.ts'

const timeoutMs = 15_000

/** Returns the server's list of a patient's policies. */
export function usePolicies(idPatient: string): Loaded<ResponseOf<typeof insuranceEndpoints.listInsurance>> {
  const device = useDevice()
  const load = useCallback(
    () => device.call(insuranceEndpoints.listInsurance, { query: { id_patient: idPatient } }, { timeoutMs }),
    [device, idPatient],
  )
  return useLoaded(load)
}

/** Returns the lists to choose from. The worker keeps them, so they work without a connection. */
export function useInsuranceLists() {
  const companies = useReference(insuranceEndpoints.insuranceCompanies)
  const plans = useReference(insuranceEndpoints.insurancePlans)
  const coverage = useReference(insuranceEndpoints.coverageTypes)
  return {
    companies: companies.value?.companies ?? [],
    plans: plans.value?.plans ?? [],
    coverageTypes: coverage.value?.coverage_types ?? [],
    /** Set when a list could not be loaded. A user can still type a value that is not in a list. */
    failure: companies.failure ?? plans.failure ?? coverage.failure,
  }
}

/** The place of the typed policy on this device. */
export function draftPlace(idPatient: string, idInsurance: string | null): DraftPlace {
  return `patient: insurance ${idPatient} ${idInsurance ?? 'new'}`
}

/** The place of the typed holder on this device. `idHolder` is null for a new one. */
export function holderPlace({ id_patient, id_insurance }: Insurance, idHolder: string | null): DraftPlace {
  return `patient: insurance holder ${id_patient} ${id_insurance} ${idHolder ?? 'new'}`
}

/** The place of a photographed card on this device, until the server has it. */
export function cardPlace(idPatient: string): DraftPlace {
  return `patient: insurance card ${idPatient}`
}
