import * as v from 'valibot'
import { Refusal } from '#contract/core/errors.ts'
import { uuid } from '#contract/core/primitives.ts'

/**
 * How far a device has pulled one collection: it has everything up to (revision, id) of its scope. Opaque to devices.
 */
export type Cursor = {
  epoch: string
  /** The scope of the revisions, and the rights with which they were read: `store:3`, or `store:3 blind`. */
  view: string
  revision: number
  /** `wholeRevision` when nothing of the revision is left. */
  id: string
  /**
   * Set until a first pull is complete. The pull leaves out sheets that were closed before this instant, so that a pull
   * that was cut continues as it began.
   */
  firstSince: string | null
}

export const wholeRevision = ''

const shape = v.tuple([
  uuid,
  v.pipe(v.string(), v.maxLength(64)),
  v.pipe(v.number(), v.integer(), v.minValue(-1)),
  v.pipe(v.string(), v.maxLength(128)),
  v.nullable(v.pipe(v.string(), v.isoTimestamp())),
])

export function writeCursor({ epoch, view, revision, id, firstSince }: Cursor): string {
  return Buffer.from(JSON.stringify([epoch, view, revision, id, firstSince])).toString('base64url')
}

/** @throws `cursor-invalid` for text that this server did not write as a cursor. */
export function readCursor(text: string): Cursor {
  try {
    const [epoch, view, revision, id, firstSince] = v.parse(shape, JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
    return { epoch, view, revision, id, firstSince }
  } catch {
    throw new Refusal('cursor-invalid')
  }
}
