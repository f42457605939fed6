import { v7 as uuidv7 } from 'uuid'
import type { pcpLetterEndpoints } from '#contract/patients/pcp-letters.ts'
import type { pcpEndpoints } from '#contract/patients/pcps.ts'
import { importPcps } from '#server/features/patients/pcps/import-pcps.ts'
import { letterOf, lettersOfPatient, lettersOfPcp } from '#server/features/patients/pcps/letters-sent.ts'
import { mergePcps } from '#server/features/patients/pcps/merge-pcps.ts'
import { cardsOfPcps, choicesOfPcps, findPcp, findPcps, patientsOfPcp } from '#server/features/patients/pcps/read-pcps.ts'
import { recordLetter } from '#server/features/patients/pcps/record-letter.ts'
import { addPcp, changePcp } from '#server/features/patients/pcps/save-pcp.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'

/** Primary care providers: the chain's one list, with their patients and letters. */
export const pcpHandlers: HandlersOf<keyof typeof pcpEndpoints | keyof typeof pcpLetterEndpoints> = {
  async listPcps({ services, query }) {
    return await findPcps(services.db.pool, query)
  },

  async pcpChoices({ services }) {
    return await choicesOfPcps(services.db.pool)
  },

  async pcpCard({ services, query }) {
    return await findPcp(services.db.pool, query.id_pcp)
  },

  async pcpCards({ services }) {
    return await cardsOfPcps(services.db.pool)
  },

  async readPcp({ services, scope, params }) {
    const pcp = await findPcp(services.db.pool, params.id)
    const [patients, letters] = await Promise.all([
      patientsOfPcp(services.db.pool, scope, pcp.id_pcp),
      lettersOfPcp(services.db.pool, scope, pcp.id_pcp),
    ])
    return { pcp, patients, letters }
  },

  async addPcp({ services, scope, body: { id_pcp, ...input } }) {
    const id = id_pcp?.toLowerCase() ?? uuidv7()
    await addPcp(services, scope, id, input)
    return await findPcp(services.db.pool, id)
  },

  async changePcp({ services, scope, params, body: { version, ...input } }) {
    await changePcp(services, scope, params.id.toLowerCase(), version, input)
    return await findPcp(services.db.pool, params.id)
  },

  async mergePcps({ services, scope, params, body }) {
    const stays = { id: params.id.toLowerCase(), version: body.version }
    const moved = await mergePcps(services, scope, { stays, goes: { id: body.id_pcp.toLowerCase(), version: body.merged_version } })
    return { pcp: await findPcp(services.db.pool, stays.id), moved }
  },

  async importPcps({ services, scope, body }) {
    return { results: await importPcps(services, scope, body.rows, body.check_only) }
  },

  async listPcpLetters({ services, scope, params }) {
    return { letters: await lettersOfPatient(services, scope, params.id) }
  },

  async recordPcpLetter({ services, scope, params, body }) {
    await recordLetter(services, scope, params.id, body)
    return await letterOf(services.db.pool, body.id_letter)
  },
}
