import { Archive, CircleCheck, CircleHelp, CircleSlash, Handshake, Truck, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from './badge.tsx'
import type { Tone } from './tone.ts'

type Look = { tone: Tone; icon: ReactNode }

const looks = {
  'Ready for Sale': { tone: 'good', icon: <CircleCheck aria-hidden /> },
  Defective: { tone: 'warn', icon: <Wrench aria-hidden /> },
  Missing: { tone: 'bad', icon: <CircleHelp aria-hidden /> },
  ICT: { tone: 'info', icon: <Truck aria-hidden /> },
  Removed: { tone: 'neutral', icon: <CircleSlash aria-hidden /> },
  Sold: { tone: 'aside', icon: <Handshake aria-hidden /> },
  'On Hold': { tone: 'aside', icon: <Archive aria-hidden /> },
} satisfies Record<string, Look>

/** The status of a frame: a word, a color and an icon. */
export function StatusBadge({ status }: { status: keyof typeof looks }) {
  const { tone, icon }: Look = looks[status]
  return (
    <Badge tone={tone} icon={icon}>
      {status}
    </Badge>
  )
}
