import { useCallback } from 'react'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { type Insurance, insuranceEndpoints } from '#contract/insurance/insurance.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded, type Loaded } from '#src/sync/react/use-loaded.ts'
import { useReference } from '#src/sync/react/use-reference.ts'
import type { DraftPlace } from '#src/sync/device/drafts.ts'

const timeoutMs = 15_000

/** A patient's policies as the server has them. */
export function usePolicies(idPatient: string): Loaded<ResponseOf<typeof insuranceEndpoints.listInsurance>> {
  const device = useDevice()
  const load = useCallback(
    () => device.call(insuranceEndpoints.listInsurance, { query: { id_patient: idPatient } }, { timeoutMs }),
    [device, idPatient],
  )
  return useLoaded(load)
}

/** What a policy is chosen from; kept by the worker, so that it is there without a connection too. */
export function useInsuranceLists() {
  const companies = useReference(insuranceEndpoints.insuranceCompanies)
  const plans = useReference(insuranceEndpoints.insurancePlans)
  const coverage = useReference(insuranceEndpoints.coverageTypes)
  return {
    companies: companies.value?.companies ?? [],
    plans: plans.value?.plans ?? [],
    coverageTypes: coverage.value?.coverage_types ?? [],
    /** Set when one of them could not be had: what is not in a list can still be typed. */
    failure: companies.failure ?? plans.failure ?? coverage.failure,
  }
}

/** Where what is typed of a policy is kept on this device. */
export function draftPlace(idPatient: string, idInsurance: string | null): DraftPlace {
  return `patient: insurance ${idPatient} ${idInsurance ?? 'new'}`
}

/** Where what is typed of a holder is kept on this device: of one more, or of who is one. */
export function holderPlace({ id_patient, id_insurance }: Insurance, idHolder: string | null): DraftPlace {
  return `patient: insurance holder ${id_patient} ${id_insurance} ${idHolder ?? 'new'}`
}

/** Where a photographed card is kept on this device until the server has it. */
export function cardPlace(idPatient: string): DraftPlace {
  return `patient: insurance card ${idPatient}`
}
