import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, CloudOff, Download, KeyRound, LoaderCircle, RefreshCw, TriangleAlert, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { useConnection } from '#src/sync/react/device-context.tsx'
import { softTones, type Tone } from '#src/ui/tone.ts'
import { chipWords, type ChipKind } from './model/chip-words.ts'
import { useNow } from './hooks/use-now.ts'

const looks: Record<ChipKind, { tone: Tone; icon: ReactNode }> = {
  connecting: { tone: 'neutral', icon: <LoaderCircle size={18} aria-hidden /> },
  online: { tone: 'good', icon: <CircleCheck size={18} aria-hidden /> },
  offline: { tone: 'warn', icon: <CloudOff size={18} aria-hidden /> },
  sending: { tone: 'info', icon: <RefreshCw size={18} aria-hidden /> },
  waiting: { tone: 'info', icon: <Upload size={18} aria-hidden /> },
  stalled: { tone: 'bad', icon: <TriangleAlert size={18} aria-hidden /> },
  attention: { tone: 'bad', icon: <CircleAlert size={18} aria-hidden /> },
  'sign-in': { tone: 'warn', icon: <KeyRound size={18} aria-hidden /> },
  update: { tone: 'warn', icon: <Download size={18} aria-hidden /> },
}

/** Shows the connection and the unsent work in the header. It leads to the sync center. */
export function SyncChip() {
  const connection = useConnection((state) => state)
  const now = useNow(30_000)
  const { kind, text, age, announcement } = chipWords(connection, now)
  const [before = '', after = ''] = age === undefined ? [text] : text.split(`, ${age}`)
  const { tone, icon } = looks[kind]
  return (
    <>
      <Link
        to="/sync"
        aria-label={`${text}. Open the Sync center`}
        className={`figures inline-flex min-h-target min-w-target shrink-0 items-center justify-center gap-2 rounded-md px-3 text-sm font-medium whitespace-nowrap ${softTones[tone]}`}
      >
        {icon}
        <span className="max-xl:max-w-40 max-xl:truncate max-lg:max-w-28">
          {before}
          {age !== undefined && <span className="max-xl:sr-only">, {age}</span>}
          {after}
        </span>
      </Link>
      <span role="status" aria-live="polite" className="sr-only">
        {announcement}
      </span>
    </>
  )
}
