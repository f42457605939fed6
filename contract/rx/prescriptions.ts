import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { findLensBrands } from '#contract/library/lens-brands.ts'
import { copyWays, prescription, rxInput, rxKinds, rxSignature, withdrawals } from '#contract/rx/prescription.ts'
import { requiredText, rowId, uuid } from '#contract/core/primitives.ts'

const notYours = ['patient-unknown', 'patient-of-other-store'] as const

export const latestRx = endpoint({
  method: 'GET',
  path: '/api/patient/latest-rx',
  summary: 'The newest signed prescription of a patient that is in force; null when there is none',
  access: 'patient.read',
  query: v.object({ id_patient: uuid, rx_kind: v.optional(v.picklist(rxKinds)) }),
  response: v.nullable(prescription),
  refuses: notYours,
})

export const listRx = endpoint({
  method: 'GET',
  path: '/api/patient/rx-list',
  summary: 'All prescriptions of a patient, newest first',
  access: 'patient.read',
  query: v.object({ id_patient: uuid }),
  response: v.object({ rx_list: v.array(prescription) }),
  refuses: notYours,
})

export const readRx = endpoint({
  method: 'GET',
  path: '/api/patient/rx',
  summary: 'One prescription; that it was read is kept',
  access: 'patient.read',
  query: v.object({ id_rx: uuid }),
  response: prescription,
  refuses: ['rx-unknown', ...notYours],
})

export const addRx = endpoint({
  method: 'POST',
  path: '/api/patient/rx',
  summary: 'Begin a prescription: a draft, which need not be complete',
  access: 'rx.enter',
  body: v.object({ ...rxInput.entries, id_patient: uuid, id_rx: v.optional(uuid) }),
  response: prescription,
  refuses: ['rx-provider-unknown', 'key-reused', ...notYours],
})

export const changeRx = endpoint({
  method: 'PUT',
  path: '/api/patient/rx',
  summary: 'Change a draft, sign it, or both; what was signed never changes',
  access: 'rx.enter',
  body: v.object({ id_rx: uuid, version: v.optional(rowId), rx: v.optional(rxInput), signature: v.optional(rxSignature) }),
  response: prescription,
  refuses: ['rx-unknown', 'rx-signed', 'rx-changed', 'rx-signature-not-yours', 'rx-provider-unknown', ...notYours],
})

export const deleteRx = endpoint({
  method: 'DELETE',
  path: '/api/patient/rx/{id}',
  summary: 'Delete a draft; what was signed stays',
  access: 'rx.enter',
  params: v.object({ id: uuid }),
  response: v.object({ ok: v.literal(true) }),
  refuses: ['rx-unknown', 'rx-signed', ...notYours],
})

export const withdrawRx = endpoint({
  method: 'POST',
  path: '/api/patient/rx/{id}/withdraw',
  summary: 'Cancel a signed prescription, or say that it was entered in error; it stays readable, and no other one takes its place',
  access: 'rx.sign',
  params: v.object({ id: uuid }),
  body: v.object({ status: v.picklist(withdrawals, 'must be one of the choices'), reason: requiredText(200), version: v.optional(rowId) }),
  response: prescription,
  refuses: ['rx-unknown', 'rx-changed', 'rx-not-withdrawable', ...notYours],
})

export const linkRxScan = endpoint({
  method: 'PUT',
  path: '/api/patient/rx/{id}/scan',
  summary: 'Say which file of the patient shows the paper of an outside prescription, or with null that none does; signed ones too',
  access: 'rx.enter',
  params: v.object({ id: uuid }),
  body: v.object({ id_file: v.nullable(uuid) }),
  response: prescription,
  refuses: ['rx-unknown', 'file-unknown', ...notYours],
})

export const recordRxCopy = endpoint({
  method: 'POST',
  path: '/api/patient/rx/{id}/copies',
  summary: 'Write down that a copy of a prescription is given out: how, by whom and why; asked before it is printed or exported',
  access: 'patient.read',
  params: v.object({ id: uuid }),
  body: v.object({ way: v.picklist(copyWays, 'must be one of the choices'), reason: requiredText(200) }),
  response: v.object({ ok: v.literal(true) }),
  refuses: ['rx-unknown', ...notYours],
})

export const prescriptionEndpoints = {
  latestRx,
  listRx,
  readRx,
  addRx,
  changeRx,
  deleteRx,
  withdrawRx,
  linkRxScan,
  recordRxCopy,
  findLensBrands,
}
