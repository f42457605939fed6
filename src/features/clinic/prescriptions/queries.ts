import { useCallback } from 'react'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import type { Prescription } from '#contract/rx/prescription.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { type Provider, providerEndpoints } from '#contract/settings/providers.ts'
import { settingsEndpoints, type StoreOpticalSettings, usualOpticalSettings } from '#contract/settings/settings.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { type Loaded, useLoaded } from '#src/sync/react/use-loaded.ts'
import { useReference } from '#src/sync/react/use-reference.ts'
import { usePaused } from '#src/sync/react/use-paused.ts'

const timeoutMs = 15_000
const usualHere: StoreOpticalSettings = { ...usualOpticalSettings, state: null }

export function useRxList(idPatient: string): Loaded<ResponseOf<typeof prescriptionEndpoints.listRx>> {
  const device = useDevice()
  const load = useCallback(
    () => device.call(prescriptionEndpoints.listRx, { query: { id_patient: idPatient } }, { timeoutMs }),
    [device, idPatient],
  )
  return useLoaded(load)
}

/** Returns one prescription. */
export function useRx(idRx: string): Loaded<Prescription> {
  const device = useDevice()
  const load = useCallback(() => device.call(prescriptionEndpoints.readRx, { query: { id_rx: idRx } }, { timeoutMs }), [device, idRx])
  return useLoaded(load)
}

/**
 * Returns this store's notation and steps, or undefined until they are known. Without server and worker, it returns the
 * usual ones.
 */
export function useOpticalSettings(): StoreOpticalSettings | undefined {
  const { value, failure } = useReference(settingsEndpoints.opticalSettings)
  return value ?? (failure ? usualHere : undefined)
}

/** Finds the chain's contact lenses for a line after a pause in typing. It never returns the lenses of another line. */
export function useLensBrands(line: string): Loaded<ResponseOf<typeof prescriptionEndpoints.findLensBrands>> {
  const device = useDevice()
  const query = usePaused(line)
  const load = useCallback(
    () => device.call(prescriptionEndpoints.findLensBrands, { query: { query: query.slice(0, 100) } }, { timeoutMs }),
    [device, query],
  )
  const loaded = useLoaded(load)
  return { ...loaded, value: line === query ? loaded.value : undefined }
}

/** Returns this store's providers with their numbers, or undefined until they are known. */
export function useProviders(): Provider[] | undefined {
  const device = useDevice()
  const load = useCallback(() => device.call(providerEndpoints.listProviders, {}, { timeoutMs }), [device])
  return useLoaded(load).value?.providers
}
