import type { ReactNode } from 'react'
import { softTones, type Tone } from './tone.ts'

/** A state in one word, with its icon. `wraps` for one that also has a user's words. */
export function Badge({
  tone = 'neutral',
  icon,
  wraps = false,
  children,
}: {
  tone?: Tone
  icon?: ReactNode
  wraps?: boolean
  children: ReactNode
}) {
  return (
    <span
      className={`inline-flex min-h-6 shrink-0 items-center gap-1.5 rounded-sm px-2 text-xs font-semibold [&_svg]:size-3.5 [&_svg]:shrink-0 ${wraps ? 'max-w-full py-0.5' : 'whitespace-nowrap'} ${softTones[tone]}`}
    >
      {icon}
      {children}
    </span>
  )
}
