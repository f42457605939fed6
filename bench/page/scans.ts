import { openDexie } from './dexie-store.ts'
import { openOurDevice } from './our-device.ts'
import { mirrorName } from './our-store.ts'
import { openRaw } from './raw-store.ts'
import { fetchStock } from './fills.ts'
import { deleteDatabase } from './row-store.ts'
import { breathe, inTurn, timedEach } from './timing.ts'

const hotName = 'bench-hot'

/** Scan to durable: from the code until the disk has it. Interleaved blocks; ms by contestant and block. */
export async function scan(blocks: string[][]): Promise<Record<string, number[][]>> {
  await deleteDatabase(hotName)
  const device = await openOurDevice(hotName, mirrorName)
  await device.frames.ready()
  const raw = await openRaw()
  const dexie = await openDexie()
  const contestants = [
    { name: 'ours', scan: device.scan },
    { name: 'raw', scan: raw.scan },
    { name: 'dexie', scan: dexie.scan },
  ]
  const times: Record<string, number[][]> = { ours: [], raw: [], dexie: [] }
  for (const [round, codes] of [blocks[0] ?? [], ...blocks].entries()) {
    for (const { name, scan: save } of inTurn(contestants, round)) {
      const block = await timedEach(codes, save)
      if (round > 0) times[name]?.push(block)
      await breathe()
    }
  }
  await device.close()
  await raw.close()
  await dexie.close()
  return times
}

/**
 * The same beside a refresh of 20,000 rows, and quiet in between: ours into the mirror, and row by row in one database,
 * 500 rows a transaction. One block is one refresh with as many scans as fit beside it.
 */
export async function scanDuringRefresh(rounds: number, codes: string[], refreshed: number): Promise<Record<string, number[][]>> {
  await deleteDatabase(hotName)
  const { frames, columns, pages } = await fetchStock()
  const device = await openOurDevice(hotName, mirrorName)
  await device.frames.ready()
  const raw = await openRaw()
  const times: Record<string, number[][]> = { quiet: [], refreshing: [], 'raw quiet': [], 'raw refreshing': [] }
  const revision = columns.indexOf('revision')
  const cursor = await device.frames.cursor()
  let next = 0
  const code = () => codes[next++ % codes.length] ?? ''

  async function beside(work: Promise<unknown>, save: (code: string) => Promise<void>): Promise<number[]> {
    let isOver = false
    const end = work.finally(() => (isOver = true))
    const block: number[] = []
    while (!isOver) block.push(...(await timedEach([code()], save)))
    await end
    return block
  }

  async function refreshOurs(round: number) {
    for (let from = 0; from < refreshed; from += 2000) {
      const page = pages[((round * refreshed + from) / 2000) % pages.length] ?? []
      const rows = page.map((row) => row.map((value, index) => (index === revision ? round + 2 : value)))
      await device.frames.applyPage({ columns, rows, removed: [], cursor: `refresh ${from}`, epoch: cursor?.epoch ?? '' })
    }
    await device.frames.fold()
  }

  async function refreshRaw() {
    for (let from = 0; from < refreshed; from += 500) await raw.put(frames.slice(from, from + 500))
  }

  for (let round = 0; round < rounds; round++) {
    const quiet = codes.slice(0, 40)
    times['quiet']?.push(await timedEach(quiet, device.scan))
    await breathe(200)
    times['refreshing']?.push(await beside(refreshOurs(round), device.scan))
    await breathe(200)
    times['raw quiet']?.push(await timedEach(quiet, raw.scan))
    if (round < 2) times['raw refreshing']?.push(await beside(refreshRaw(), raw.scan))
    await breathe(200)
  }
  await device.close()
  await raw.close()
  return times
}
