import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { type LetterWay, letterWays, type PcpLetterInput, pcpLetterInput } from '#contract/patients/pcp-letters.ts'
import type { DraftPlace } from '#src/sync/device/drafts.ts'
import { readAs } from '#src/sync/device/read-as.ts'

/** A letter in the form. `id` is its own from the first word: sent twice, it is there once. */
export type LetterDraft = { id: string; sent_on: string; way: LetterWay | null; about: string }

export const newLetterDraft = (today: string): LetterDraft => ({ id: uuidv7(), sent_on: today, way: null, about: '' })

/** The place of the draft on this device. */
export const letterPlace = (idPatient: string): DraftPlace => `patient: letter ${idPatient}`

export const readLetterDraft = readAs(
  v.object({ id: v.string(), sent_on: v.string(), way: v.nullable(v.picklist(letterWays)), about: v.string() }),
)

export type LetterProblems = Partial<Record<'sent_on' | 'way' | 'about', string>>
type ReadLetter = { ok: true; input: PcpLetterInput } | { ok: false; problems: LetterProblems }

/** Reads the draft by the rules of the contract. */
export function readLetter({ id, ...given }: LetterDraft, idPcp: string, today: string): ReadLetter {
  const read = v.safeParse(pcpLetterInput, { ...given, id_letter: id, id_pcp: idPcp })
  if (read.success && read.output.sent_on <= today) return { ok: true, input: read.output }
  const problems: Partial<Record<string, string>> = given.sent_on > today ? { sent_on: 'can’t be in the future' } : {}
  for (const { path, message } of read.issues ?? []) problems[String(path?.[0]?.key)] ??= message
  return { ok: false, problems: { ...problems, ...(given.way === null && { way: 'Choose how it was sent' }) } }
}
