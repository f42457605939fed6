import type { SeededRandom } from '#server/demo/seeded-random.ts'
import { people, until } from '#tests/e2e/clinic.ts'
import { fullNames } from '#tests/e2e/count-room.ts'
import { scan } from '#tests/e2e/wedge-scanner.ts'
import { CutOff, firstLine, type FieldTablet } from '#tests/faults/field-tablet.ts'
import type { Figures } from '#tests/faults/figures.ts'
import type { Pressed, Pulled, PunchPressed } from '#tests/faults/oracle.ts'
import type { Act } from '#tests/faults/plan.ts'
import { wait } from '#tests/faults/network-faults.ts'

/** Longer than any act that gets an answer. A punch takes the longest. */
const longestActMs = 90_000

/** The people of one round, with a memory of their acts and the screens' answers. */
export class People {
  readonly pulled: Pulled[] = []
  readonly pressed: Pressed[] = []
  readonly punched: PunchPressed[] = []
  readonly #labels: string[]
  readonly #tell: (text: string) => void
  readonly #figures: Figures
  #mayRest = false
  #serial = 0

  /** @param labels each is scanned once at most, in an order that `random` draws */
  constructor(labels: readonly string[], random: SeededRandom, tell: (text: string) => void, figures: Figures) {
    this.#labels = random.shuffled(labels)
    this.#tell = tell
    this.#figures = figures
  }

  /** Finishes the current acts and starts no more. */
  rest(): void {
    this.#mayRest = true
  }

  /** Repeats the acts at one window until `rest`. */
  async work(tablet: FieldTablet, index: number, acts: readonly Act[], sheet: string): Promise<void> {
    for (let turn = 0; !this.#mayRest;) {
      const act = acts[turn % acts.length]
      if (!act) return
      const life = tablet.life
      try {
        if (!tablet.isAtWork(index, sheet) && !(await soon(tablet.sitDown(index, sheet)))) continue
        turn += 1
        if (act.kind === 'hand-over') {
          // A hand-over happens once. When the list repeats, the last person keeps the tablet.
          if (turn <= acts.length) {
            this.#figures.handOvers += 1
            await tablet.handOver(act.to)
          }
        } else {
          await tablet.turns.together(async () => {
            if (tablet.isAtWork(index, sheet)) await soon(this.#act(tablet, index, act))
          })
        }
      } catch (error) {
        if (!(error instanceof CutOff)) this.#figures.cutOff += 1
        const isDeath = tablet.life !== life || error instanceof CutOff
        if (!isDeath) {
          this.#tell(`tablet ${tablet.name}, window ${index}: ${act.kind} was cut off, ${firstLine(error)}`)
          // An open dialog is left behind.
          await tablet.leave(index)
        }
        await wait(200)
      }
    }
  }

  async #act(tablet: FieldTablet, index: number, act: Act): Promise<void> {
    const page = tablet.window(index)
    const author = fullNames[tablet.person]
    const { name } = tablet
    switch (act.kind) {
      case 'scan': {
        const codes = this.#labels.splice(0, act.labels)
        return await this.#scanAll(tablet, index, codes, act.perSecond)
      }
      case 'stray':
        return await this.#scanAll(tablet, index, [`NX-${name}${index}-${++this.#serial}`], 1)
      case 'undo': {
        const pressed: Pressed = { tablet: name, what: 'undo', text: '', author, told: false }
        this.pressed.push(pressed)
        await page.getByRole('button', { name: 'Undo last' }).first().click()
        return
      }
      case 'note': {
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('menuitem', { name: 'Notes' }).click()
        const text = `Note ${++this.#serial} of ${author} on tablet ${name}`
        await page.getByLabel('Notes for this count').fill(text)
        return await this.#press({ tablet: name, what: 'note', text, author, told: false }, async () => {
          await page.getByRole('button', { name: 'Save notes' }).click()
          await page.getByRole('dialog', { name: 'Notes' }).waitFor({ state: 'detached' })
        })
      }
      case 'recount': {
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('menuitem', { name: 'Recount' }).click()
        return await this.#press({ tablet: name, what: 'recount', text: '', author, told: false }, async () => {
          const start = page.getByRole('button', { name: /^Start walk/ })
          await start.click()
          await start.waitFor({ state: 'detached' })
        })
      }
      case 'punch':
        return await this.#punch(tablet, index, act.direction)
      case 'close-window':
        this.#figures.windowsClosed += 1
        return await tablet.closeWindow(index)
      case 'rest':
        return await wait(act.ms)
      case 'hand-over':
        throw new Error('A tablet is handed over while nobody works at it')
    }
  }

  async #press(pressed: Pressed, work: () => Promise<void>): Promise<void> {
    this.pressed.push(pressed)
    await work()
    pressed.told = true
  }

  async #scanAll(tablet: FieldTablet, index: number, codes: readonly string[], perSecond: number): Promise<void> {
    const page = tablet.window(index)
    const author = fullNames[tablet.person]
    const sent: Promise<void>[] = []
    let failure: unknown
    for (const code of codes) {
      this.pulled.push({ tablet: tablet.name, code, author, at: Date.now() })
      const one = scan(page, code)
      // The rejection is thrown below. Until then this handler keeps it from counting as unhandled.
      one.catch((error: unknown) => (failure ??= error))
      sent.push(one)
      await wait(1000 / perSecond)
      if (failure) break
    }
    await Promise.all(sent)
  }

  async #punch(tablet: FieldTablet, index: number, wanted: 'in' | 'out'): Promise<void> {
    const page = tablet.window(index)
    const { username, password } = people[tablet.person]
    await page.goto(`${tablet.origin}/time-clock`, { waitUntil: 'commit' })
    const card = page.getByRole('region', { name: 'Clock In/Out' })
    await card.getByLabel(/^Password of/).fill(password)
    const button = (direction: 'in' | 'out') =>
      card.getByRole('button', { name: direction === 'in' ? 'Clock in' : 'Clock Out', exact: true })
    await button('in').or(button('out')).first().waitFor()
    const direction = (await button(wanted).count()) > 0 ? wanted : wanted === 'in' ? 'out' : 'in'
    const punch: PunchPressed = { tablet: tablet.name, username, from: Date.now(), until: Number.POSITIVE_INFINITY, told: null }
    this.punched.push(punch)
    try {
      await button(direction).click()
      punch.told = await until(
        async () => judgePunch(await card.innerText()),
        (told) => told !== null,
        'The clock said nothing',
        60_000,
      )
    } finally {
      punch.until = Date.now()
    }
  }
}

/** A browser that dies may never answer a request from that moment, not even with an error. */
async function soon<T>(work: Promise<T>): Promise<T> {
  let limit: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error('it was never answered')), longestActMs)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(limit))
}

function judgePunch(text: string): PunchPressed['told'] {
  if (/Saved on this device: clocked|Clocked (in|out) at/.test(text)) return 'kept'
  if (/You’ve been clocked in since|You weren’t clocked in\./.test(text)) return 'already'
  if (/NOT SAVED|Wrong username|hasn’t connected|Please wait|error/i.test(text)) return 'refused'
  return null
}
