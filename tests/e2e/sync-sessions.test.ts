import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { officeOf, openClinic, signIn, until, type Office, type PulledFrame } from '#tests/e2e/clinic.ts'
import {
  everythingSent,
  expectCounted,
  expectEachOnce,
  fullNames,
  openCount,
  outboxOf,
  pageOf,
  readyForOffline,
  scansAt,
  startCount,
  stockOf,
} from '#tests/e2e/count-room.ts'
import { scan, scanAll } from '#tests/e2e/wedge-scanner.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'
import { openWireProxy, type Fate, type PassingCall, type WireProxy } from '#tests/support/wire-proxy.ts'

let server: LorgnetteServer
let line: WireProxy
let office: Office
let expected: PulledFrame[]
let tablet: Tablet
let page: Page

beforeAll(async () => {
  server = await openClinic({ ACCESS_TOKEN_SECONDS: '2' })
  line = await openWireProxy(server)
  office = await officeOf(server)
  expected = (await stockOf(office)).expected
  tablet = await openTablet()
  page = await pageOf(tablet)
  await signIn(page, line, 'ben')
  await readyForOffline(page, line.origin, expected.length)
})

afterEach(() => {
  line.meet = () => 'pass'
  line.answered = () => undefined
})

afterAll(async () => {
  await tablet?.close()
  await line?.close()
  await server?.remove()
})

const labels = (from: number, to: number) => expected.slice(from, to).map((frame) => frame.sku)
const isPush = (call: PassingCall) => call.commands.length > 0
const tokenOf = (where: Page) => where.evaluate(() => localStorage.getItem('AccessToken'))

/** Until the server itself calls the token of this tablet expired. */
async function untilExpired(token: string | null): Promise<void> {
  await until(
    async () => (await fetch(`${server.origin}/api/home/home`, { headers: { authorization: `Bearer ${token}` } })).status,
    (status) => status === 401,
    'The token never expired',
  )
}

describe('Sessions that end while work waits', () => {
  test('a token that runs out in the middle of sending is renewed once, and everything goes', async () => {
    const id = await startCount(page, line.origin)
    await everythingSent(page)
    const answers: number[] = []
    line.answered = (call, status) => {
      if (isPush(call)) answers.push(status)
    }
    // Each push waits on its way until its token is too old, the first time it is seen.
    const aged = new Set<string | null>()
    line.meet = async (call): Promise<Fate> => {
      if (isPush(call) && aged.size < 2 && !aged.has(call.token)) {
        aged.add(call.token)
        await untilExpired(call.token)
      }
      return 'pass'
    }
    await scanAll(page, labels(0, 25))
    await expectCounted(page, 25)
    await everythingSent(page)
    expect(answers).toContain(401)
    expect(answers).toContain(200)
    await expectEachOnce(office, id, labels(0, 25), fullNames.ben)
    expect(new URL(page.url()).pathname).toContain(id)
  })

  test('when the server no longer takes the session the queue waits, and leaves after the next sign-in', async () => {
    const id = await startCount(page, line.origin)
    await everythingSent(page)
    line.meet = (call) => (isPush(call) ? 'lose-request' : 'pass')
    await scanAll(page, labels(25, 40))
    await expectCounted(page, 15)
    // Someone ends this session at the server: a lost tablet, a changed password.
    const ended = await until(
      async () => {
        const token = await tokenOf(page)
        return (await fetch(`${server.origin}/api/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })).status
      },
      (status) => status === 200,
      'The session could not be ended',
    )
    expect(ended).toBe(200)
    line.meet = () => 'pass'
    await page.waitForURL(/\/login/)
    const waiting = await outboxOf(page)
    expect(waiting).toHaveLength(15)
    expect(await scansAt(office, id)).toEqual([])

    await signIn(page, line, 'ben')
    await everythingSent(page)
    await expectEachOnce(office, id, labels(25, 40), fullNames.ben)
  })

  test('on a shared tablet Ana’s scans leave under Ben’s session and are Ana’s', async () => {
    await signIn(page, line, 'ana')
    const id = await startCount(page, line.origin)
    await everythingSent(page)
    line.meet = (call) => (isPush(call) ? 'lose-request' : 'pass')
    await scanAll(page, labels(40, 60))
    await expectCounted(page, 20)

    // Ben takes the tablet: coming to the login screen ends Ana's session, and nothing of her work.
    await signIn(page, line, 'ben')
    expect(await outboxOf(page)).toHaveLength(20)
    line.pushes.length = 0
    line.meet = () => 'pass'
    await openCount(page, line.origin, id)
    await scanAll(page, labels(60, 65))
    await everythingSent(page)

    const rows = await until(
      () => scansAt(office, id),
      (seen) => seen.length >= 25,
      'Not everything arrived',
    )
    const by = (name: string) =>
      rows
        .filter((row) => row.author_name === name)
        .map((row) => row.raw_code)
        .sort()
    expect(by(fullNames.ana)).toEqual(labels(40, 60).sort())
    expect(by(fullNames.ben)).toEqual(labels(60, 65).sort())
    expect(rows).toHaveLength(25)
    // The session that delivered was Ben's: his name is all that the server could have guessed.
    expect(line.pushes.some((push) => push.commands.some((command) => command.author.name === fullNames.ana))).toBe(true)
  })

  test('a scan made while nobody is signed in is not called saved', async () => {
    await signIn(page, line, 'ben')
    const id = await startCount(page, line.origin)
    await everythingSent(page)
    await tablet.context.setOffline(true)
    const other = await tablet.context.newPage()
    await other.goto(`${line.origin}/login`)
    await other.getByLabel('Email or username').waitFor()
    const code = labels(65, 66)[0] ?? ''
    // The first page hears of it and leaves the sheet, or says that the scan is not saved: both are the truth.
    await scan(page, code)
    await tablet.context.setOffline(false)
    await other.close()
    await signIn(page, line, 'ben')
    await everythingSent(page)
    const arrived = (await scansAt(office, id)).filter((row) => row.raw_code === code)
    expect(arrived.length).toBeLessThanOrEqual(1)
    for (const row of arrived) expect(row.author_name).toBe(fullNames.ben)
  })
})
