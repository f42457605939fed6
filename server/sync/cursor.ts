import * as v from 'valibot'
import { Refusal } from '#contract/core/errors.ts'
import { uuid } from '#contract/core/primitives.ts'

/**
 * How far a device has come in one collection: everything up to (revision, id) of its scope is on it. Opaque to devices.
 */
export type Cursor = {
  epoch: string
  /** Whose revisions these are, and with which eyes they were read: `store:3`, or `store:3 blind`. */
  view: string
  revision: number
  /** `wholeRevision` when nothing of the revision is left. */
  id: string
  /**
   * Set until a first pull has come to its end: sheets closed before this instant are left out of it, so that a pull
   * that was cut goes on as it began.
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

/** Throws `cursor-invalid` for anything this server did not write as one. */
export function readCursor(text: string): Cursor {
  try {
    const [epoch, view, revision, id, firstSince] = v.parse(shape, JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
    return { epoch, view, revision, id, firstSince }
  } catch {
    throw new Refusal('cursor-invalid')
  }
}
