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
 * One device as the app sees it: everything below the screens, behind one small face. `openDevice` (open-device.ts)
 * makes it from an environment, so that tests and the simulation drive the code that ships.
 */
export type Device = {
  deviceId: string
  /** The device's name as people call it, `Tablet 3F2A` until someone names it. */
  name(): Promise<string>
  rename(name: string): Promise<void>
  /** Someone has read that the browser deleted this device's data: it is not said again. */
  wipeWasRead(): Promise<void>
  hot: HotDatabase
  session: Session
  /** Calls an endpoint with the session's token, renewing it once when it has expired. Never throws for the network. */
  call: <E extends Endpoint>(
    endpoint: E,
    request: RequestOf<E>,
    options?: { signal?: AbortSignal; timeoutMs?: number },
  ) => Promise<Outcome<ResponseOf<E>>>
  connection: StoreApi<ConnectionState>
  /** Asks the server whether it is there, now. */
  probe(): Promise<boolean>
  outbox: Outbox
  frames: FrameMirror
  /** The patients of the store one works in; its code is fetched with the first who asks. */
  patients(): Promise<PatientShelf>
  /** Files of patients that wait to be sent; its code is fetched with the first that waits, or with the first who asks. */
  files(): Promise<FileQueue>
  /** Signing in and unlocking without a connection; its code is fetched with the first who asks. */
  offline(): Promise<OfflineSignIn>
  mirror: Mirror
  /** Sends what waits, now; resolves when nothing more can be sent for the moment. */
  drain(): Promise<void>
  /** Fetches what changed, now. Without names, everything. */
  pull(): Promise<void>
  /** The device's best knowledge of the server's clock, ms. */
  serverNow(): number
  /** Server time minus device time, ms; null when never measured, so that nothing is claimed of when something happened. */
  serverOffsetMs(): number | null
  /** Sheets that are open on this device's screens: reported with every push. Returns the closing. */
  openSheet(idCountSheet: string): () => void
  /** Whether a sheet is open in any window of this device: then the app is not updated. */
  isCountOpen(): Promise<boolean>
  /** The tablets that work on a sheet, by sheet, as the server last told. */
  presence: StoreApi<Record<string, PresentDevice[]>>
  storage: {
    state: StoreApi<StorageState>
    /** Asks the browser to keep this device's data for good. Asked at the first count; never awaited on the way to a screen. */
    askToKeep(): Promise<void>
    measure(): Promise<void>
  }
  close(): Promise<void>
}

export type SessionState = {
  /** 0 signed out, 1 signed in: the specification's auth status. */
  status: 0 | 1
  /** Who is signed in, or whose work is still on the screen after their session ended. */
  home: HomeInfo | null
  /** False until the stored session has been read. */
  ready: boolean
  /** The tablet was left alone: nothing is shown until its person proves to be there. */
  locked: boolean
  /** Unlocked by a PIN alone: nothing is shown of patients until the server was asked, or the password given. */
  reduced: boolean
  /** Signed in without a connection: nothing is sent or fetched until this person signs in with one. */
  offline: OfflineSession | null
  /** The session ended while work was on this screen, which stays. Null in any other case. */
  ended: WorkKind | null
  /** How often something on the screen has needed the session since it ended. */
  asks: number
}

export type Session = {
  state: StoreApi<SessionState>
  /**
   * Work stands on this screen. When the session ends otherwise than by choice in this window, its person goes on as the author of what is
   * done here until the work is left. Returns the leaving.
   */
  holdWork(kind: WorkKind): () => void
  /** A new key for the sign-in that the server is asked for next; null where the page has no cryptography. `signIn` keeps it. */
  signingKey(): Promise<SigningKey | null>
  /** Keeps the tokens and the person's home info in both places (local storage and the hot database). Unlocks. */
  signIn(signedIn: SignedIn): Promise<void>
  /** Ends at the server what it has just begun for someone who is not the one that was asked for. */
  turnAway(signedIn: SignedIn): Promise<void>
  /** The person switched store or the server told something new. */
  updateHome(home: HomeInfo): Promise<void>
  /** Tells the server, then deletes the tokens, the person's cached reference lists and nothing else. */
  signOut(): Promise<Outcome<unknown>>
  /** What visiting the login screen does: tokens go, work that waits stays. */
  deleteTokens(): Promise<void>
  /** Locks the tablet in all its windows; the key for patients goes, everything else stays. */
  lock(): Promise<void>
}

export type ConnectionState = {
  /** What the last probe or call found; null before the first. */
  online: boolean | null
  /** Waiting to be sent, all people, all lanes; needs-attention is not in it. */
  unsent: number
  needsAttention: number
  /** When the oldest of them was made, ms; null when nothing waits. */
  oldestAt: number | null
  /** Set when work cannot leave until someone signs in. */
  waitsForSignIn: boolean
  /** Set when online and yet nothing has left for two minutes. */
  stalled: boolean
  sending: boolean
  /** Files of patients, which are a queue of their own; absent until it was counted. */
  files?: { waiting: number; refused: number }
  /** The server answered 426: work is kept, the app must be updated. */
  updateRequired: boolean
  lastSyncedAt: number | null
  /**
   * `reload`: a newer version of the app waits for this tab to be reloaded, its database is closed here. `wiped`: the
   * browser deleted this device's data, and nobody has read so yet; what had not been sent then is gone.
   */
  databaseBlocked?: 'reload' | 'wiped' | null
}

export type PresentDevice = Extract<SyncEvent, { type: 'presence' }>['devices'][number]

/** What the browser says of the room it gives us. Null where it does not tell. */
export type StorageState = { persistent: boolean | null; usedBytes: number | null; roomBytes: number | null }

/** Why a thing could not be saved on this device. The screen says NOT SAVED and keeps what was typed. */
export type NotSaved = {
  reason: 'disk-full' | 'storage-closed' | 'signed-out' | 'not-sealed'
  message: string
  /** Set when a write got no answer and may still get through: whoever does it again gives this id, so that it is there once. */
  id?: string
}

export type Outbox = {
  /**
   * Records what a person did. Resolves when it is on the disk (strict durability), or says why it is not.
   * `id` may be given where the row's id was needed before, or where it was not saved under that id; `captured` and `store_id` where the work was measured and
   * sent live before it came here (punches): then they are kept as they are, so that its body hash stays the same.
   * `by`: who did it, and where, when the server was asked first: somebody else may be signed in by the time it gives no answer.
   * A `punch.record` has the author `{ id_user: null, name: username }` and no capture token: it carries its own proof.
   */
  record<K extends CommandKind>(
    kind: K,
    lane: Lane,
    body: CommandBody<K>,
    more: { title: string; id?: string; captured?: Captured; store_id?: number | null; by?: HomeInfo },
  ): Promise<{ saved: true; command: OutboxCommand } | { saved: false; problem: NotSaved }>
  /** Puts a command that needs attention back in its place in the queue. */
  retry(id: string): Promise<void>
  /** Replaces it by a corrected one: a new command; the old one is discarded with the reason `corrected`. */
  correct(id: string, body: Record<string, unknown>): Promise<void>
  /** Gives it up. The server keeps the fact and the reason. */
  discard(id: string, reason: string): Promise<void>
  /** Everything that was not confirmed, as a file's text that `importUnsent` reads on any tablet. */
  exportUnsent(): Promise<string>
  importUnsent(text: string): Promise<{ added: number; known: number; problems: string[] }>
}

export type { FrameMirror } from '#src/db/mirrors/frame-mirror.ts'

export type MirrorProgress = { collection: string; done: number; total: number; complete: boolean }

export type Mirror = {
  /** How far the first load is; null when nothing is being loaded for the first time. */
  progress: StoreApi<{ loading: MirrorProgress | null; lastPulledAt: number | null }>
}

/** A patient as this device knows it: the server's row, and over it what was done here and has not come back yet. */
export type ShelvedPatient = Patient & {
  /** Work of this device on it that the server has not confirmed: it waits to be sent, or was refused. */
  unsent?: 'waiting' | 'attention'
}

/** One thing that was done here to a patient and that the server has not confirmed, as whoever wrote it left it. */
export type UnsentWork = {
  /** Of the command. */
  id: string
  kind: 'patient.create' | 'patient.edit'
  state: NonNullable<ShelvedPatient['unsent']>
  author: string
  at: string
  /** Why the server did not take it. */
  problem: OutboxCommand['last_error']
  /** Who is registered; null for an edit. */
  patient: Patient | null
  /** Of a social security number it is said that one was typed (`to` is true), and no more. */
  changes: PatientChanges
}

/** `locked`: nobody may read patients here now, or the key for them has not been got yet. */
export type ShelfStatus = 'locked' | 'opening' | 'ready'

/** The patients of the store one works in, on this device: encrypted on the disk, gone from memory when their reader goes. */
export type PatientShelf = {
  state: StoreApi<{ status: ShelfStatus; /** Raised when something may be answered otherwise than before. */ turn: number }>
  get(id: string): ShelvedPatient | null
  /** The server's row alone, as it came with the last pull. */
  mirrored(id: string): Patient | null
  /** What was done here to a patient and waits or was refused, in its order. */
  unsent(id: string): readonly UnsentWork[]
  /** Whoever matches, in the order of a list. */
  search(query: PatientQuery, limit: number): ShelvedPatient[]
  size(): number
  /** Where a pull writes; null while the shelf is locked. */
  writer(): Promise<MirrorWriter | null>
  close(): void
}

/** A file of whoever is signed in, on its way into a record. */
export type QueuedFile = {
  /** The one under which the record will know it. */
  id: string
  idPatient: string
  name: string
  category: FileCategory
  /** A small picture of an image, a JPEG as base64; null for what has none. */
  thumbnail: string | null
  size: number
  /** Bytes that the server has. */
  sent: number
  created_at: string
  /** `keeping`: it is being written to this device. `refused`: a person decides. */
  state: 'keeping' | 'waiting' | 'sending' | 'refused' | 'sent'
  /** Whether it is on this device's disk: not yet (`soon`), or why not. Then it is gone with this page. */
  kept: 'yes' | 'soon' | 'disk-full' | 'disk-failed' | 'no-key'
  /** Why the server did not take it, at the last try. */
  problem: OutboxCommand['last_error']
  /** Its patient was registered here and is not at the server yet: that goes first. */
  afterPatient: boolean
  /** The last call was made and its answer not heard: it may be in the record already. */
  mayBeThere: boolean
}

/**
 * A file that waits here and that nobody can read or send now: it is another's (`person`) or of another store (`store`), the key for
 * patients is not here (`no-key`), or it is another than the file was kept under (`key-changed`), which nothing makes good.
 */
export type StrangeFile = {
  id: string
  author: string
  created_at: string
  size: number
  why: 'person' | 'store' | 'no-key' | 'key-changed'
}

/** `thumbnail`: a small picture of it, a JPEG as base64. */
export type ChosenFile = { idPatient: string; name: string; category: FileCategory; blob: Blob; thumbnail?: string }

/** Files of patients on their way (decision 0038): kept here until the server has them in the record. */
export type FileQueue = {
  /** `ready` when what is on the disk has been read. What was sent since the page was opened stands before the others. */
  state: StoreApi<{ files: QueuedFile[]; strange: StrangeFile[]; ready: boolean }>
  /** Takes a file over: from now on it is among `files`, and says of itself whether it is kept. Resolves when that is known. */
  add(chosen: ChosenFile): Promise<void>
  /** Sends one that was refused again. */
  retry(id: string): Promise<void>
  /** Deletes it from this device, whoever's it is. */
  discard(id: string): Promise<void>
  /** Sends what can be sent. @param asked ignores the pauses after trouble */
  run(asked: boolean): Promise<void>
  close(): void
}

/** What a person proves themselves by. */
export type Secret = { username: string; password: string } | { pin: string }

/**
 * `none`: nothing is kept here for it. `over`: it was kept for too long. `wrong`: after `left` more of it what is kept is
 * deleted. `wait`: too many were wrong.
 */
export type OfflineAnswer =
  | { kind: 'open'; by: 'password' | 'pin'; until: number }
  | { kind: 'none' | 'over' }
  | { kind: 'wrong'; left: number }
  | { kind: 'wait'; seconds: number }

/** Whoever the server has let in on this tablet may come in without it for a while (decision 0033). */
export type OfflineSignIn = {
  /** Until when the last who may come in by a password or a PIN may do so, ms; null when nobody may. */
  offers(): Promise<{ password: number | null; pin: number | null }>
  /**
   * Takes its time, while the server is asked.
   * @returns to be called when the server has accepted it from whoever is signed in now: it opens here for a while
   */
  prepare(secret: Secret): Promise<() => Promise<void>>
  /** Goes on with what was begun, where a page went away in the middle of it or the server was not reached. */
  finish(): Promise<void>
  /** The server has refused it: what it opens here is deleted. */
  refused(secret: Secret): Promise<void>
  signIn(secret: Secret): Promise<OfflineAnswer>
  /** Unlocks the tablet for the one who locked it, and nobody else. */
  unlock(secret: { password: string } | { pin: string }): Promise<OfflineAnswer>
}
