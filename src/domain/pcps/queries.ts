import { useCallback } from 'react'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { pcpLetterEndpoints } from '#contract/patients/pcp-letters.ts'
import { isPcpOfLine, type PcpCard, pcpEndpoints, pcpPageSize, readPcpLine } from '#contract/patients/pcps.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { loadReference } from '#src/sync/device/load-reference.ts'
import { useLoaded, type Loaded } from '#src/sync/react/use-loaded.ts'
import { usePage } from '#src/sync/react/use-page.ts'
import { usePaused } from '#src/sync/react/use-paused.ts'
import { useReference } from '#src/sync/react/use-reference.ts'

const timeoutMs = 15_000

export type PcpFilter = { query: string; city: string; specialty: string; inactive: boolean }
export const everyPcp: PcpFilter = { query: '', city: '', specialty: '', inactive: false }

/** A page of the list, fetched when the user pauses typing. The former page stays until the new one is here. */
export function usePcps({ query: line, city, specialty, inactive }: PcpFilter) {
  const query = usePaused(line)
  const asked = { query, city, specialty, inactive: inactive ? ('true' as const) : ('' as const) }
  const page = usePage(pcpEndpoints.listPcps, asked, 'pcps', { timeoutMs, keepsLast: true })
  return { ...page, isOld: page.isOld || line !== query }
}

/** The cities and specialties of the list's filters. */
export function usePcpChoices(): Loaded<ResponseOf<typeof pcpEndpoints.pcpChoices>> {
  const device = useDevice()
  return useLoaded(useCallback(() => device.call(pcpEndpoints.pcpChoices, {}, { timeoutMs }), [device]))
}

/** A provider with the patients whom the user may see, and the letters about those patients. */
export function usePcp(id: string): Loaded<ResponseOf<typeof pcpEndpoints.readPcp>> {
  const device = useDevice()
  return useLoaded(useCallback(() => device.call(pcpEndpoints.readPcp, { params: { id } }, { timeoutMs }), [device, id]))
}

/** The letters about a patient that went to their primary care provider. */
export function usePcpLetters(idPatient: string): Loaded<ResponseOf<typeof pcpLetterEndpoints.listPcpLetters>> {
  const device = useDevice()
  const load = useCallback(
    () => device.call(pcpLetterEndpoints.listPcpLetters, { params: { id: idPatient } }, { timeoutMs }),
    [device, idPatient],
  )
  return useLoaded(load)
}

/** How long to wait for the server before showing the tablet's copy of a provider. */
const cardTimeoutMs = 8000

/** Name and numbers of a provider, or null for none: from the server, or else from the tablet's list. */
export function usePcpCard(id: string | null): Loaded<PcpCard | null> {
  const device = useDevice()
  const load = useCallback(async (): Promise<Outcome<PcpCard | null>> => {
    if (id === null) return { ok: true, value: null }
    if (device.connection.getState().online !== false) {
      const answer = await device.call(pcpEndpoints.pcpCard, { query: { id_pcp: id } }, { timeoutMs: cardTimeoutMs })
      if (answer.ok || answer.failure.kind !== 'unreachable') return answer
    }
    const kept = await loadReference(device, pcpEndpoints.pcpCards)
    if (!kept.ok) return kept
    const card = kept.value.pcps.find(({ id_pcp }) => id_pcp === id)
    return card ? { ok: true, value: card } : { ok: false, failure: { kind: 'unreachable', message: 'not in the list of this tablet' } }
  }, [device, id])
  return useLoaded(load)
}

/** The active providers in the tablet's list that match a line. */
export function useKeptPcps(line: string): Loaded<{ pcps: PcpCard[]; total: number }> {
  const loaded = useReference(pcpEndpoints.pcpCards)
  const asked = readPcpLine(line)
  const found = loaded.value?.pcps.filter((row) => !row.inactive && isPcpOfLine(row, asked))
  return { ...loaded, value: found && { pcps: found.slice(0, pcpPageSize), total: found.length } }
}
