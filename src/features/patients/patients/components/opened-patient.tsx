import { createContext, use, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import type { PatientRecord } from '#contract/patients/patients.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { ShelvedPatient } from '#src/sync/device/device.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { recordOfflineView } from '../actions.ts'
import { usePatientRecord } from '../queries.ts'
import { usePatientShelf } from '#src/sync/react/use-patient-shelf.ts'

/** The patient whose page is open. */
export type OpenedPatient = {
  /** From the device, including unsent changes. From the server when its row is newer, or when the device has none. */
  patient: ShelvedPatient
  /** Facts that only the server knows, like the store's name. Undefined until the server answers. */
  record: PatientRecord | undefined
  /** Why the server's last answer has no record. */
  failure: Failure | null
  /** Asks the server again. */
  reload: () => Promise<void>
}

const OpenedPatientContext = createContext<OpenedPatient | null>(null)

/** Returns the patient of the page around the component. */
export function useOpenedPatient(): OpenedPatient {
  const opened = use(OpenedPatientContext)
  if (!opened) throw new Error('useOpenedPatient is for what stands on a patient’s page')
  return opened
}

export function OpenedPatientProvider({ opened, children }: { opened: OpenedPatient; children: ReactNode }) {
  return <OpenedPatientContext value={opened}>{children}</OpenedPatientContext>
}

/** How long the server may take before the page records a view of the device's own copy. */
const serverMayTakeMs = 1000

type Opening = Omit<OpenedPatient, 'patient'> & {
  /** Null until the device or the server has the patient. */
  patient: ShelvedPatient | null
  /** Why the view of the record could not be saved. */
  viewProblem: string | null
}

/** Opens a patient: at once from the device, then from the server. */
export function useOpening(id: string): Opening {
  const { shelf, status, turn } = usePatientShelf()
  const { value: record, failure, reload } = usePatientRecord(id)
  const found = shelf?.get(id) ?? null
  /** A locked tablet closes its patients. The page behind the lock keeps its patient and the typed text. */
  const [held, hold] = useState<{ turn: number; patient: ShelvedPatient | null }>({ turn: -1, patient: null })
  const isClosed = shelf !== null && status !== 'ready'
  if (!isClosed && held.turn !== turn) hold({ turn, patient: found })
  const shelved = isClosed ? held.patient : found
  const isRefused = failure?.kind === 'refused' && !shelved?.unsent
  // A patient without a number was registered here. The server does not know them yet, so it has no view to record.
  const isSeenHere = shelved !== null && shelved.patient_no !== null && !record && !isRefused
  const viewProblem = useOfflineView(id, isSeenHere)
  useReloadOnceSent(shelved?.unsent !== undefined, failure, reload)
  return { patient: isRefused ? null : newerOf(shelved, record), record, failure, reload, viewProblem }
}

/** The server does not know a patient who was registered here. Asks it again once the patient is sent. */
function useReloadOnceSent(isUnsent: boolean, failure: Failure | null, reload: () => Promise<void>) {
  const ask = useEffectEvent(() => {
    if (failure) void reload()
  })
  useEffect(() => {
    if (!isUnsent) ask()
  }, [isUnsent])
}

/** Records a view of the device's own copy, after a second without an answer or when the user leaves earlier. */
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

/** Returns the server's row when it is newer. A patient with unsent changes always comes from the device. */
function newerOf(shelved: ShelvedPatient | null, record: PatientRecord | undefined): ShelvedPatient | null {
  if (!shelved || !record) return shelved ?? record ?? null
  return shelved.unsent || shelved.version >= record.version ? shelved : record
}
