/** Times in ms of one contestant, by the block in which they were taken. The blocks of all contestants are interleaved. */
export type Blocks = number[][]

export type Spread = { n: number; p50: number; p95: number; p99: number }

export function at(share: number, values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export function spreadOf(blocks: Blocks): Spread {
  const all = blocks.flat()
  return { n: all.length, p50: at(0.5, all), p95: at(0.95, all), p99: at(0.99, all) }
}

export type PairedRatio = { median: number; low: number; high: number }

/**
 * The ratio of a contestant's time to the reference's, block by block: a busy moment of the machine is in both.
 * The median of the blocks' ratios, with the tenth and the ninetieth of a hundred.
 */
export function pairedRatio(blocks: Blocks, reference: Blocks): PairedRatio {
  const ratios = blocks.flatMap((block, index) => {
    const other = reference[index]
    return other && other.length > 0 && block.length > 0 ? [at(0.5, block) / at(0.5, other)] : []
  })
  return { median: at(0.5, ratios), low: at(0.1, ratios), high: at(0.9, ratios) }
}

/** The same for the slow end, of all blocks together: one block has too few values. */
export function ratioAt(share: number, blocks: Blocks, reference: Blocks): number {
  return at(share, blocks.flat()) / at(share, reference.flat())
}
