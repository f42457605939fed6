import * as v from 'valibot'
import { day } from '#contract/core/day.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { patient } from '#contract/patients/patient.ts'
import { instant, requiredText, uuid } from '#contract/core/primitives.ts'

/** A letter about a patient to their primary care provider, as a user wrote it down. The letter itself is not kept. */

/** `hand`: the patient, or somebody for them, took it along. */
export const letterWays = ['fax', 'mail', 'email', 'hand'] as const
export type LetterWay = (typeof letterWays)[number]

/** The most letters in an answer, newest first, for a patient or a provider. */
export const lettersShown = 50
export const longestLetterSubject = 200

export const pcpLetterInput = v.object({
  id_letter: uuid,
  /** The addressee. */
  id_pcp: uuid,
  /** The day it went, by the calendar of the store. */
  sent_on: day,
  way: v.picklist(letterWays),
  about: requiredText(longestLetterSubject),
})
export type PcpLetterInput = v.InferOutput<typeof pcpLetterInput>

export const pcpLetter = v.object({
  id_letter: uuid,
  id_pcp: uuid,
  /** The addressee's name in the list now. */
  pcp_name: v.string(),
  sent_on: v.string(),
  way: v.picklist(letterWays),
  about: v.string(),
  /** Author and time of the entry. */
  rep: v.string(),
  recorded_at: instant,
})
export type PcpLetter = v.InferOutput<typeof pcpLetter>

/** A letter in the list of providers. Its subject is only in the patient's record, where every look is logged. */
export const letterOfPcp = v.object({
  ...v.omit(pcpLetter, ['id_pcp', 'pcp_name', 'about']).entries,
  patient: v.pick(patient, ['id', 'last_name', 'first_name', 'middle_name', 'pref']),
})
export type LetterOfPcp = v.InferOutput<typeof letterOfPcp>

const ofPatient = v.object({ id: uuid })

export const listPcpLetters = endpoint({
  method: 'GET',
  path: '/api/patient/{id}/pcp-letter',
  summary: 'The newest fifty letters about a patient that went to their primary care provider; that they were read is kept',
  access: 'patient.read',
  params: ofPatient,
  response: v.object({ letters: v.array(pcpLetter) }),
  refuses: ['patient-unknown', 'patient-of-other-store'],
})

export const recordPcpLetter = endpoint({
  method: 'POST',
  path: '/api/patient/{id}/pcp-letter',
  summary: 'Write down that a letter about a patient went to a primary care provider',
  access: 'patient.write',
  params: ofPatient,
  body: pcpLetterInput,
  response: pcpLetter,
  refuses: ['patient-unknown', 'patient-of-other-store', 'pcp-unknown', 'key-reused'],
})

export const pcpLetterEndpoints = { listPcpLetters, recordPcpLetter }
