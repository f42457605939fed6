import {
  type Insurance,
  insuranceEndpoints,
  type InsurancePriority,
  type PhotoSide,
  type Relationship,
} from '#contract/insurance/insurance.ts'
import { patientEndpoints, type Patient } from '#contract/patients/patients.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import { fromBase64 } from '#src/device/scale-image.ts'
import type { Device } from '#src/sync/device/device.ts'
import type { PolicyForm, ReadPolicy } from './form.ts'

type Caller = Pick<Device, 'call'>
/** Photos take long on a slow line. */
const photoTimeoutMs = 60_000
const timeoutMs = 15_000

/** Adds a policy with this id, or changes the given one. */
export async function savePolicy(
  device: Caller,
  input: ReadPolicy,
  { front_photo, back_photo }: Pick<PolicyForm, 'front_photo' | 'back_photo'>,
  of: { id: string } | { id_insurance: string; version: number | null },
): Promise<Outcome<Insurance>> {
  const photos = { front_photo, back_photo }
  const options = { timeoutMs: photoTimeoutMs }
  if ('id' in of) {
    const body = asForm({ ...input, id_insurance: of.id }, photos)
    return await device.call(insuranceEndpoints.addInsurance, { body }, options)
  }
  const { id_insurance, version } = of
  const body = asForm({ ...input, ...(version !== null && { version }) }, photos)
  return await device.call(insuranceEndpoints.changeInsurance, { params: { id_insurance }, body }, options)
}

/** Sends photos as files beside the fields. A removed photo is null among the fields. */
function asForm(
  fields: ReadPolicy & { id_insurance?: string; version?: number },
  photos: Pick<PolicyForm, 'front_photo' | 'back_photo'>,
): FormData {
  const { fields: fieldsPart } = insuranceEndpoints.addInsurance.form
  const taken = Object.entries(photos).filter(([, photo]) => photo === null)
  const form = new FormData()
  form.set(fieldsPart, JSON.stringify({ ...fields, ...Object.fromEntries(taken) }))
  for (const [side, photo] of Object.entries(photos)) if (photo) form.set(side, new Blob([fromBase64(photo)]), side)
  return form
}

/** A photographed card that is not sent yet: the photo as base64. Every try sends it under the same id. */
export type UnsentCard = { id: string; image: string }

/** Adds a policy with only a photo of its card. A user fills in the details later. */
export async function addCard(device: Caller, idPatient: string, { id, image }: UnsentCard): Promise<Outcome<Insurance>> {
  const body = { id_patient: idPatient, id_insurance: id, image }
  return await device.call(insuranceEndpoints.addInsurance, { body }, { timeoutMs: photoTimeoutMs })
}

export async function detachPolicy(device: Caller, { id_insurance, id_patient }: Insurance): Promise<Failure | null> {
  return failureOf(await device.call(insuranceEndpoints.detachInsurance, { params: { id_insurance, id_patient } }, { timeoutMs }))
}

export type HolderForm = { id_patient: string; relationship: Relationship; priority: InsurancePriority | null }

export async function attachHolder(device: Caller, { id_insurance }: Insurance, body: HolderForm): Promise<Failure | null> {
  return failureOf(await device.call(insuranceEndpoints.attachHolder, { params: { id_insurance }, body }, { timeoutMs }))
}

export async function changeHolder(device: Caller, { id_insurance }: Insurance, holder: HolderForm): Promise<Failure | null> {
  const { id_patient, ...body } = holder
  return failureOf(await device.call(insuranceEndpoints.changeHolder, { params: { id_insurance, id_patient }, body }, { timeoutMs }))
}

export async function detachHolder(device: Caller, { id_insurance }: Insurance, id_patient: string): Promise<Failure | null> {
  return failureOf(await device.call(insuranceEndpoints.detachHolder, { params: { id_insurance, id_patient } }, { timeoutMs }))
}

export async function findPatients(device: Caller, query: string): Promise<Outcome<Patient[]>> {
  const answer = await device.call(patientEndpoints.searchPatients, { query: { query } }, { timeoutMs })
  return answer.ok ? { ok: true, value: answer.value.patients } : answer
}

export async function readPhoto(device: Caller, { id_insurance, id_patient }: Insurance, side: PhotoSide): Promise<Outcome<Blob>> {
  const params = { id: id_insurance, id_patient, side }
  return await device.call(insuranceEndpoints.insurancePhoto, { params }, { timeoutMs: photoTimeoutMs })
}

function failureOf(answer: Outcome<unknown>): Failure | null {
  return answer.ok ? null : answer.failure
}

/** Returns the message for a failure. */
export function failureWords(failure: Failure): string {
  if (failure.kind === 'unreachable') return 'Couldn’t reach the server. Try again when you’re back online.'
  const [problem] = failure.kind === 'refused' ? failure.fields : []
  return problem?.message ?? failure.message
}
