import { HotDatabase } from '#src/db/hot/hot.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device, FileQueue } from '#src/sync/device/device.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { createFileQueue } from '#src/sync/files/file-queue.ts'
import { createExclusion } from '#src/sync/engine/locks.ts'
import { patientsKeyRow } from '#src/sync/patients/patients-key.ts'
import { refused, unreachable } from '#tests/support/screen-device.ts'
import { FakeTablet } from '#tests/support/test-device.ts'

type Upload = { bytes: Uint8Array; path: string | null }
export type Attached = { id_file: string; filename: string; category: string; id_patient: string; thumbnail?: string; bytes: Uint8Array }
type Asked = { query?: Record<string, string>; form?: FormData; body?: Record<string, string>; params?: Record<string, string> }

/** Plays the server's upload calls, and fails on demand. */
export class FileServer {
  reachable = true
  /** Replaces every answer to this path. */
  refusal: { path: string; answer: Outcome<never> } | null = null
  /** Runs before each call. When it throws, the request is lost. When it returns true, the answer is lost. */
  between: (path: string) => boolean | Promise<boolean> = () => false
  readonly uploads = new Map<string, Upload>()
  readonly attached = new Map<string, Attached>()
  readonly asked: string[] = []

  call = (async (endpoint, request, { signal } = {}) => {
    const { query = {}, form, body = {}, params = {} } = request as Asked
    if (!this.reachable || signal?.aborted) return unreachable
    this.asked.push(endpoint.path)
    const isLost = await this.between(endpoint.path)
    const answer =
      this.refusal?.path === endpoint.path
        ? this.refusal.answer
        : await this.#answer(endpoint.path, { query, body, params, ...(form && { form }) })
    // The session or the page may have ended during the call.
    return (isLost || !this.reachable || signal?.aborted ? unreachable : answer) as never
  }) satisfies Device['call'] as Device['call']

  async #answer(path: string, { query = {}, form, body = {}, params = {} }: Asked): Promise<Outcome<unknown>> {
    if (path.endsWith('generate-filename-doc')) {
      const filename = `doc-${this.uploads.size}`
      this.uploads.set(filename, { bytes: new Uint8Array(), path: null })
      return { ok: true, value: { filename, expires_at: '' } }
    }
    if (path === '/upload/{filename}') {
      const upload = this.uploads.get(params['filename'] ?? '')
      return upload ? { ok: true, value: { received: upload.bytes.length, file_path: upload.path } } : refused(404, 'upload-unknown')
    }
    if (path === '/upload/') {
      const part = form?.get('file') as File
      const upload = this.uploads.get(part.name)
      if (!upload) return refused(404, 'upload-unknown')
      const offset = Number(query['offset'] ?? 0)
      if (upload.path !== null || offset !== upload.bytes.length) return refused(409, 'upload-offset-wrong')
      upload.bytes = new Uint8Array(await new Blob([Uint8Array.from(upload.bytes), part]).arrayBuffer())
      if (upload.bytes.length === Number(query['length'] ?? part.size)) upload.path = `patient-files/${part.name}`
      return { ok: true, value: upload.path ?? '' }
    }
    const { id_file = '', file_path = '', filename = '', category = '', id_patient = '', thumbnail } = body
    if (!this.attached.has(id_file)) {
      const upload = [...this.uploads.values()].find(({ path: place }) => place === file_path)
      if (!upload) return refused(404, 'upload-unknown')
      this.attached.set(id_file, {
        id_file,
        filename,
        category,
        id_patient,
        ...(thumbnail !== undefined && { thumbnail }),
        bytes: upload.bytes,
      })
    }
    return { ok: true, value: this.attached.get(id_file) }
  }
}

/** A tablet with waiting files, and the page that sends them: a real queue, with the rest under the test's control. */
export class FileDesk {
  readonly tablet = new FakeTablet(() => Promise.reject(new Error('nobody is called past the queue')))
  readonly server = new FileServer()
  readonly #listeners = new Set<() => void>()
  readonly #closing: (() => void)[] = []
  home: HomeInfo | null
  isLocked = false
  isOpen = true
  /** Replaces parts of the tablet's environment. */
  change: Partial<Environment> = {}

  constructor(home: HomeInfo) {
    this.home = home
  }

  /** Stores the key for patients on the disk. */
  async giveKey(hot: HotDatabase, seat: HomeInfo | null = this.home): Promise<void> {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    if (seat) await hot.facts.put(patientsKeyRow(seat, key))
  }

  /** Opens a tab. */
  async open(
    sendOthers: () => Promise<void> = () => Promise.resolve(),
  ): Promise<{ hot: HotDatabase; queue: FileQueue; close: () => void }> {
    const { indexedDB } = this.tablet
    const environment = { ...this.tablet.environment(), subtle: crypto.subtle, ...this.change }
    const hot = new HotDatabase(this.tablet.databaseName, { indexedDB, IDBKeyRange: environment.IDBKeyRange })
    await hot.openSafely()
    const queue = createFileQueue({
      environment,
      hot,
      exclusion: createExclusion(environment, hot),
      call: this.server.call,
      sendOthers,
      session: {
        home: () => this.home,
        isLocked: () => this.isLocked,
        isOpen: () => this.isOpen,
        onChange: (listener) => {
          this.#listeners.add(listener)
          return () => this.#listeners.delete(listener)
        },
      },
    })
    const close = () => {
      queue.close()
      hot.close()
    }
    this.#closing.push(close)
    return { hot, queue, close }
  }

  /** Another user signs in, or signs out. */
  seat(home: HomeInfo | null): void {
    this.home = home
    this.told()
  }

  told(): void {
    for (const listener of this.#listeners) listener()
  }

  end(): void {
    for (const close of this.#closing) close()
  }
}
