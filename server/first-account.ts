import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { requiredText } from '#contract/core/primitives.ts'
import { readConfig } from '#server/config.ts'
import { databaseSource, openDatabase } from '#server/platform/db/open-database.ts'
import { signInName } from '#server/domain/people/find-person.ts'
import { hashPassword } from '#server/domain/people/passwords.ts'
import { defaultStoreSettings } from '#server/domain/people/store-settings.ts'
import { findProject } from '#server/project.ts'

/**
 * `npm run first-account`: makes the first store and the first administrator of an empty production database. Nobody
 * could sign in to it otherwise. The password comes in the variable FIRST_PASSWORD, because other users can see
 * arguments.
 */

const asKept = v.transform(signInName)
const answers = v.object({
  store: requiredText(120),
  'time-zone': v.pipe(
    v.string(),
    v.check((zone) => Intl.supportedValuesOf('timeZone').includes(zone), 'must be the name of a time zone, such as America/New_York'),
  ),
  username: v.pipe(requiredText(120), asKept),
  email: v.pipe(requiredText(200), v.email('must be an email address'), asKept),
  'first-name': requiredText(120),
  'last-name': requiredText(120),
  password: v.pipe(v.string(), v.minLength(12, 'must have 12 characters or more'), v.maxLength(256)),
})

async function makeFirstAccount(): Promise<string> {
  const text = { type: 'string', default: '' } as const
  const { values } = parseArgs({
    options: { store: text, 'time-zone': text, username: text, email: text, 'first-name': text, 'last-name': text },
  })
  const parsed = v.safeParse(answers, { ...values, password: process.env.FIRST_PASSWORD ?? '' })
  if (!parsed.success) {
    const place = (issue: v.BaseIssue<unknown>) => {
      const name = issue.path?.[0]?.key
      return name === 'password' ? 'FIRST_PASSWORD' : `--${typeof name === 'string' ? name : ''}`
    }
    throw new Error(parsed.issues.map((issue) => `${place(issue)}: ${issue.message}`).join('\n'))
  }
  const said = parsed.output
  const password_hash = await hashPassword(said.password)
  const db = await openDatabase(databaseSource(readConfig({ ...process.env, RISK_PROVIDER: 'development' }, findProject())))
  try {
    await db.write([], async ({ trx }) => {
      const someone = await trx.selectFrom('users').select('id_user').executeTakeFirst()
      if (someone) throw new Error('There are accounts already. This is only for the very first one.')
      const { store_id } = await trx
        .insertInto('stores')
        .values({
          store_name: said.store,
          short_name: said.store,
          time_zone: said['time-zone'],
          is_warehouse: false,
          settings: JSON.stringify(defaultStoreSettings),
        })
        .returning('store_id')
        .executeTakeFirstOrThrow()
      const { id_user } = await trx
        .insertInto('users')
        .values({
          username: said.username,
          email: said.email,
          first_name: said['first-name'],
          last_name: said['last-name'],
          password_hash,
          pin_lookup: null,
          role_ids: ['admin'],
          store_id,
          disabled_at: null,
        })
        .returning('id_user')
        .executeTakeFirstOrThrow()
      await trx.insertInto('user_stores').values({ id_user, store_id }).execute()
    })
  } finally {
    await db.close()
  }
  return `${said.username} can sign in at ${said.store}.\n`
}

try {
  process.stdout.write(await makeFirstAccount())
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
