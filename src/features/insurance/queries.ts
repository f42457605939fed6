import { useCallback, useEffect, useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { insuranceEndpoints } from '#contract/insurance.ts'
import { useDevice } from '#src/sync/device-context.tsx'
import { readPatientDraft } from '#src/sync/patient-drafts.ts'
import { useLoaded, type Loaded } from '#src/sync/use-loaded.ts'

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
  const device = useDevice()
  const companies = useLoaded(useCallback(() => device.call(insuranceEndpoints.insuranceCompanies, {}, { timeoutMs }), [device]))
  const plans = useLoaded(useCallback(() => device.call(insuranceEndpoints.insurancePlans, {}, { timeoutMs }), [device]))
  const coverage = useLoaded(useCallback(() => device.call(insuranceEndpoints.coverageTypes, {}, { timeoutMs }), [device]))
  return {
    companies: companies.value?.companies ?? [],
    plans: plans.value?.plans ?? [],
    coverageTypes: coverage.value?.coverage_types ?? [],
    /** Set when one of them could not be had: what is not in a list can still be typed. */
    failure: companies.failure ?? plans.failure ?? coverage.failure,
  }
}

/** Where what is typed of a policy is kept on this device. */
export function draftPlace(idPatient: string, idInsurance: string | null): string {
  return `insurance ${idPatient} ${idInsurance ?? 'new'}`
}

/** Of which policies (`new` among them) something was typed and not saved. */
export function useDrafts(idPatient: string, idInsurances: readonly string[], turn: number): ReadonlySet<string> {
  const device = useDevice()
  const [found, setFound] = useState<ReadonlySet<string>>(new Set())
  const asked = idInsurances.join(' ')
  useEffect(() => {
    let gone = false
    const places = ['new', ...asked.split(' ').filter(Boolean)]
    const look = async () => {
      const drafts = await Promise.all(places.map((id) => readPatientDraft(device, draftPlace(idPatient, id === 'new' ? null : id))))
      if (!gone) setFound(new Set(places.filter((_, index) => drafts[index] !== null)))
    }
    // A device that cannot read its drafts has none to show.
    look().catch(() => undefined)
    return () => {
      gone = true
    }
  }, [device, idPatient, asked, turn])
  return found
}
