import type { Insertable, Transaction } from 'kysely'
import { acceptedDays, intakeFieldNames, invitationDays } from '#contract/patients/portal.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoPeople, fullName } from '#server/demo/demo-clinic.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'
import { portalToken, tokenHash } from '#server/domain/messages/portal-link.ts'
import type { Secrets } from '#server/platform/services.ts'

type Patient = Insertable<Schema['patients']>

const dayMinutes = 24 * 60
/** How many days ago each invitation was sent. An accepted one was accepted a day later. */
const invited = [
  { days: 1, as: 'sent' },
  { days: 2, as: 'sent' },
  { days: 3, as: 'locked' },
  { days: 4, as: 'accepted' },
  { days: 5, as: 'accepted' },
  { days: 6, as: 'accepted' },
  { days: 8, as: 'accepted' },
  { days: 10, as: 'accepted' },
  { days: 12, as: 'expired' },
  { days: 15, as: 'expired' },
  { days: 20, as: 'revoked' },
  { days: 45, as: 'accepted' },
] as const
const forms = [
  { phone: '5185550142', allergies: 'Penicillin', insurance: 'VSP through my work. I will bring the card.' },
  { street_address: '48 Orchard Terrace', city: 'Larkspur', zip_code: '12401', medications: 'Lisinopril 10 mg, once a day' },
  { preferred_contact: 'email', ocular_history: 'LASIK in both eyes, 2011. My mother has glaucoma.', allergies: 'None' },
]
const letters = [
  'Could I come half an hour later on Thursday?',
  'The left lens of my new glasses seems loose. May I stop by without an appointment?',
  'My insurance changed this month. What do you need from me?',
  'Thank you, the new progressives are wonderful.',
]

/**
 * Inserts a dozen invitations in every state and the patients' answers: waiting forms and a reviewed one, open and done
 * messages.
 */
export async function insertDemoPortal(
  trx: Transaction<Schema>,
  secrets: Secrets,
  patients: readonly Patient[],
  calendar: DemoCalendar,
  random: SeededRandom,
): Promise<void> {
  const desk = demoPeople.filter(({ username }) => ['leo', 'ana', 'maya'].includes(username))
  const able = patients.filter(({ dob, email, store_id, inactive }) => dob && email && store_id === 1 && !inactive).slice(40)
  const invitations: Insertable<Schema['portal_invitations']>[] = []
  const intakes: Insertable<Schema['portal_intakes']>[] = []
  const messages: Insertable<Schema['portal_messages']>[] = []
  for (const [nth, { days, as }] of invited.entries()) {
    const patient = able[nth * 3]
    if (!patient) break
    const person = random.pick(desk)
    const id = random.uuid()
    const sent_at = calendar.daysAgo(days, random.int(14 * 60, 21 * 60) / 60)
    const accepted_at = as === 'accepted' ? calendar.plus(sent_at, random.int(20, 600)) : null
    const way = patient.email_consent_at ? 'email' : 'link'
    invitations.push({
      id,
      id_send: id,
      id_patient: patient.id,
      id_user: person.id_user,
      rep: fullName(person),
      way,
      email: way === 'email' ? (patient.email ?? null) : null,
      token_hash: tokenHash(portalToken(secrets, { id, id_send: id })),
      sent_at,
      accepted_at,
      expires_at: calendar.plus(accepted_at ?? sent_at, (accepted_at ? acceptedDays : invitationDays) * dayMinutes),
      revoked_at: as === 'revoked' ? calendar.plus(sent_at, 3 * dayMinutes) : null,
      wrong_tries: as === 'locked' ? 5 : 0,
    })
    if (accepted_at === null) continue
    const whose = { id_invitation: id, id_patient: patient.id }
    const at = calendar.plus(accepted_at, 12)
    const form = forms[intakes.length]
    if (form) {
      const isReviewed = intakes.length === 2
      intakes.push({
        id: random.uuid(),
        ...whose,
        at,
        answers: JSON.stringify({ ...nothing, ...form }),
        taken: isReviewed ? [] : null,
        reviewed_at: isReviewed ? calendar.plus(at, 300) : null,
        reviewed_by: isReviewed ? person.id_user : null,
        rep: isReviewed ? fullName(person) : null,
      })
    }
    const letter = letters[messages.filter(({ id_answered }) => id_answered === null).length]
    if (letter === undefined) continue
    const isDone = letter === letters.at(-1)
    const idMessage = random.uuid()
    messages.push({
      id: idMessage,
      ...whose,
      id_answered: null,
      way: 'portal',
      at: calendar.plus(at, 5),
      id_user: null,
      rep: '',
      body: letter,
      read_at: isDone ? calendar.plus(at, 90) : null,
      assigned_to: isDone ? person.id_user : null,
      assigned_rep: isDone ? fullName(person) : null,
      done_at: isDone ? calendar.plus(at, 95) : null,
    })
    if (!isDone) continue
    messages.push({
      id: random.uuid(),
      ...whose,
      id_answered: idMessage,
      way: 'portal',
      at: calendar.plus(at, 94),
      id_user: person.id_user,
      rep: fullName(person),
      body: 'We are glad to hear it. See you next year!',
      read_at: calendar.plus(at, 94),
      assigned_to: null,
      assigned_rep: null,
      done_at: null,
    })
  }
  if (invitations.length > 0) await trx.insertInto('portal_invitations').values(invitations).execute()
  if (intakes.length > 0) await trx.insertInto('portal_intakes').values(intakes).execute()
  if (messages.length > 0) await trx.insertInto('portal_messages').values(messages).execute()
}

const nothing = Object.fromEntries([...intakeFieldNames, 'insurance'].map((name) => [name, null]))
