import { Dexie } from 'dexie'
import { createStore } from 'zustand/vanilla'
import type { Failure } from '#src/api/outcome.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import { KeptBytes } from '#src/db/indexed/kept-bytes.ts'
import type { ChosenFile, Device, FileQueue, QueuedFile, StrangeFile } from '#src/sync/device/device.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { FileUnreadable, keepFile, readKeptPart, readPart, readWords, tidyUp } from '#src/sync/files/keep-file.ts'
import type { Exclusion } from '#src/sync/engine/locks.ts'
import { oneAtATime } from '#src/sync/engine/one-at-a-time.ts'
import { notSaved } from '#src/sync/engine/outbox.ts'
import { keptPatientsKey } from '#src/sync/patients/patients-key.ts'
import { type HeldFile, queuedFile, type Seat, strangeness } from '#src/sync/files/queued-file.ts'
import { partBytes, sendStep, type SendStep } from '#src/sync/files/send-file.ts'
import type { SessionKeeper } from '#src/sync/session/session.ts'
import {
  changeUnsentFile,
  type FileWords,
  isPatientUnsent,
  nothingSent,
  readUnsentFile,
  readUnsentFiles,
  type UnsentFile,
  unsentFileKey,
  untried,
} from '#src/sync/files/unsent-files.ts'
import { afterVerdict, backoffMs, isOn, judgeFailure, noWait, type Verdict, type Wait } from '#src/sync/engine/verdict.ts'

export type FileQueueParts = {
  environment: Environment
  hot: HotDatabase
  session: Pick<SessionKeeper, 'home' | 'isLocked' | 'isOpen' | 'onChange'>
  exclusion: Exclusion
  call: Device['call']
  /** Sends the work that goes before files. Resolves when no more of it can leave now. */
  sendOthers(): Promise<void>
}

const sendingLock = 'lorgnette-files'
/**
 * Longer than any step may take. After this wait the lock's holder is a frozen tab, and the server refuses its step.
 */
const lockPatienceMs = 120_000
/** How often in a row the server may report no progress. */
const mostStandstills = 5

/**
 * The unsent files of patients: kept on this device, encrypted, until the server has them in the record (decision
 * 0038). Only their own user sends them, one after the other and in one tab at a time, after all other work.
 */
export function createFileQueue(parts: FileQueueParts): FileQueue {
  const { environment, hot, session } = parts
  const bytes = new KeptBytes(environment)
  const state: FileQueue['state'] = createStore(() => ({ files: [] as QueuedFile[], strange: [] as StrangeFile[], ready: false }))
  let seat: Seat | null = null
  const held = new Map<string, HeldFile>()
  /** Files that were sent since this page opened, for the screens. */
  let sent: QueuedFile[] = []
  const spoken = new Map<string, FileWords | null>()
  /** Uploads whose progress the server has reported to this page. */
  const sure = new Set<string>()
  let standstills = 0
  let sending: { id: string; cut: AbortController } | null = null
  /** The file whose turn it is, also between two of its steps. */
  let current: string | null = null
  let running = false
  let wanted = false
  let failures = 0
  let pause = noWait
  const waits = new Map<string, Wait>()
  let cancelWake: (() => void) | null = null
  let closed = false

  const report = (error: unknown) => {
    if (!closed) environment.report(error)
  }

  const nameOfSeat = () => {
    const home = session.home()
    return home && !session.isLocked() ? `${home.id_user} ${home.store_id}` : null
  }

  /**
   * Drops the former user's files from memory when another user takes over. Behind the lock, files that are not on the
   * disk stay.
   */
  function leaveIfOver() {
    if (seat && seat.name !== nameOfSeat()) leave()
    for (const file of held.values()) if (file.id_user !== session.home()?.id_user) held.delete(file.id)
  }

  async function takeSeat(): Promise<void> {
    leaveIfOver()
    const name = nameOfSeat()
    const home = session.home()
    if (home === null || name === null) return
    const key = environment.subtle && (await keptPatientsKey(hot, home))
    if (nameOfSeat() === name && (seat?.name !== name || (seat.key === null) !== (key === null))) seat = { name, home, key }
  }

  function leave() {
    sending?.cut.abort(new Error('Its person has gone'))
    seat = null
    sent = []
    spoken.clear()
    state.setState({ files: [], strange: [] })
  }

  async function wordsOf(file: UnsentFile, key: CryptoKey): Promise<FileWords | null> {
    const known = spoken.get(file.id)
    if (known !== undefined) return known
    const words = await readWords(key, file)
    spoken.set(file.id, words)
    return words
  }

  const refresh = oneAtATime(async () => {
    await takeSeat()
    const now = seat
    const kept = await readUnsentFiles(hot)
    const files: QueuedFile[] = []
    const strange: StrangeFile[] = []
    for (const file of kept) {
      const why = strangeness(file, now)
      const words = now?.key && why === null ? await wordsOf(file, now.key) : null
      if (words) files.push(await shown(file, words))
      else strange.push({ id: file.id, author: file.author, created_at: file.created_at, size: file.size, why: why ?? 'key-changed' })
    }
    const ids = new Set(kept.map(({ id }) => id))
    for (const file of held.values())
      if (now && strangeness(file, now) !== 'store' && !ids.has(file.id)) files.push(await shown(file, file.spoken, file.kept))
    if (closed || seat !== now) return
    files.sort((a, b) => (a.id < b.id ? -1 : 1))
    state.setState({ files: [...sent, ...files], strange, ready: true })
  })

  const shown = (file: Omit<UnsentFile, 'words'>, words: FileWords, kept: QueuedFile['kept'] = 'yes') =>
    queuedFile(hot, file, words, { kept, isSending: current === file.id })

  async function add({ blob, idPatient, ...chosen }: ChosenFile): Promise<void> {
    await takeSeat()
    const now = seat
    if (!now) throw new Error('Nobody is signed in')
    const { id_user, store_id, first_name, last_name } = now.home
    const file = {
      id: environment.newId(),
      id_user,
      author: `${first_name} ${last_name}`.trim(),
      store_id,
      size: blob.size,
      part_bytes: partBytes,
      created_at: new Date(environment.now()).toISOString(),
      ...untried,
      ...nothingSent,
    }
    const words: FileWords = { id_patient: idPatient, ...chosen }
    const item: HeldFile = { ...file, blob, spoken: words, kept: 'soon', keeping: new AbortController() }
    held.set(file.id, item)
    await refresh()
    try {
      if (now.key === null) item.kept = 'no-key'
      else {
        await keepFile({ environment, hot, bytes, key: now.key, signal: item.keeping.signal }, file, blob, words)
        held.delete(file.id)
        // The user discarded it just after the last write.
        if (item.keeping.signal.aborted) await remove(file.id)
      }
    } catch (error) {
      item.kept = notSaved(error).reason === 'disk-full' ? 'disk-full' : 'disk-failed'
      if (error instanceof FileUnreadable) Object.assign(item, unreadable())
    }
    await refresh()
    void run(false)
  }

  const unreadable = (): Pick<UnsentFile, 'state' | 'last_error'> => {
    const at = new Date(environment.now()).toISOString()
    return {
      state: 'needs-attention',
      last_error: { code: 'file-unreadable', message: 'This device can’t read the file anymore', status: null, at },
    }
  }

  async function change(id: string, changed: Partial<UnsentFile>): Promise<void> {
    const item = held.get(id)
    if (item) Object.assign(item, changed)
    await changeUnsentFile(hot, id, changed)
  }

  /** Deletes the entry first, then the bytes. If the app is killed in between, the bytes belong to no file. */
  async function remove(id: string): Promise<void> {
    held.get(id)?.keeping.abort(new Error('It was taken back'))
    held.delete(id)
    await hot.facts.delete(unsentFileKey(id))
    await bytes.drop(id)
  }

  /** The present user's first file that may be sent, and when the next one may, ms. */
  function pick(): { id: string | null; nextAt: number | null } {
    const now = environment.now()
    let nextAt: number | null = null
    for (const file of state.getState().files) {
      if ((file.state !== 'waiting' && file.state !== 'sending') || file.afterPatient) continue
      const wait = waits.get(file.id) ?? noWait
      if (!isOn(wait, now)) return { id: file.id, nextAt }
      nextAt = Math.min(nextAt ?? Infinity, wait.until)
    }
    return { id: null, nextAt }
  }
  function wakeIn(ms: number) {
    cancelWake?.()
    if (closed) return
    cancelWake = environment.schedule(Math.min(Math.max(ms, 50), 300_000), () => void run(false))
  }

  async function run(asked: boolean): Promise<void> {
    if (closed) return
    if (asked) {
      pause = noWait
      waits.clear()
    }
    if (running) {
      wanted = true
      return
    }
    running = true
    try {
      do {
        wanted = false
        await sendAll()
      } while (wanted && !closed)
    } catch (error) {
      // The database is closed or full: the files are safe, and sending is tried again.
      report(error)
      rest(null)
    } finally {
      running = false
      current = null
      refresh().catch(report)
    }
  }

  async function sendAll(): Promise<void> {
    for (;;) {
      await refresh()
      const now = environment.now()
      if (closed || !seat || !session.isOpen()) return
      if (isOn(pause, now)) return wakeIn(pause.until - now)
      const { id, nextAt } = pick()
      if (id === null) {
        if (nextAt !== null) wakeIn(nextAt - now)
        return
      }
      await parts.sendOthers()
      await parts.exclusion.exclusively(sendingLock, lockPatienceMs, () => send(id))
    }
  }

  /** Sends one step of one file, from its present state on the disk. */
  async function send(id: string): Promise<void> {
    const file = (await readUnsentFile(hot, id)) ?? held.get(id)
    const now = seat
    if (!file || !now || strangeness(file, now) !== null || file.state === 'needs-attention') return
    const words = 'words' in file ? now.key && (await wordsOf(file, now.key)) : file.spoken
    if (!words || seat?.name !== now.name) return
    const cut = new AbortController()
    sending = { id, cut }
    current = id
    try {
      refresh().catch(report)
      const isSure = file.upload === null || sure.has(file.upload)
      const step = await sendStep(
        parts.call,
        file,
        words,
        isSure,
        (index) =>
          'blob' in file ? readPart(file.blob, index * file.part_bytes, file.part_bytes) : readKeptPart(bytes, now.key, file, index),
        cut.signal,
      )
      if (!cut.signal.aborted || step.kind === 'done') await follow(file, words, step)
    } catch (error) {
      if (!(error instanceof FileUnreadable)) throw error
      await change(id, unreadable())
    } finally {
      sending = null
    }
  }

  async function follow(file: UnsentFile | HeldFile, words: FileWords, step: SendStep): Promise<void> {
    if (step.kind === 'done') {
      failures = 0
      const was = await shown(file, words)
      await remove(file.id)
      if (seat) sent = [...sent, { ...was, state: 'sent', sent: file.size }]
      return
    }
    if (step.kind === 'failed') {
      // The call may still have arrived.
      if (file.upload !== null) sure.delete(file.upload)
      return await fail(file, words, step.failure)
    }
    const { progress } = step
    if (progress.upload !== null) sure.add(progress.upload)
    const isFurther = progress.received > file.received || (progress.path !== null && file.path === null)
    standstills = isFurther ? 0 : standstills + 1
    failures = 0
    await change(file.id, { ...progress, ...(isFurther && untried) })
    if (standstills < mostStandstills) return
    standstills = 0
    const problem = {
      code: 'upload-offset-wrong',
      message: 'The server does not take the next part of the file',
      status: 500,
      retryAfterS: null,
    }
    await settle(file, { kind: 'failing', problem })
  }

  async function fail(file: UnsentFile | HeldFile, words: FileWords, failure: Failure): Promise<void> {
    const verdict = judgeFailure(failure, 1)
    switch (verdict.kind) {
      case 'judge':
        // The patient's registration still waits in the outbox, so the file waits for it.
        if (failure.kind === 'refused' && failure.code === 'patient-unknown' && (await isPatientUnsent(hot, words.id_patient))) return
        return await settle(file, verdict.verdict)
      case 'pause':
        return rest(verdict.ms)
      case 'update':
        return rest(300_000)
      // The call has already ended the session. The next sign-in continues.
      default:
        return rest(null)
    }
  }

  async function settle(file: UnsentFile | HeldFile, verdict: Verdict): Promise<void> {
    if (verdict.kind === 'applied') return
    const now = environment.now()
    const {
      state: after,
      attempts,
      failing_since,
      not_before,
      last_error,
    } = afterVerdict<Omit<UnsentFile, 'words'>>(file, verdict, now, environment.random)
    if (after === 'retry-wait') waits.set(file.id, { since: now, until: not_before })
    await change(file.id, { state: after, attempts, failing_since, not_before, last_error })
  }

  function rest(ms: number | null) {
    const waitsMs = ms ?? backoffMs(failures, environment.random)
    failures += 1
    const since = environment.now()
    pause = { since, until: since + waitsMs }
    wakeIn(waitsMs)
  }

  const onMutated = (changed: Record<string, unknown>) => {
    if (Object.keys(changed).some((key) => new RegExp(`/${hot.name}/(facts|outbox)`).test(key))) refresh().catch(report)
  }
  Dexie.on('storagemutated', onMutated)
  const stops = [
    session.onChange(() => {
      // At once: no call for the former user may use the next user's token.
      leaveIfOver()
      refresh()
        .then(() => run(false))
        .catch(report)
    }),
    environment.page?.onLeave((isKept) => {
      if (isKept) close()
    }),
  ]
  function close() {
    closed = true
    cancelWake?.()
    sending?.cut.abort(new Error('The app was closed'))
    Dexie.on.storagemutated.unsubscribe(onMutated)
    for (const stop of stops) stop?.()
    bytes.close()
  }
  refresh().catch(report)
  tidyUp(environment, hot, bytes).catch(report)

  return {
    state,
    add,
    run,
    async retry(id) {
      await change(id, untried)
      waits.delete(id)
      await refresh()
      await run(true)
    },
    async discard(id) {
      if (sending?.id === id) sending.cut.abort(new Error('It was taken back'))
      sent = sent.filter((file) => file.id !== id)
      await remove(id)
      await refresh()
    },
    close,
  }
}
