import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signIn, until } from '#tests/e2e/clinic.ts'
import {
  everythingSent,
  expectCounted,
  expectEachOnce,
  fullNames,
  openCount,
  openCountRoom,
  outboxOf,
  scansAt,
  startCount,
  type CountRoom,
} from '#tests/e2e/count-room.ts'
import { scan, scanAll } from '#tests/e2e/wedge-scanner.ts'
import type { Tablet } from '#tests/support/browser.ts'
import type { Fate, PassingCall } from '#tests/support/wire-proxy.ts'

let room: CountRoom
let tablet: Tablet
let page: Page

beforeAll(async () => {
  room = await openCountRoom({ ACCESS_TOKEN_SECONDS: '2' })
  ;({ tablet, page } = await room.seat('ben', room.line))
})
afterEach(() => room.mendLine())
afterAll(() => room?.close())

const isPush = (call: PassingCall) => call.commands.length > 0
const tokenOf = (where: Page) => where.evaluate(() => localStorage.getItem('AccessToken'))

/** Waits until the server rejects this token as expired. */
async function untilExpired(token: string | null): Promise<void> {
  await until(
    async () => (await fetch(`${room.server.origin}/api/home/home`, { headers: { authorization: `Bearer ${token}` } })).status,
    (status) => status === 401,
    'The token never expired',
  )
}

describe('Sessions that end while work waits', () => {
  test('a token that expires during sending is renewed once, and everything is sent', async () => {
    const id = await startCount(page, room.line.origin)
    await everythingSent(page)
    const answers: number[] = []
    room.line.answered = (call, status) => {
      if (isPush(call)) answers.push(status)
    }
    // The first push with a token waits until that token has expired, for two tokens.
    const aged = new Set<string | null>()
    room.line.meet = async (call): Promise<Fate> => {
      if (isPush(call) && aged.size < 2 && !aged.has(call.token)) {
        aged.add(call.token)
        await untilExpired(call.token)
      }
      return 'pass'
    }
    await scanAll(page, room.labels(0, 25))
    await expectCounted(page, 25)
    await everythingSent(page)
    expect(answers).toContain(401)
    expect(answers).toContain(200)
    await expectEachOnce(room.office, id, room.labels(0, 25), fullNames.ben)
    expect(new URL(page.url()).pathname).toContain(id)
  })

  test('a session that ends during a burst of scans loses none, and the user signs in on the count', async () => {
    const id = await startCount(page, room.line.origin)
    await everythingSent(page)
    await scanAll(page, room.labels(25, 29))
    await expectCounted(page, 4)
    await everythingSent(page)
    await scanAll(page, room.labels(29, 31))
    // The server ends this session, as after a lost tablet or a changed password.
    await until(
      async () => {
        const token = await tokenOf(page)
        const headers = { authorization: `Bearer ${token}` }
        return token === null ? 200 : (await fetch(`${room.server.origin}/api/auth/logout`, { method: 'POST', headers })).status
      },
      (status) => status === 200,
      'The session could not be ended',
    )
    await scanAll(page, room.labels(31, 36))
    await page.getByText('Sign in to send — scans are still being saved.').waitFor()
    expect(await tokenOf(page)).toBeNull()
    await scanAll(page, room.labels(36, 38))
    await expectCounted(page, 13)
    expect(new URL(page.url()).pathname).toContain(id)
    expect((await outboxOf(page)).every(({ author }) => author.name === fullNames.ben)).toBe(true)

    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in as Ben' })
    // The scanner works below the dialog, in every field.
    await scanAll(page, room.labels(38, 40))
    await dialog.getByLabel('PIN', { exact: true }).fill('135790')
    await dialog.getByRole('button', { name: 'Use PIN' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectCounted(page, 15)
    await everythingSent(page)
    expect(await page.getByText('Sign in to send').count()).toBe(0)
    expect(new URL(page.url()).pathname).toContain(id)
    await expectEachOnce(room.office, id, room.labels(25, 40), fullNames.ben)
  })

  test('a user who leaves the count after the session ended lands on the login screen, which answers scans', async () => {
    const id = await startCount(page, room.line.origin)
    await everythingSent(page)
    const other = await tablet.context.newPage()
    await other.goto(`${room.line.origin}/login`)
    await page.getByText('Sign in to send — scans are still being saved.').waitFor()
    await other.close()
    await page.bringToFront()
    await scanAll(page, room.labels(66, 68))
    await expectCounted(page, 2)
    await page.getByRole('link', { name: 'All counts' }).click()
    await page.waitForURL(/\/login/)
    await page.getByTestId('refused-scans').waitFor({ state: 'attached' })
    await scan(page, room.labels(68, 69)[0] ?? '')
    await page.getByText('Not counted. Sign in first.').waitFor()
    expect(await outboxOf(page)).toHaveLength(2)
    await signIn(page, room.line, 'ben')
    await everythingSent(page)
    await expectEachOnce(room.office, id, room.labels(66, 68), fullNames.ben)
  })

  test('on a shared tablet Ana’s scans leave in Ben’s session and stay Ana’s', async () => {
    await signIn(page, room.line, 'ana')
    const id = await startCount(page, room.line.origin)
    await everythingSent(page)
    room.line.meet = (call) => (isPush(call) ? 'lose-request' : 'pass')
    await scanAll(page, room.labels(40, 60))
    await expectCounted(page, 20)

    // Ben takes the tablet: the login screen ends Ana's session and keeps her work.
    await signIn(page, room.line, 'ben')
    expect(await outboxOf(page)).toHaveLength(20)
    room.line.pushes.length = 0
    room.line.meet = () => 'pass'
    await openCount(page, room.line.origin, id)
    await scanAll(page, room.labels(60, 65))
    await everythingSent(page)

    const rows = await until(
      () => scansAt(room.office, id),
      (seen) => seen.length >= 25,
      'Not everything arrived',
    )
    const by = (name: string) =>
      rows
        .filter((row) => row.author_name === name)
        .map((row) => row.raw_code)
        .sort()
    expect(by(fullNames.ana)).toEqual(room.labels(40, 60).sort())
    expect(by(fullNames.ben)).toEqual(room.labels(60, 65).sort())
    expect(rows).toHaveLength(25)
    // Ben's session delivered the work, so without the author the server would have named Ben.
    expect(room.line.pushes.some((push) => push.commands.some((command) => command.author.name === fullNames.ana))).toBe(true)
  })
})
