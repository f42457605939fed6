import type { ReactNode } from 'react'
import { formatCount } from './format.ts'
import type { Tone } from './tone.ts'

const fills: Record<Extract<Tone, 'accent' | 'good' | 'warn'>, string> = {
  accent: 'bg-accent',
  good: 'bg-good-solid',
  warn: 'bg-warn-solid',
}

/** Progress on a graduated scale, always with its numbers. */
export function ProgressBar({
  label,
  done,
  total,
  tone = 'accent',
  note,
  size = 'md',
  bare = false,
}: {
  label: string
  done: number
  /** Null when it is not known yet. */
  total: number | null
  tone?: keyof typeof fills
  /** Shows at the right: an estimate, a speed. */
  note?: ReactNode
  size?: 'sm' | 'md'
  /** Only the scale, when its words and numbers are beside it already. */
  bare?: boolean
}) {
  const share = total === null ? 0 : total === 0 ? 1 : Math.min(1, done / total)
  return (
    <div className="flex flex-col gap-1">
      <div className={bare ? 'hidden' : 'flex items-baseline justify-between gap-4 text-sm'}>
        <span className="truncate text-ink-2">{label}</span>
        <span className="figures whitespace-nowrap">
          <strong className="font-semibold">{formatCount(done)}</strong>
          {total !== null && <span className="text-ink-3"> of {formatCount(total)}</span>}
          {note && <span className="text-ink-3"> · {note}</span>}
        </span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total ?? undefined}
        aria-valuenow={total === null ? undefined : Math.min(done, total)}
        aria-valuetext={total === null ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`}
        className={`relative overflow-hidden rounded-sm bg-sunken ${size === 'sm' ? 'h-1.5' : 'h-3 graduated'}`}
      >
        <div
          className={`h-full origin-left transition-transform ${fills[tone]} ${total === null ? 'animate-breathe' : ''}`}
          style={{ transform: `scaleX(${total === null ? 1 : share})` }}
        />
      </div>
    </div>
  )
}
