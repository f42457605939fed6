import type { HotDatabase } from '#src/db/hot/hot.ts'

/** After this many wrong tries in a row, the boxes that were tried are deleted. */
export const mostWrong = 10
const firstPauseMs = 30_000
/** The number of wrong tries without a pause. */
const forgiven = 2
const longestPauseMs = firstPauseMs * 2 ** (mostWrong - forgiven)

type Tries = { wrong: number; not_before: number }

export type Turn = { kind: 'go'; left: number } | { kind: 'wait'; seconds: number } | { kind: 'spent' }

const factOf = (lot: string) => `offline-tries ${lot}`

/**
 * Counts a try before it is made, so that killing the page does not save it. `lot` names the boxes that are tried
 * together; `left` is the number of tries left if this one is wrong.
 */
export async function takeTurn(hot: HotDatabase, lot: string, now: number): Promise<Turn> {
  return await hot.transaction('rw', hot.facts, async (): Promise<Turn> => {
    const { wrong, not_before } = await triesOf(hot, lot)
    if (wrong >= mostWrong) return { kind: 'spent' }
    // A clock that was set back must not keep a user out for longer than the longest pause.
    const waitMs = Math.min(not_before - now, longestPauseMs)
    if (waitMs > 0) return { kind: 'wait', seconds: Math.ceil(waitMs / 1000) }
    const counted = wrong + 1
    const pauseMs = counted > forgiven ? firstPauseMs * 2 ** (counted - forgiven - 1) : 0
    await hot.facts.put({ key: factOf(lot), value: { wrong: counted, not_before: now + pauseMs } satisfies Tries })
    return { kind: 'go', left: mostWrong - counted }
  })
}

export async function forgetTries(hot: HotDatabase, lot: string): Promise<void> {
  await hot.facts.delete(factOf(lot))
}

async function triesOf(hot: HotDatabase, lot: string): Promise<Tries> {
  const value = (await hot.facts.get(factOf(lot)))?.value
  return typeof value === 'object' && value !== null && 'wrong' in value && 'not_before' in value
    ? { wrong: Number(value.wrong), not_before: Number(value.not_before) }
    : { wrong: 0, not_before: 0 }
}
