import { sql } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import type { Services } from '#server/platform/services.ts'

const usualStoreFileBytes = 100 * 1024 ** 3

/**
 * Keeps the files and open uploads of one store's patients below the operator's limit, so that one store cannot fill
 * the disk of all.
 * @param more the bytes that would come
 * @throws Refusal files-full
 */
export async function assertStoreHasRoom({ db, config }: Services, idPatient: string, more: number): Promise<void> {
  const ofStore = sql`(select id from patients where store_id = (select store_id from patients where id = ${idPatient}))`
  const { rows } = await sql<{ bytes: number }>`
    select (
      coalesce((select sum(size) from patient_files where id_patient in ${ofStore}), 0)
      + coalesce((select sum(received) from patient_uploads where id_file is null and id_patient in ${ofStore}), 0)
    )::float8 as bytes`.execute(db.pool)
  const most = config.storeFileBytes ?? usualStoreFileBytes
  if ((rows[0]?.bytes ?? 0) + more > most) throw new Refusal('files-full')
}
