import { createContext, use, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import type { PatientRecord } from '#contract/patients/patients.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { ShelvedPatient } from '#src/sync/device/device.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { recordOfflineView } from '../actions.ts'
import { usePatientRecord } from '../queries.ts'
import { usePatientShelf } from '../hooks/use-shelf.ts'

/** The patient whose page is open. */
export type OpenedPatient = {
  /** From the device, with what was done here and has not been sent; from the server where that knows a newer one, or the device none. */
  patient: ShelvedPatient
  /** What only the server tells: the name of the store, the last digits of the social security number. Undefined before it has answered. */
  record: PatientRecord | undefined
  /** Why the server's last answer brought nothing. */
  failure: Failure | null
  /** Asks the server again. */
  reload: () => Promise<void>
}

const OpenedPatientContext = createContext<OpenedPatient | null>(null)

/** For what stands on a patient’s page. */
export function useOpenedPatient(): OpenedPatient {
  const opened = use(OpenedPatientContext)
  if (!opened) throw new Error('useOpenedPatient is for what stands on a patient’s page')
  return opened
}

export function OpenedPatientProvider({ opened, children }: { opened: OpenedPatient; children: ReactNode }) {
  return <OpenedPatientContext value={opened}>{children}</OpenedPatientContext>
}

/** How long the server may take before a look at the device's own copy is written down as one without it. */
const serverMayTakeMs = 1000

type Opening = Omit<OpenedPatient, 'patient'> & {
  /** Null while nobody has answered. */
  patient: ShelvedPatient | null
  /** Why it could not be written down that the record was looked at. */
  viewProblem: string | null
}

/** Opens a patient: at once where the device has it, and then as the server has it. */
export function useOpening(id: string): Opening {
  const { shelf, status, turn } = usePatientShelf()
  const { value: record, failure, reload } = usePatientRecord(id)
  const found = shelf?.get(id) ?? null
  /** A tablet that is locked closes its patients. Behind the lock the page stands as it was, with what was typed on it. */
  const [held, hold] = useState<{ turn: number; patient: ShelvedPatient | null }>({ turn: -1, patient: null })
  const isClosed = shelf !== null && status !== 'ready'
  if (!isClosed && held.turn !== turn) hold({ turn, patient: found })
  const shelved = isClosed ? held.patient : found
  const isRefused = failure?.kind === 'refused' && !shelved?.unsent
  // Whoever registered a patient here has seen it: the server has nobody yet of whom to keep a look.
  const isSeenHere = shelved !== null && shelved.patient_no !== null && !record && !isRefused
  const viewProblem = useOfflineView(id, isSeenHere)
  useReloadOnceSent(shelved?.unsent !== undefined, failure, reload)
  return { patient: isRefused ? null : newerOf(shelved, record), record, failure, reload, viewProblem }
}

/** Of whoever was registered here the server knew nothing when it was asked; once it has them it is asked again. */
function useReloadOnceSent(isUnsent: boolean, failure: Failure | null, reload: () => Promise<void>) {
  const ask = useEffectEvent(() => {
    if (failure) void reload()
  })
  useEffect(() => {
    if (!isUnsent) ask()
  }, [isUnsent])
}

/** Writes down that the device's own copy was looked at: after a moment without the server's answer, or when the reader leaves before it. */
function useOfflineView(id: string, isSeenHere: boolean): string | null {
  const device = useDevice()
  const [problem, setProblem] = useState<string | null>(null)
  const isWritten = useRef(false)
  const write = useEffectEvent(() => {
    if (!isSeenHere || isWritten.current) return
    isWritten.current = true
    void recordOfflineView(device, id).then(setProblem)
  })
  useEffect(() => {
    if (!isSeenHere) return
    const timer = setTimeout(write, serverMayTakeMs)
    return () => clearTimeout(timer)
  }, [isSeenHere])
  useEffect(() => () => write(), [])
  return problem
}

/** The server’s row where it is newer; what waits here stands over every other. */
function newerOf(shelved: ShelvedPatient | null, record: PatientRecord | undefined): ShelvedPatient | null {
  if (!shelved || !record) return shelved ?? record ?? null
  return shelved.unsent || shelved.version >= record.version ? shelved : record
}
