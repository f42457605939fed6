import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { pageOf, people, signIn, until, type Person } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { keptOn, toastOn, toastSays } from '#tests/e2e/screen.ts'
import { openTablet } from '#tests/support/browser.ts'

// As behind a reverse proxy, each test has its own address, so that a block affects one test only.
const t = e2eTablet({ hasMotion: true, env: { TRUSTED_PROXIES: '127.0.0.1,::1' } })
let visits = 0

beforeEach(async () => {
  visits += 1
  await t.tablet.context.setExtraHTTPHeaders({ 'x-forwarded-for': `203.0.113.${visits}` })
  await t.page.unrouteAll()
  await t.page.goto(`${t.server.origin}/login`)
  await loginForm().waitFor()
})

const front = () => t.page.getByRole('region', { name: 'Login', exact: true })
const back = () => t.page.getByRole('region', { name: 'Clock In/Out', exact: true })
const loginForm = () => t.page.getByRole('form', { name: 'Login', exact: true })
const pinForm = () => t.page.getByRole('form', { name: 'Express Login' })
const clockForm = () => t.page.getByRole('form', { name: 'Clock In/Out' })

async function tryPassword(username: string, password: string) {
  await loginForm().getByLabel('Email or username').fill(username)
  await loginForm().getByLabel('Password', { exact: true }).fill(password)
  await loginForm()
    .getByRole('button', { name: /^(Login|Try again in \d+s)$/ })
    .click()
}

async function tryPin(pin: string) {
  await pinForm().getByLabel('PIN').fill(pin)
  await pinForm().getByRole('button').click()
}

async function turnToClock() {
  await t.page.getByRole('button', { name: 'Clock In/Out', exact: true }).click()
  await clockForm().waitFor()
}

async function fillClock(person: Person, password: string = people[person].password) {
  await clockForm().getByLabel('Username').fill(people[person].username)
  await clockForm().getByLabel('Password', { exact: true }).fill(password)
}

const storedTokens = () => t.page.evaluate(() => [localStorage.getItem('AccessToken'), localStorage.getItem('RefreshToken')])

test('a user can type while the app loads, and the Login button waits for it', async () => {
  const fresh = await openTablet()
  onTestFinished(() => fresh.close())
  const there = await pageOf(fresh)
  let arrive = () => {}
  const onItsWay = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await there.route('**/assets/app-*.js', async (route) => {
    await onItsWay
    await route.continue()
  })
  await there.goto(`${t.server.origin}/login`)
  const form = there.getByRole('form', { name: 'Login', exact: true })
  await form.getByLabel('Email or username').fill('maya')
  await form.getByLabel('Password', { exact: true }).fill(people.maya.password)
  await form.getByRole('button', { name: 'Login' }).click()
  await form.locator('button[aria-busy=true]').waitFor()
  arrive()
  await there.getByRole('heading', { name: 'Today' }).waitFor()
})

describe('the two-sided card', () => {
  test('the button above the card turns it, and nobody can reach or read the hidden side', async () => {
    await front().waitFor()
    expect(await back().count()).toBe(0)
    await turnToClock()
    await expect.poll(() => t.page.getByRole('button', { name: 'Back to Login' }).isVisible()).toBe(true)
    expect(await front().count()).toBe(0)
    // The Tab key goes around the whole page and never reaches the hidden side.
    const reached: string[] = []
    for (let step = 0; step < 14; step++) {
      await t.page.keyboard.press('Tab')
      reached.push(await t.page.evaluate(() => document.activeElement?.getAttribute('name') ?? ''))
    }
    expect(reached).toContain('clock-username')
    expect(reached).not.toContain('username')
    await t.page.getByRole('button', { name: 'Back to Login' }).click()
    await loginForm().waitFor()
    expect(await back().count()).toBe(0)
  })

  test('the front has everything in the specification', async () => {
    await expect.poll(() => front().getByText('Or continue with').isVisible()).toBe(true)
    await expect.poll(() => pinForm().getByRole('button', { name: 'Express Login' }).isVisible()).toBe(true)
    expect(await pinForm().getByLabel('PIN').getAttribute('inputmode')).toBe('numeric')
    for (const name of ['Forgot your password?', 'Terms of Service', 'Privacy Policy']) {
      await t.page.getByRole('link', { name }).click()
      expect(new URL(t.page.url()).pathname + new URL(t.page.url()).hash).toBe('/login')
    }
  })

  test('a user can show and hide the password', async () => {
    const field = loginForm().getByLabel('Password', { exact: true })
    await field.fill('open sesame')
    expect(await field.getAttribute('type')).toBe('password')
    await loginForm().getByRole('button', { name: 'Show password' }).click()
    expect(await field.getAttribute('type')).toBe('text')
    await expect.poll(() => field.inputValue()).toBe('open sesame')
    await loginForm().getByRole('button', { name: 'Hide password' }).click()
    expect(await field.getAttribute('type')).toBe('password')
  })

  test('each empty field says that it is required', async () => {
    await loginForm().getByRole('button', { name: 'Login', exact: true }).click()
    await loginForm().getByText('Email or username is required').waitFor()
    await loginForm().getByText('Password is required').waitFor()
    await pinForm().getByRole('button').click()
    await pinForm().getByText('This field is required').waitFor()
    await turnToClock()
    await clockForm().getByRole('button', { name: 'Clock in', exact: true }).click()
    await clockForm().getByText('Username is required').waitFor()
    await clockForm().getByText('Password is required').waitFor()
    expect(await clockForm().getByLabel('Username').getAttribute('aria-invalid')).toBe('true')
  })
})

describe('signing in', () => {
  test('by email address, with a toast, into the shell', async () => {
    await tryPassword('maya@lorgnette.example', people.maya.password)
    await t.page.waitForURL((url) => url.pathname === '/')
    await toastSays(t.page, 'Login Successful', 'You have been successfully logged in.')
    expect((await storedTokens()).map((token) => typeof token)).toEqual(['string', 'string'])
  })

  test('by PIN, which takes digits only, after a sign-in with the password on this tablet', async () => {
    await signIn(t.page, t.server, 'maya')
    await t.page.goto(`${t.server.origin}/login`)
    await pinForm().getByLabel('PIN').pressSequentially('2a4-6 810')
    await expect.poll(() => pinForm().getByLabel('PIN').inputValue()).toBe('246810')
    await pinForm().getByRole('button').click()
    await t.page.waitForURL((url) => url.pathname === '/')
    await toastSays(t.page, 'Login Successful')
  })

  test('with a warning on the console that sign-ins are not assessed for risk', async () => {
    const told = t.page.waitForEvent('console', (message) => message.text().includes('not assessed for risk'))
    await tryPassword(people.ana.username, people.ana.password)
    expect((await told).type()).toBe('warning')
  })

  test('a wrong password shows in a toast and in the form, and the username stays', async () => {
    await tryPassword('maya', 'wrong')
    await toastSays(t.page, 'Login Failed', 'An error occurred during login. Please try again')
    await loginForm().getByText('An error occurred during login. Please try again.', { exact: true }).waitFor()
    await expect.poll(() => loginForm().getByLabel('Email or username').inputValue()).toBe('maya')
    expect(await storedTokens()).toEqual([null, null])
    // There is one toast at a time: the next one replaces it.
    await tryPassword('maya', people.maya.password)
    await toastSays(t.page, 'Login Successful')
  })

  test('without the server it gives the reason, and counts no wrong attempt', async () => {
    await t.page.route('**/api/auth/**', (route) => route.abort('internetdisconnected'))
    for (let attempt = 0; attempt < 4; attempt++) {
      await tryPassword('maya', people.maya.password)
      await loginForm().getByText('You’re offline.').waitFor()
    }
    await toastSays(t.page, 'Login Failed')
    await t.page.unroute('**/api/auth/**')
    await tryPassword('maya', people.maya.password)
    await t.page.waitForURL((url) => url.pathname === '/')
  })

  test('opens the page that the user asked for', async () => {
    await t.page.goto(`${t.server.origin}/inventory/count-sheets`)
    await t.page.waitForURL((url) => url.pathname === '/login')
    await tryPassword('ben', people.ben.password)
    await t.page.waitForURL((url) => url.pathname === '/inventory/count-sheets')
  })
})

test('visiting the login screen deletes the tokens', async () => {
  await signIn(t.page, t.server, 'ana')
  expect((await storedTokens()).every((token) => token !== null)).toBe(true)
  await t.page.goto(`${t.server.origin}/login`)
  await loginForm().waitFor()
  await until(storedTokens, (tokens) => tokens.every((token) => token === null), 'The tokens are gone')
})

describe('the lockout', () => {
  test('three wrong passwords block the form for a minute with a countdown, and the server blocks too', async () => {
    const before = t.page
    t.page = await t.tablet.context.newPage()
    onTestFinished(async () => {
      await t.page.close()
      t.page = before
    })
    await t.page.clock.install()
    await t.page.goto(`${t.server.origin}/login`)
    for (let attempt = 1; attempt <= 2; attempt++) {
      await tryPassword('ben', `wrong ${attempt}`)
      await loginForm().getByText('An error occurred during login. Please try again.', { exact: true }).waitFor()
    }
    await tryPassword('ben', 'wrong 3')
    await toastSays(t.page, 'Too Many Attempts', 'Your account has been temporarily blocked. Please try again in 60 seconds.')
    const button = loginForm().getByRole('button', { name: /^Try again in \d+s$/ })
    await button.waitFor()
    const seconds = async () => Number(/\d+/.exec((await button.textContent()) ?? '')?.[0])
    expect(await seconds()).toBeGreaterThan(50)

    await t.page.clock.fastForward(20_000)
    await until(seconds, (left) => left <= 40 && left > 25, 'The countdown goes on')
    // The button looks disabled, but still answers a press.
    await button.click({ force: true })
    await toastSays(t.page, 'Login Blocked', /Please wait \d+ seconds before trying again\./)

    // Turning the card does not end the block.
    await turnToClock()
    await t.page.getByRole('button', { name: 'Back to Login' }).click()
    await expect.poll(() => button.isVisible()).toBe(true)

    // This tablet's clock says that the minute is over. The server's clock does not.
    await t.page.clock.fastForward(45_000)
    await loginForm().getByRole('button', { name: 'Login', exact: true }).waitFor()
    await tryPassword('ben', people.ben.password)
    await toastSays(t.page, 'Login Blocked', /Please wait \d+ seconds before trying again\./)
    await button.waitFor()
  })

  test('the server blocks the user on this tablet only', async () => {
    const body = JSON.stringify({ username: 'ben', password: people.ben.password, recaptcha_token: 'development:login:elsewhere' })
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' }
    const answer = await fetch(`${t.server.origin}/api/auth/login`, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
  })

  test('a PIN gets instructions on a tablet where nobody has signed in with a password', async () => {
    const fresh = await openTablet()
    onTestFinished(() => fresh.close())
    const there = await pageOf(fresh)
    await there.goto(`${t.server.origin}/login`)
    const form = there.getByRole('form', { name: 'Express Login' })
    await form.getByLabel('PIN').fill(people.maya.pin)
    await form.getByRole('button').click()
    await form.getByText('Sign in with your password once on this tablet.').waitFor()
  })

  test('three wrong PINs block the PIN form alone', async () => {
    await signIn(t.page, t.server, 'maya')
    await t.page.goto(`${t.server.origin}/login`)
    for (let attempt = 1; attempt <= 2; attempt++) {
      await tryPin(`99999${attempt}`)
      await toastSays(t.page, 'Login Failed', 'Incorrect PIN. Please try again.')
      await pinForm().getByText('Incorrect PIN. Please try again.').waitFor()
      await expect.poll(() => pinForm().getByLabel('PIN').inputValue()).toBe('')
    }
    await tryPin('999993')
    await toastSays(t.page, 'Too Many Attempts')
    await pinForm()
      .getByRole('button', { name: /^Wait \d+s$/ })
      .waitFor()
    await expect.poll(() => loginForm().getByRole('button', { name: 'Login', exact: true }).isVisible()).toBe(true)
  })
})

describe('the clock on the back of the card', () => {
  const minuteMs = 60_000
  const dayMs = 24 * 60 * minuteMs
  // About two hours ago, but after the last shift of the demo clinic. Those end an hour and a half before midnight UTC
  // at the latest.
  const since = Math.max(Date.now() - (2 * 60 + 5) * minuteMs, Math.floor(Date.now() / dayMs) * dayMs - 90 * minuteMs)
  /** Matches the duration since then, now or in a minute. */
  const lasted = (words: (hours: number, minutes: number) => string) => {
    const minutes = Math.floor((Date.now() - since) / minuteMs)
    return `(?:${[minutes, minutes + 1].map((all) => words(Math.floor(all / 60), all % 60)).join('|')})`
  }

  test('clocks in and out, and shows the start and the length of the session', async () => {
    const made = await t.office.send('POST', '/api/timecard/corrections', {
      id: uuidv7(),
      supersedes: null,
      id_user: 3,
      direction: 'in',
      at: new Date(since).toISOString(),
      reason: 'Forgot to clock in',
    })
    expect(made.status).toBe(200)

    await turnToClock()
    // The form looks the user up when the field loses the focus.
    await clockForm().getByLabel('Username').fill('ana')
    await expect.poll(() => clockForm().getByRole('button', { name: 'Clock in', exact: true }).isVisible()).toBe(true)
    await clockForm().getByLabel('Username').blur()
    await clockForm().getByRole('button', { name: 'Clock Out', exact: true }).waitFor()
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', hour: '2-digit', minute: '2-digit' }).format(since)
    await expect
      .poll(() => clockForm().getByRole('status').textContent())
      .toMatch(new RegExp(`^Clocked in since ${clock} \\d\\d-\\d\\d-\\d{4}${lasted((hours, minutes) => `${hours} h ${minutes} min`)}$`))

    await clockForm().getByLabel('Password', { exact: true }).fill(people.ana.password)
    await clockForm().getByRole('button', { name: 'Clock Out', exact: true }).click()
    const duration = lasted((hours, minutes) => `${hours} h ${String(minutes).padStart(2, '0')} min`)
    await toastSays(t.page, new RegExp(`Clocked out at \\d\\d:\\d\\d \\d\\d-\\d\\d-\\d{4} after ${duration}`))

    await fillClock('ana')
    await clockForm().getByRole('button', { name: 'Clock in', exact: true }).click()
    await toastSays(t.page, /Clocked in at \d\d:\d\d \d\d-\d\d-\d{4}/)
  })

  test('a failed lookup shows no error', async () => {
    await t.page.route('**/api/timecard/session_status**', (route) => route.fulfill({ status: 500, body: 'no' }))
    await turnToClock()
    const asked = t.page.waitForResponse((response) => response.url().includes('session_status'))
    await clockForm().getByLabel('Username').fill('maya')
    await clockForm().getByLabel('Username').blur()
    await asked
    await expect.poll(() => clockForm().getByRole('button', { name: 'Clock in', exact: true }).isVisible()).toBe(true)
    expect(await clockForm().getByRole('alert').count()).toBe(0)
    expect(await toastOn(t.page).count()).toBe(0)
  })

  test('a toast reports a wrong password, and the third one blocks the form', async () => {
    await turnToClock()
    for (let attempt = 1; attempt <= 2; attempt++) {
      await fillClock('maya', `wrong ${attempt}`)
      await clockForm().getByRole('button', { name: 'Clock in', exact: true }).click()
      await clockForm().getByText('An error occurred while logging in. Please try again.').waitFor()
      await toastSays(t.page, 'Clock in error', 'An error occurred while logging in. Please try again.')
    }
    await fillClock('maya', 'wrong 3')
    await clockForm().getByRole('button', { name: 'Clock in', exact: true }).click()
    await toastSays(t.page, 'Too Many Attempts')
    await clockForm()
      .getByRole('button', { name: /^Wait \d+s$/ })
      .waitFor()
  })

  test('without the server it asks In or Out instead of guessing, and sends the punch later', async () => {
    await turnToClock()
    await until(
      () => keptOn<{ key: string }>(t.page, 'facts'),
      (facts) => facts.some(({ key }) => key === 'sealing-key'),
      'The tablet has the key to which it seals',
    )
    await t.server.stop()
    await fillClock('ana')
    await clockForm().getByRole('button', { name: 'Clock in', exact: true }).click()
    await clockForm().getByText('You’re offline. Are you clocking in or out?').waitFor()
    expect(
      await clockForm()
        .getByRole('button', { name: /^Clock (in|Out)$/ })
        .allTextContents(),
    ).toEqual(['Clock in', 'Clock Out'])
    await clockForm().getByRole('button', { name: 'Clock Out' }).click()
    await toastSays(t.page, 'Saved on this device: clocked out. It will be sent when you’re back online.')
    const waiting = t.page.getByText('1 entry on this device is waiting to send')
    await waiting.waitFor()

    await t.server.start()
    await t.page.evaluate(() => window.dispatchEvent(new Event('online')))
    await waiting.waitFor({ state: 'hidden' })
  })
})
