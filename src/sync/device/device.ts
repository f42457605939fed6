import type { SigningKey } from '#contract/sync/signing-key.ts'
import type { StoreApi } from 'zustand/vanilla'
import type { Captured, CommandBody, CommandKind, Lane } from '#contract/sync/commands.ts'
import type { Endpoint, RequestOf, ResponseOf } from '#contract/core/endpoint.ts'
import type { FileCategory } from '#contract/patients/patient-files.ts'
import type { Patient, PatientChanges } from '#contract/patients/patient.ts'
import type { PatientQuery } from '#contract/patients/patient-search.ts'
import type { HomeInfo, SignedIn } from '#contract/people/session.ts'
import type { SyncEvent } from '#contract/sync/sync.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { FrameMirror } from '#src/db/mirrors/frame-mirror.ts'
import type { HotDatabase, OfflineSession, OutboxCommand } from '#src/db/hot/hot.ts'
import type { MirrorWriter } from '#src/db/packed/mirror-writer.ts'
import type { WorkKind } from '#src/sync/session/work-in-hand.ts'

/**
 * One device as the app sees it: all code below the screens, behind one interface. `openDevice` (open-device.ts) makes
 * it from an environment, so that tests and the simulation run the code that ships.
 */
export type Device = {
  deviceId: string
  /** The device's name for people: `Tablet 3F2A` until a user names it. */
  name(): Promise<string>
  rename(name: string): Promise<void>
  /** The user has read that the browser deleted this device's data. The notice does not show again. */
  wipeWasRead(): Promise<void>
  hot: HotDatabase
  session: Session
  /** Calls an endpoint with the session's token, and renews an expired token once. Never throws for the network. */
  call: <E extends Endpoint>(
    endpoint: E,
    request: RequestOf<E>,
    options?: { signal?: AbortSignal; timeoutMs?: number },
  ) => Promise<Outcome<ResponseOf<E>>>
  connection: StoreApi<ConnectionState>
  /** Asks the server now whether it can be reached. */
  probe(): Promise<boolean>
  outbox: Outbox
  frames: FrameMirror
  /** The patients of the user's store. The first call fetches the code. */
  patients(): Promise<PatientShelf>
  /** Files of patients that wait to be sent. The first waiting file or the first call fetches the code. */
  files(): Promise<FileQueue>
  /** Signing in and unlocking without a connection. The first call fetches the code. */
  offline(): Promise<OfflineSignIn>
  mirror: Mirror
  /** Sends the outbox now. Resolves when nothing more can be sent for the moment. */
  drain(): Promise<void>
  /** Fetches changes now. */
  pull(): Promise<void>
  /** The device's best estimate of the server's clock, ms. */
  serverNow(): number
  /** Server time minus device time, ms; null when never measured, so that no event gets a wrong time. */
  serverOffsetMs(): number | null
  /** Reports the sheet as open on this device's screens, with every push. Returns the function that closes it. */
  openSheet(idCountSheet: string): () => void
  /** Whether a sheet is open in any window of this device. The app does not update then. */
  isCountOpen(): Promise<boolean>
  /** The tablets that work on each sheet, from the server's last report. */
  presence: StoreApi<Record<string, PresentDevice[]>>
  storage: {
    state: StoreApi<StorageState>
    /** Asks the browser to keep this device's data for good, at the first count. A screen never waits for it. */
    askToKeep(): Promise<void>
    measure(): Promise<void>
  }
  close(): Promise<void>
}

export type SessionState = {
  /** 0 signed out, 1 signed in: the specification's auth status. */
  status: 0 | 1
  /** The signed-in user, or the user whose work is still on the screen after their session ended. */
  home: HomeInfo | null
  /** False until the stored session has been read. */
  ready: boolean
  /** The tablet was idle: the app shows nothing until its user proves to be there. */
  locked: boolean
  /** Unlocked by a PIN alone: no patients show until the server confirmed the session or the user gave the password. */
  reduced: boolean
  /** Signed in without a connection: nothing is sent or fetched until this user signs in with one. */
  offline: OfflineSession | null
  /** The kind of the work that was on this screen when the session ended; the work stays. Otherwise null. */
  ended: WorkKind | null
  /** How often the screen has needed the session since it ended. */
  asks: number
}

export type Session = {
  state: StoreApi<SessionState>
  /**
   * Says that work is on this screen. If the session then ends without a sign-out in this window, the user remains the
   * author until the work is left. Returns the function that ends the hold.
   */
  holdWork(kind: WorkKind): () => void
  /** Makes a key for the next sign-in at the server; null when the page has no cryptography. `signIn` keeps it. */
  signingKey(): Promise<SigningKey | null>
  /** Keeps the tokens and the user's home info in local storage and in the hot database. Unlocks. */
  signIn(signedIn: SignedIn): Promise<void>
  /**
   * A colleague takes over a locked tablet. Ends the former user's session, and keeps their work, their typed text and
   * the address of their page.
   */
  switchUser(signedIn: SignedIn, path: string): Promise<void>
  /** Returns the page that the signed-in user left to a colleague, once; null when there is none. */
  takeLeftPage(): Promise<string | null>
  /** Ends a session at the server that began for another user than the expected one. */
  turnAway(signedIn: SignedIn): Promise<void>
  /** The user switched stores, or the server sent new home info. */
  updateHome(home: HomeInfo): Promise<void>
  /** Tells the server, then deletes only the tokens and the user's cached reference lists. */
  signOut(): Promise<Outcome<unknown>>
  /** Deletes the tokens and keeps the outbox, as a visit to the login screen does. */
  deleteTokens(): Promise<void>
  /** Locks the tablet in all its windows. Removes the key for patients and keeps everything else. */
  lock(): Promise<void>
}

export type ConnectionState = {
  /** The result of the last probe or call; null before the first. */
  online: boolean | null
  /** The number of commands waiting to be sent, of all users and lanes, without those that need attention. */
  unsent: number
  /** How many of them only say that a user opened a record. */
  views?: number
  needsAttention: number
  /** When the oldest of the others was made, ms; null when none waits. */
  oldestAt: number | null
  /** Set when work cannot leave until a user signs in. */
  waitsForSignIn: boolean
  /** Set when the device is online but nothing has left for two minutes. */
  stalled: boolean
  sending: boolean
  /** Files of patients, which have their own queue; absent until they were counted. */
  files?: { waiting: number; refused: number }
  /** The server answered 426: work is kept, and the app must be updated. */
  updateRequired: boolean
  lastSyncedAt: number | null
  /**
   * `reload`: a newer version of the app waits until this tab reloads; its database is closed here. `wiped`: the
   * browser deleted this device's data with all unsent work, and no user has read the notice yet.
   */
  databaseBlocked?: 'reload' | 'wiped' | null
}

export type PresentDevice = Extract<SyncEvent, { type: 'presence' }>['devices'][number]

/** The browser's numbers for this app's storage; null when it gives none. */
export type StorageState = { persistent: boolean | null; usedBytes: number | null; roomBytes: number | null }

/** Why something could not be saved on this device. The screen says NOT SAVED and keeps the typed text. */
export type NotSaved = {
  reason: 'disk-full' | 'storage-closed' | 'signed-out' | 'not-sealed'
  message: string
  /** Set when a write got no answer and may still arrive. A repeat uses this id, so that the work exists once. */
  id?: string
}

export type Outbox = {
  /**
   * Records an action of the user. Resolves when it is on the disk (strict durability), or with the reason why not.
   * `id`: given when the row's id was needed before, or when an earlier try under it was not saved. `captured` and
   * `store_id`: given when the work was measured and sent live before (punches). They stay unchanged, so that the body
   * hash does too. `by`: the author and their store when the server was asked first: another user may be signed in by
   * now. A `punch.record` has the author `{ id_user: null, name: username }` and no capture token: it carries its own
   * proof.
   */
  record<K extends CommandKind>(
    kind: K,
    lane: Lane,
    body: CommandBody<K>,
    more: { title: string; id?: string; captured?: Captured; store_id?: number | null; by?: HomeInfo },
  ): Promise<{ saved: true; command: OutboxCommand } | { saved: false; problem: NotSaved }>
  /** Puts a command that needs attention back in its place in the queue. */
  retry(id: string): Promise<void>
  /** Replaces it with a corrected command, and discards the old one with the reason `corrected`. */
  correct(id: string, body: Record<string, unknown>): Promise<void>
  /** Discards it. The server keeps the fact and the reason. */
  discard(id: string, reason: string): Promise<void>
  /** All unconfirmed work, as the text of a file that `importUnsent` reads on any tablet. */
  exportUnsent(): Promise<string>
  importUnsent(text: string): Promise<{ added: number; known: number; problems: string[] }>
}

export type { FrameMirror } from '#src/db/mirrors/frame-mirror.ts'

export type MirrorProgress = { collection: string; done: number; total: number; complete: boolean }

export type Mirror = {
  /** The progress of the first load; null when there is none. */
  progress: StoreApi<{ loading: MirrorProgress | null; lastPulledAt: number | null }>
}

/** A patient as this device knows it: the server's row, with this device's unconfirmed changes applied. */
export type ShelvedPatient = Patient & {
  /** This device's unconfirmed work on the patient: it waits to be sent, or the server refused it. */
  unsent?: 'waiting' | 'attention'
}

/** One unconfirmed change of a patient on this device, as its author left it. */
export type UnsentWork = {
  /** The id of the command. */
  id: string
  kind: 'patient.create' | 'patient.edit'
  state: NonNullable<ShelvedPatient['unsent']>
  author: string
  at: string
  /** Why the server refused it. */
  problem: OutboxCommand['last_error']
  /** The registered patient; null for an edit. */
  patient: Patient | null
  /** The changed fields. A social security number only shows that one was typed (`to` is true). */
  changes: PatientChanges
}

/** `locked`: nobody may read patients here now, or their key has not arrived yet. */
export type ShelfStatus = 'locked' | 'opening' | 'ready'

/**
 * The patients of the user's store on this device: encrypted on the disk, and removed from memory when their reader
 * leaves.
 */
export type PatientShelf = {
  state: StoreApi<{ status: ShelfStatus; /** Raised when something may be answered otherwise than before. */ turn: number }>
  get(id: string): ShelvedPatient | null
  /** The server's row alone, from the last pull. */
  mirrored(id: string): Patient | null
  /** This device's waiting and refused changes of a patient, in order. */
  unsent(id: string): readonly UnsentWork[]
  /** The matching patients, in list order. Where nobody matches: those whose names are close to the searched ones. */
  search(query: PatientQuery, limit: number): ShelvedPatient[]
  size(): number
  /** The writer for a pull; null while the shelf is locked. */
  writer(): Promise<MirrorWriter | null>
  close(): void
}

/** A file of the signed-in user, on its way into a record. */
export type QueuedFile = {
  /** The id that the record will use. */
  id: string
  idPatient: string
  name: string
  category: FileCategory
  /** A small picture of an image, a JPEG as base64; null when there is none. */
  thumbnail: string | null
  size: number
  /** How many bytes the server has. */
  sent: number
  created_at: string
  /** `keeping`: the device is writing it to the disk. `refused`: the user decides. */
  state: 'keeping' | 'waiting' | 'sending' | 'refused' | 'sent'
  /**
   * Whether it is on this device's disk: yes, not yet (`soon`), or why not. A file that is not kept ends with this
   * page.
   */
  kept: 'yes' | 'soon' | 'disk-full' | 'disk-failed' | 'no-key'
  /** Why the server refused it at the last try. */
  problem: OutboxCommand['last_error']
  /** Its patient was registered here and is not at the server yet. The patient is sent first. */
  afterPatient: boolean
  /** The last call had no answer: the file may be in the record already. */
  mayBeThere: boolean
}

/**
 * A file that waits here and that the present user cannot read or send. It belongs to another user (`person`) or
 * another store (`store`), or the key for patients is not here (`no-key`). Or the key has changed (`key-changed`), and
 * the file can never be read again.
 */
export type StrangeFile = {
  id: string
  author: string
  created_at: string
  size: number
  why: 'person' | 'store' | 'no-key' | 'key-changed'
}

/** `thumbnail`: a small picture of the file, a JPEG as base64. */
export type ChosenFile = { idPatient: string; name: string; category: FileCategory; blob: Blob; thumbnail?: string }

/** Unsent files of patients (decision 0038): kept here until the server has them in the record. */
export type FileQueue = {
  /** `ready` when the disk has been read. Files sent since the page opened come first. */
  state: StoreApi<{ files: QueuedFile[]; strange: StrangeFile[]; ready: boolean }>
  /** Takes over a file: it is among `files` from now on, with `kept`. Resolves when `kept` is known. */
  add(chosen: ChosenFile): Promise<void>
  /** Sends a refused file again. */
  retry(id: string): Promise<void>
  /** Deletes the file from this device, even another user's. */
  discard(id: string): Promise<void>
  /** Sends all files that can be sent. @param asked ignores the pauses after trouble */
  run(asked: boolean): Promise<void>
  close(): void
}

/** The proof of a user's identity. */
export type Secret = { username: string; password: string } | { pin: string }

/**
 * `none`: nothing is kept here for this secret. `over`: it was kept for too long. `wrong`: after `left` more wrong
 * tries the kept data is deleted. `wait`: too many tries were wrong.
 */
export type OfflineAnswer =
  | { kind: 'open'; by: 'password' | 'pin'; until: number }
  | { kind: 'none' | 'over' }
  | { kind: 'wrong'; left: number }
  | { kind: 'wait'; seconds: number }

/**
 * Lets a user sign in without the server for a while, after the server accepted them on this tablet (decision 0033).
 */
export type OfflineSignIn = {
  /** The last moment at which anyone may sign in by password or PIN, ms; null when nobody may. */
  offers(): Promise<{ password: number | null; pin: number | null }>
  /**
   * Takes some time, in parallel with the server's answer.
   * @returns a function to call when the server accepted the secret from the signed-in user: the secret works here for
   * a while
   */
  prepare(secret: Secret): Promise<() => Promise<void>>
  /** Continues what `prepare` began, when a page closed before the end or the server was not reached. */
  finish(): Promise<void>
  /** The server has refused the secret: deletes the data that it opens here. */
  refused(secret: Secret): Promise<void>
  signIn(secret: Secret): Promise<OfflineAnswer>
  /** Unlocks the tablet, only for the user who locked it. */
  unlock(secret: { password: string } | { pin: string }): Promise<OfflineAnswer>
}
