import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { hashedText } from '#contract/sync/command-hash.ts'
import { wireCommand, type WireCommand } from '#contract/sync/commands.ts'
import type { SignedIn } from '#contract/people/session.ts'
import { sha256 } from '#src/sync/device/browser-environment.ts'

const pushed = v.object({ commands: v.array(wireCommand) })

/** Plays the server for tests of the device alone. It takes every command, and keeps every batch. */
export class FakeClinic {
  epoch = uuidv7()
  readonly applied = new Map<string, WireCommand>()
  readonly batches: WireCommand[][] = []
  /** The refusal of a command, by its id or kind. */
  readonly refusals = new Map<string, { status: number; code: string }>()
  accessToken = 'access-1'
  refreshes = 0
  /** The access tokens of ended sessions. */
  readonly ended: string[] = []
  /** The refusal of the next refreshes; null gives new tokens. */
  refreshRefusal: { status: number; code: string; message: string } | null = null

  answer = async (path: string, init: RequestInit): Promise<Response> => {
    const time = new Date().toISOString()
    if (path === '/api/health') {
      return json(200, { ok: true, service: 'lorgnette', version: '0', epoch: this.epoch, server_time: time, demo: false })
    }
    if (path === '/api/auth/token/refresh') {
      this.refreshes += 1
      if (this.refreshRefusal)
        return json(this.refreshRefusal.status, { error: this.refreshRefusal.message, code: this.refreshRefusal.code })
      this.accessToken = `access-${this.refreshes + 1}`
      return json(200, { access_token: this.accessToken, refresh_token: `refresh-${this.refreshes + 1}`, capture_token: 'capture-new' })
    }
    if (path !== '/api/sync/push' && path !== '/api/auth/logout') {
      return json(404, { error: 'Unknown call', code: 'call-unknown' })
    }
    if (new Headers(init.headers).get('authorization') !== `Bearer ${this.accessToken}`) {
      return json(401, { error: 'Token has expired', code: 'token-expired' })
    }
    if (path === '/api/auth/logout') {
      this.ended.push(this.accessToken)
      return json(200, { ok: true })
    }
    const { commands } = v.parse(pushed, JSON.parse(typeof init.body === 'string' ? init.body : '{}'))
    if (commands.length > 0) this.batches.push(commands)
    const receipts = []
    for (const command of commands) {
      const refusal = this.refusals.get(command.id) ?? this.refusals.get(command.kind)
      const body_hash = await sha256(hashedText(command))
      if (refusal) {
        receipts.push({ id: command.id, body_hash, outcome: 'refused', number: null, at: time, error: { ...refusal, message: 'No' } })
        continue
      }
      this.applied.set(command.id, command)
      receipts.push({ id: command.id, body_hash, outcome: 'applied', number: this.applied.size, at: time })
    }
    return json(200, { receipts, server_time: time, epoch: this.epoch })
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
}

export function person(username: string, id_user = 2): SignedIn {
  return {
    id_user,
    username,
    email: `${username}@clinic.example`,
    first_name: username,
    last_name: 'Halvorsen',
    role_ids: ['stock_clerk'],
    permissions: ['count.scan', 'frame.look-up', 'time.punch'],
    store_id: 1,
    store_name: 'Downtown',
    locations: [],
    home_navigation: [],
    store_settings: { blind_counts: false, control_preset: 'practice', coverage_percent: 95, scan_gap_ms: 60 },
    capture_token: `capture-${username}`,
    access_token: 'access-1',
    refresh_token: 'refresh-1',
  }
}
