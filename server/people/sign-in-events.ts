import { signInNoticeDays, type SignInNotice } from '#contract/tablets.ts'
import { personName } from '#server/people/person-name.ts'
import type { Services } from '#server/services.ts'

type Noted = { kind: SignInNotice['kind']; id_user: number | null; device_id: string | null; until: string | null }

const dayMs = 86_400_000

/** Writes down what managers must hear of, for good, and logs it by ids alone. */
export async function noteSignInEvent(services: Pick<Services, 'db' | 'clock' | 'log'>, noted: Noted): Promise<void> {
  const { reads } = services.db
  const person =
    noted.id_user === null
      ? null
      : await reads.selectFrom('users').select('store_id').where('id_user', '=', noted.id_user).executeTakeFirst()
  const tablet =
    noted.device_id === null
      ? null
      : await reads.selectFrom('tablets').select('store_id').where('id_tablet', '=', noted.device_id).executeTakeFirst()
  const store_id = person?.store_id ?? tablet?.store_id ?? null
  await reads
    .insertInto('sign_in_events')
    .values({ ...noted, store_id, at: new Date(services.clock.now()).toISOString() })
    .execute()
  services.log.warn({ event: noted.kind, id_user: noted.id_user, device: noted.device_id }, 'sign-in: managers are told')
}

/** How many new PINs a person was given since `since`, an instant in milliseconds. */
export async function countNewPins({ db }: Pick<Services, 'db'>, idUser: number, since: number): Promise<number> {
  const { count } = await db.reads
    .selectFrom('sign_in_events')
    .select((events) => events.fn.countAll<number>().as('count'))
    .where('id_user', '=', idUser)
    .where('kind', '=', 'pin.new')
    .where('at', '>', new Date(since).toISOString())
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** What managers of these stores are told, newest first. What names no store, they all are. */
export async function readSignInNotices({ db, clock }: Pick<Services, 'db' | 'clock'>, stores: readonly number[]): Promise<SignInNotice[]> {
  return await db.reads
    .selectFrom('sign_in_events as event')
    .leftJoin('users as person', 'person.id_user', 'event.id_user')
    .leftJoin('tablets as tablet', 'tablet.id_tablet', 'event.device_id')
    .select(['event.id', 'event.at', 'event.kind', 'event.until', 'tablet.name as tablet_name', personName('person').as('person_name')])
    .where('event.at', '>', new Date(clock.now() - signInNoticeDays * dayMs).toISOString())
    .where((where) =>
      where.or([
        where('event.kind', '=', 'pin.blocked'),
        where('event.store_id', 'is', null),
        where('event.store_id', 'in', [...stores, 0]),
      ]),
    )
    .orderBy('event.id', 'desc')
    .limit(50)
    .execute()
}
