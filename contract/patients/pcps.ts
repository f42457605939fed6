import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { pageOfSize, pageQuery } from '#contract/core/page.ts'
import { letterOfPcp } from '#contract/patients/pcp-letters.ts'
import { pcp, pcpCardShape, pcpInput } from '#contract/patients/pcp.ts'
import { rowId, text, uuid } from '#contract/core/primitives.ts'
import { mendedZip } from '#contract/core/zip-code.ts'

export * from '#contract/patients/pcp.ts'

export const pcpPageSize = 50
const ofPcp = v.object({ id: uuid })

export const listPcps = endpoint({
  method: 'GET',
  path: '/api/pcp',
  summary: 'Primary care providers by name, practice, phone, fax or NPI, city and specialty, fifty to a page',
  access: 'patient.read',
  query: v.object({
    query: v.optional(text(200), ''),
    city: v.optional(text(100), ''),
    specialty: v.optional(text(100), ''),
    /** `true` includes inactive ones. */
    inactive: v.optional(v.picklist(['true', 'false', '']), ''),
    page: pageQuery(),
  }),
  response: pageOfSize(pcpPageSize, { pcps: v.array(pcp) }, { page: v.number() }),
})

/** The choices for narrowing the list. */
export const pcpChoices = endpoint({
  method: 'GET',
  path: '/api/pcp/choices',
  summary: 'The cities and specialties that primary care providers have',
  access: 'patient.read',
  response: v.object({ cities: v.array(v.string()), specialties: v.array(v.string()) }),
})

/** The provider as stored now; without a connection a device has `pcpCards`. */
export const pcpCard = endpoint({
  method: 'GET',
  path: '/api/pcp/card',
  summary: 'Name and numbers of one primary care provider',
  access: 'patient.read',
  query: v.object({ id_pcp: uuid }),
  response: pcpCardShape,
  refuses: ['pcp-unknown'],
})

/** Devices keep these. So a patient's provider has a name, and a user can choose another, also without a connection. */
export const pcpCards = endpoint({
  method: 'GET',
  path: '/api/pcp/cards',
  summary: 'Names and numbers of all primary care providers, the inactive among them, by name',
  access: 'patient.read',
  response: v.object({ pcps: v.array(pcpCardShape) }),
  cached: 'reference',
  secret: true,
})

export const readPcp = endpoint({
  method: 'GET',
  path: '/api/pcp/{id}',
  summary: 'A primary care provider, the first fifty of their patients and the newest fifty letters about patients whom one may see',
  access: 'patient.read',
  params: ofPcp,
  response: v.object({
    pcp,
    patients: v.array(
      v.object({
        id: uuid,
        patient_no: v.nullable(rowId),
        last_name: v.nullable(v.string()),
        first_name: v.string(),
        middle_name: v.nullable(v.string()),
        pref: v.nullable(v.string()),
        dob: v.nullable(v.string()),
        inactive: v.boolean(),
      }),
    ),
    letters: v.array(letterOfPcp),
  }),
  refuses: ['pcp-unknown'],
})

export const addPcp = endpoint({
  method: 'POST',
  path: '/api/pcp',
  summary: 'Add a primary care provider',
  access: 'pcp.write',
  body: v.object({ ...pcpInput.entries, id_pcp: v.optional(uuid) }),
  response: pcp,
  refuses: ['key-reused', 'pcp-npi-taken'],
})

export const changePcp = endpoint({
  method: 'PUT',
  path: '/api/pcp/{id}',
  summary: 'Change a primary care provider; a version that is no longer the newest is refused with what is there now',
  access: 'pcp.write',
  params: ofPcp,
  body: v.object({ ...pcpInput.entries, version: rowId }),
  response: pcp,
  refuses: ['pcp-unknown', 'pcp-merged', 'pcp-changed', 'pcp-npi-taken'],
})

export const mergePcps = endpoint({
  method: 'POST',
  path: '/api/pcp/{id}/merge',
  summary: 'Make one of two primary care providers: this one stays, and every patient and letter of the other becomes theirs',
  access: 'pcp.merge',
  params: ofPcp,
  body: v.object({
    /** The provider that goes. */
    id_pcp: uuid,
    /** The versions that the user saw: of the provider that stays, and of the one that goes. */
    version: rowId,
    merged_version: rowId,
  }),
  response: v.object({ pcp, moved: v.number() }),
  refuses: ['pcp-unknown', 'pcp-merged', 'pcp-changed', 'pcp-same'],
})

/** Rows go in batches of this many, each in one transaction. */
export const pcpImportBatch = 100

/**
 * - `new`: nobody like this is in the list; only in the answer to a check
 * - `imported`: it was written just now
 * - `already-there`: this row was imported before
 * - `same-person`: the list has somebody with this NPI, or with this name and the same phone, fax or practice
 */
const verdicts = ['new', 'imported', 'already-there', 'same-person'] as const

/** Spreadsheets drop the leading zeros of a ZIP, so they are put back here. */
const importedPcp = v.object({
  ...pcpInput.entries,
  zip_code: v.pipe(
    v.optional(v.nullable(v.string()), null),
    v.transform((given): string | null | undefined => given && mendedZip(given).zip),
    pcpInput.entries.zip_code,
  ),
})

export const importPcps = endpoint({
  method: 'POST',
  path: '/api/pcp/import',
  summary: 'Add a batch of primary care providers from a file, all or none; providers already there are reported and not written again',
  access: 'pcp.import',
  body: v.object({
    rows: v.pipe(v.array(importedPcp), v.minLength(1), v.maxLength(pcpImportBatch)),
    /** Only report the verdict on each row. */
    check_only: v.optional(v.boolean(), false),
  }),
  response: v.object({ results: v.array(v.object({ verdict: v.picklist(verdicts), id_pcp: v.nullable(uuid) })) }),
  bodyLimit: 1024 * 1024,
})

export const pcpEndpoints = { listPcps, pcpChoices, pcpCard, pcpCards, readPcp, addPcp, changePcp, mergePcps, importPcps }
