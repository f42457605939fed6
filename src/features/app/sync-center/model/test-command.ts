import type { OutboxCommand } from '#src/db/hot/hot.ts'

/** Returns one of Ben's scans that waits, for tests. */
export function commandOf(part: Partial<OutboxCommand>): OutboxCommand {
  return {
    id: '0198c2f4-0000-7000-8000-00000000000a',
    lane: 'count:one',
    lane_seq: 1,
    kind: 'count.scan',
    version: 1,
    body: {},
    store_id: 1,
    author: { id_user: 2, name: 'Ben' },
    capture_token: 'proof',
    device_id: '0198c2f4-0000-7000-8000-00000000000d',
    captured: { wall: '2026-11-21T10:00:00.000Z', time_zone: 'UTC', server_offset_ms: 0, monotonic_ms: 1 },
    state: 'queued',
    body_hash: null,
    attempts: 0,
    failing_since: null,
    not_before: 0,
    last_error: null,
    created_at: '2026-11-21T10:00:00.000Z',
    title: 'Scan 100234 on count #12',
    ...part,
  }
}
