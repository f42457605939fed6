import { createStore, type StoreApi } from 'zustand/vanilla'
import { tellingBytes, typeOfBytes } from '#contract/file-types.ts'
import { type FileCategory, mostFileBytes } from '#contract/patient-files.ts'
import type { Failure } from '#src/api/outcome.ts'
import { sendFile } from '#src/features/files/send-file.ts'
import type { Device } from '#src/sync/device.ts'
import { formatBytes } from '#src/ui/format.ts'

/**
 * Files that were chosen and are not in the record yet. They are in the memory of this page only: a picture of a person's card is not
 * left on a shared tablet. Without a connection they wait here, and go on when it is back.
 */
export type Picked = {
  key: number
  idPatient: string
  file: File
  category: FileCategory
  /** `refused` stays until a person takes it away; the others are under way. */
  state: 'waiting' | 'sending' | 'offline' | 'refused'
  sent: number
  upload: string | null
  /** Why it is not sent, in a sentence. */
  problem: string | null
}

/** `arrived` counts files that are in a record since the page was opened: whoever lists them looks again. */
type Uploads = { idUser: number | null; picked: Picked[]; arrived: number }
export const uploads = createStore<Uploads>(() => ({ idUser: null, picked: [], arrived: 0 }))

type Sender = Pick<Device, 'call' | 'connection' | 'session'>

/** Tried again after so long, also when nobody tells that the network is back. */
const againMs = 5000
const mostNameLength = 200

let lastKey = 0
let running = false
let again: ReturnType<typeof setTimeout> | undefined
const controllers = new Map<number, AbortController>()
const watched = new WeakSet<StoreApi<unknown>>()

/** Looks at each file, says of those that would not be taken why, and sends the others one after the other. */
export async function pickFiles(device: Sender, idPatient: string, files: readonly File[], category: FileCategory): Promise<void> {
  watch(device)
  for (const file of files) {
    const problem = await problemOf(file)
    lastKey += 1
    const picked: Picked = {
      key: lastKey,
      idPatient,
      file,
      category,
      state: problem === null ? 'waiting' : 'refused',
      sent: 0,
      upload: null,
      problem,
    }
    uploads.setState((now) => ({ picked: [...now.picked, picked] }))
  }
  await run(device)
}

/** Takes it away, and stops sending it. What had arrived of it the server forgets after a day. */
export function dropPicked(key: number): void {
  controllers.get(key)?.abort()
  uploads.setState(({ picked }) => ({ picked: picked.filter((each) => each.key !== key) }))
}

export async function sendAgain(device: Sender, key: number): Promise<void> {
  change(key, { state: 'waiting', problem: null })
  await run(device)
}

/** What the server would say of the file, without sending it. */
async function problemOf(file: File): Promise<string | null> {
  if (file.size === 0) return 'The file is empty'
  if (file.size > mostFileBytes) return `The file is too large: ${formatBytes(file.size)}, and at most 25 MB are taken`
  try {
    const head = new Uint8Array(await file.slice(0, tellingBytes).arrayBuffer())
    if (typeOfBytes(head)) return null
  } catch {
    return 'This device does not give the file'
  }
  return 'This kind of file is not taken: PDF, JPEG, PNG, WebP, GIF, HEIC, TIFF and DICOM are'
}

async function run(device: Sender): Promise<void> {
  if (running) return
  running = true
  try {
    for (let next = nextWaiting(); next; next = nextWaiting()) await send(device, next)
  } finally {
    running = false
  }
}

function nextWaiting(): Picked | undefined {
  return uploads.getState().picked.find(({ state }) => state === 'waiting')
}

async function send(device: Sender, { key, idPatient, file, category, upload }: Picked): Promise<void> {
  const controller = new AbortController()
  controllers.set(key, controller)
  change(key, { state: 'sending', problem: null })
  const name = (file.name || 'Photo').slice(-mostNameLength)
  const answer = await sendFile(
    device,
    { idPatient, file, name, category, upload },
    { begun: (begun) => change(key, { upload: begun }), sent: (sent) => change(key, { sent }) },
    controller.signal,
  )
  controllers.delete(key)
  if (controller.signal.aborted) return
  if (answer.ok) {
    uploads.setState(({ picked, arrived }) => ({ picked: picked.filter((each) => each.key !== key), arrived: arrived + 1 }))
    return
  }
  const { failure } = answer
  if (!isPassing(failure)) return change(key, { state: 'refused', problem: failure.message })
  change(key, { state: 'offline', problem: failure.kind === 'refused' ? failure.message : null })
  const waitMs = failure.kind === 'refused' && failure.retryAfterS !== null ? failure.retryAfterS * 1000 : againMs
  clearTimeout(again)
  again = setTimeout(() => wake(device), waitMs)
}

/** What is better in a moment without anybody doing anything. */
function isPassing(failure: Failure): boolean {
  return failure.kind === 'unreachable' || (failure.kind === 'refused' && [408, 425, 429, 502, 503, 504].includes(failure.status))
}

function wake(device: Sender): void {
  clearTimeout(again)
  uploads.setState(({ picked }) => ({ picked: picked.map((each) => (each.state === 'offline' ? { ...each, state: 'waiting' } : each)) }))
  void run(device)
}

/** Goes on when the connection is back, and forgets everything when its person goes. */
function watch(device: Sender): void {
  const { connection, session } = device
  const idUser = session.state.getState().home?.id_user ?? null
  if (uploads.getState().idUser !== idUser) forget(idUser)
  if (watched.has(connection)) return
  watched.add(connection)
  connection.subscribe((now, before) => {
    if (now.online === true && before.online !== true) wake(device)
  })
  session.state.subscribe(({ home }) => {
    if ((home?.id_user ?? null) !== uploads.getState().idUser) forget(home?.id_user ?? null)
  })
}

function forget(idUser: number | null): void {
  for (const controller of controllers.values()) controller.abort()
  uploads.setState({ idUser, picked: [] })
}

function change(key: number, more: Partial<Picked>): void {
  uploads.setState(({ picked }) => ({ picked: picked.map((each) => (each.key === key ? { ...each, ...more } : each)) }))
}
