import type { ClinicServer } from './clinic-server.ts'
import type { Broken, PerformedAction } from './performed-actions.ts'
import type { SimulatedDevice } from './device.ts'
import type { PersonName, Plan } from './plan.ts'
import type { SimulatedPatient } from './simulated-patients.ts'
import type { Secrets } from './secrets.ts'

/** One history's clinic: what the history changes, and the oracle reads when it is over. */
export type World = {
  server: ClinicServer
  devices: SimulatedDevice[]
  deeds: PerformedAction[]
  plan: Plan
  /** Commands that the server refused at least once, or something that looked like it. */
  refused: Set<string>
  /** Commands of pushes that the server died over. */
  unanswered: Set<string>
  /** Commands of which the network kept a copy, and brought it when nobody waited for it any more. */
  copied: Set<string>
  restores: number
  /** Refreshes that reached the server after their senders had given them up. */
  strayRefreshes: number
  /** Promises that were seen to be broken while the history ran. */
  noted: Broken[]
  /** Null where no device keeps patients. */
  patients: PatientWorld | null
  /** What was scanned of deliveries; null where nobody works in the stockroom. */
  arrivals: Arrival[] | null
}

/** Something of a delivery, as a person scanned it. */
export type Arrival = {
  receiveId: string
  invoice: string
  /** Who scanned it, and who said afterwards which model it is. */
  people: Set<PersonName | null>
  code: string | null
  /** The models that somebody chose for it. */
  models: Set<number>
  quantity: number
  /** The server said that it has received it. */
  isReceived: boolean
  /** The server was asked, and nobody heard what it did. */
  isAsked: boolean
  /** Corrections of which nobody heard under what id they went. */
  blurred: number
}

export type Removal = { device: string; sessions: string[]; at: number }

export type PatientWorld = {
  known: SimulatedPatient[]
  secrets: Secrets
  /** Patients with whom something was done of which nobody heard under what id it went: a tab died in the middle of it. */
  blurred: Set<string>
  /** Tablets that a manager has removed, with the sessions that were open there. */
  removals: Removal[]
}
