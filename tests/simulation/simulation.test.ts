import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const commandLine = path.join(import.meta.dirname, 'simulate.mjs')
const firstSeed = process.env['LORGNETTE_TEST_SEED'] ?? '1'
/** An eighth of a second each on two cores; `npm run simulate` plays as many as one likes. */
const histories = process.env['LORGNETTE_SIMULATION_HISTORIES'] ?? '2000'

/** Plays in processes of its own, because there time itself is replaced. */
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

test('the same seed is the same history, to the last request', async () => {
  const { code, said } = await simulate('--seed', firstSeed, '--histories', '20', '--twice')
  expect(code, said).toBe(0)
})

test('a planted bug is found', async () => {
  const { code, said } = await simulate('--planted', '--bug', 'an ended session discards what was being sent', '--histories', '30')
  expect(code, said).toBe(0)
})

test('days on which everything goes wrong break no promise', async () => {
  const { code, said } = await simulate('--seed', firstSeed, '--histories', histories)
  expect(code, said).toBe(0)
})
