import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const commandLine = path.join(import.meta.dirname, 'simulate.mjs')
const firstSeed = process.env['LORGNETTE_TEST_SEED'] ?? '1'
/** Three ranges of seeds. The second adds locked and revoked tablets, the third batches that are too large. */
const seeds = [0, 200_000, 400_000].map((more) => Number(firstSeed) + more).join(',')
/** `npm run test:all` plays 2,000, `npm run simulate` any number. */
const histories = process.env['LORGNETTE_SIMULATION_HISTORIES'] ?? '200'
/** A hundred histories are too few for the rarest fault. */
const isLong = Number(histories) >= 200

/** Plays in other processes, because time itself is replaced there. */
function simulate(...options: string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const player = spawn(process.execPath, [commandLine, ...options])
    let said = ''
    const hear = (part: Buffer) => void (said += part.toString())
    player.stdout.on('data', hear)
    player.stderr.on('data', hear)
    player.on('error', reject)
    player.on('exit', (code) => resolve({ code, said }))
  })
}

test('the same seed gives the same history, to the last request', async () => {
  const { code, said } = await simulate('--seed', firstSeed, '--histories', '20', '--twice')
  expect(code, said).toBe(0)
})

test('a run finds a planted bug', async () => {
  const { code, said } = await simulate('--planted', '--bug', 'an ended session discards what was being sent', '--histories', '30')
  expect(code, said).toBe(0)
})

test('days full of faults break no promise, and every kind of fault happens at least once', async () => {
  const { code, said } = await simulate('--seed', seeds, '--histories', histories, ...(isLong ? ['--all-kinds'] : []))
  expect(code, said).toBe(0)
})
