import type { ClinicServer } from './clinic-server.ts'
import type { Broken, PerformedAction } from './performed-actions.ts'
import type { SimulatedDevice } from './device.ts'
import type { PersonName, Plan } from './plan.ts'
import type { SimulatedPatient } from './simulated-patients.ts'
import type { Secrets } from './secrets.ts'

/** The clinic of one history: the history changes it, and the oracle reads it at the end. */
export type World = {
  server: ClinicServer
  devices: SimulatedDevice[]
  acts: PerformedAction[]
  plan: Plan
  /** Commands that the server, or something that looked like it, refused at least once. */
  refused: Set<string>
  /** Commands of pushes that the server died over. */
  unanswered: Set<string>
  /** Commands whose copy the network brought after the sender had given up. */
  copied: Set<string>
  restores: number
  /** Refreshes that reached the server after their senders had given them up. */
  strayRefreshes: number
  /** Broken promises that were seen during the history. */
  noted: Broken[]
  /** Null when no device keeps patients. */
  patients: PatientWorld | null
  /** The scans of deliveries; null without work in the stockroom. */
  arrivals: Arrival[] | null
}

/** Pieces of a delivery, as a user scanned them. */
export type Arrival = {
  receiveId: string
  invoice: string
  /** The user who scanned it, and users who matched it to a model later. */
  people: Set<PersonName | null>
  code: string | null
  /** The models that users chose for it. */
  models: Set<number>
  quantity: number
  /** The server has confirmed it. */
  isReceived: boolean
  /** The server was asked, and its answer got lost. */
  isAsked: boolean
  /** The number of corrections whose new id is unknown. */
  blurred: number
}

export type Removal = { device: string; sessions: string[]; at: number }

export type PatientWorld = {
  known: SimulatedPatient[]
  secrets: Secrets
  /** Patients with an act whose id is unknown, because a tab died during it. */
  blurred: Set<string>
  /** Tablets that a manager has revoked, with their open sessions. */
  removals: Removal[]
}
