/** Times of one kind of work, ms. Every one of them is kept, so the percentiles are exact. */
export type Spread = { kind: string; n: number; p50: number; p95: number; p99: number; p999: number; max: number }

export class Latencies {
  readonly #times = new Map<string, number[]>()

  record(kind: string, ms: number): void {
    const times = this.#times.get(kind)
    if (times) times.push(ms)
    else this.#times.set(kind, [ms])
  }

  spreads(): Spread[] {
    return [...this.#times].map(([kind, times]) => spreadOf(kind, times)).sort((a, b) => a.kind.localeCompare(b.kind))
  }
}

function spreadOf(kind: string, times: readonly number[]): Spread {
  const sorted = [...times].sort((a, b) => a - b)
  // The shortest time that this share of all did not exceed.
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
  return { kind, n: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), p999: at(0.999), max: at(1) }
}

/** How often each answer was given: `push 200`, `pull no answer`. */
export class Answers {
  readonly counts: Record<string, number> = {}

  note(kind: string, status: number | 'no answer'): void {
    const key = `${kind} ${status}`
    this.counts[key] = (this.counts[key] ?? 0) + 1
  }
}
