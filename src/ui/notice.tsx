import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { softTones, type Tone } from './tone.ts'

export type NoticeTone = Extract<Tone, 'good' | 'warn' | 'bad' | 'info' | 'neutral'>

const icons = { good: CircleCheck, warn: TriangleAlert, bad: CircleAlert, info: Info, neutral: Info }
const edges: Record<NoticeTone, string> = {
  good: 'border-good',
  warn: 'border-warn',
  bad: 'border-bad',
  info: 'border-info',
  neutral: 'border-line-strong',
}

/** A message in its place on the page. `bad` interrupts a screen reader, the others wait their turn. */
export function Notice({
  tone = 'info',
  title,
  children,
  actions,
}: {
  tone?: NoticeTone
  title?: ReactNode
  children?: ReactNode
  actions?: ReactNode
}) {
  const Icon = icons[tone]
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`flex items-start gap-3 rounded-md border-l-2 px-4 py-3 ${softTones[tone]} ${edges[tone]}`}
    >
      <Icon size={20} aria-hidden className="mt-px shrink-0" />
      <div className="min-w-0 flex-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className="text-ink">{children}</div>}
        {actions && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  )
}
