import { openStore, type Contestant } from './fills.ts'
import type { RowStore } from './row-store.ts'
import { breathe, inTurn, timedEach } from './timing.ts'

export type Question = 'get' | 'beginning' | 'containing'

/**
 * The same questions to every contestant, in interleaved blocks.
 * @param blocks the codes of each block
 * @returns ms by contestant and block
 */
export async function ask(question: Question, contestants: Contestant[], blocks: string[][]): Promise<Record<string, number[][]>> {
  const stores: { name: Contestant; answer: (code: string) => Promise<unknown>; store: RowStore }[] = []
  for (const name of contestants) {
    const store = await openStore[name]()
    const answer = store[question]
    if (!answer) throw new Error(`${name} cannot answer ${question}`)
    stores.push({ name, answer, store })
  }
  const times: Record<string, number[][]> = Object.fromEntries(contestants.map((name) => [name, []]))
  // The first block warms everything up and is thrown away.
  for (const [round, codes] of [blocks[0] ?? [], ...blocks].entries()) {
    for (const { name, answer } of inTurn(stores, round)) {
      const block = await timedEach(codes, answer)
      if (round > 0) times[name]?.push(block)
      await breathe()
    }
  }
  for (const { store } of stores) await store.close()
  return times
}
