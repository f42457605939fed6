import { afterAll, describe, expect, inject, test } from 'vitest'
import { noFigures, type Figures } from '#tests/faults/figures.ts'
import { openLab, type Engine, type Lab } from '#tests/faults/lab.ts'
import { planRound, type Kills } from '#tests/faults/plan.ts'

/** `npm run faults` sets the rounds. Without it, each engine gets a short run. */
const wanted = process.env['LORGNETTE_FAULT_ROUNDS']
const rounds = Number(wanted ?? '2')
const kills: Kills | undefined = wanted === undefined ? { tablet: 1, server: 2 } : undefined
const seed = process.env['LORGNETTE_TEST_SEED'] ?? 'a rough day'

const only = process.env['LORGNETTE_FAULT_ENGINE']
const engines = (['pglite', 'postgres'] satisfies Engine[]).filter((engine) => only === undefined || only === engine)
const total: Figures = { ...noFigures }
afterAll(() => {
  console.log(
    `Seed “${seed}”\n${Object.entries(total)
      .map(([name, figure]) => `${String(figure).padStart(8)} ${name}`)
      .join('\n')}`,
  )
})

describe.each(engines.slice(0, rounds))('The fault lab on %s', (engine) => {
  const turns = Array.from({ length: rounds }, (_, number) => number).filter((number) => engines[number % engines.length] === engine)
  let lab: Lab | null = null

  async function leave() {
    if (!lab) return
    const leaving = lab
    lab = null
    for (const name of Object.keys(total) as (keyof Figures)[]) total[name] += leaving.figures[name]
    await leaving.close()
  }
  afterAll(leave)

  test.for(turns)('round %i: nothing is lost, doubled or reported wrongly', async (number) => {
    const plan = planRound(`${seed} ${number}`, kills)
    lab ??= await openLab(engine, inject('demoClinic'))
    try {
      const faults = await lab.play(plan)
      if (faults.length > 0) console.error(faults.join('\n'))
      expect(faults).toEqual([])
      // A long run reports each round, because its operator may stop it.
      console.log(`${engine}: ${JSON.stringify(lab.figures)}`)
    } catch (error) {
      console.error(`Seed “${plan.seed}” on ${engine}. The same seed is the same plan, but its moments are real time.\n${lab.story()}`)
      // The next rounds must not find the same faults again.
      await leave()
      throw error
    }
  })
})
