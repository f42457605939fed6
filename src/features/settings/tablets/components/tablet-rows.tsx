import { Ban, CircleCheck, LogOut, RefreshCw, Upload, UserCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Tablet } from '#contract/people/tablets.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatAge, formatNumberOf } from '#src/ui/format.ts'
import type { Tone } from '#src/ui/tone.ts'
import type { TabletList } from '../queries.ts'

const sessions: Record<Tablet['session'], { tone: Tone; word: string; icon: ReactNode }> = {
  open: { tone: 'good', word: 'Signed in', icon: <UserCheck aria-hidden /> },
  ended: { tone: 'neutral', word: 'Signed out', icon: <LogOut aria-hidden /> },
  revoked: { tone: 'warn', word: 'Revoked', icon: <Ban aria-hidden /> },
}
/** Work that stays on a tablet for longer than this is marked. */
const longMs = 60 * 60_000

export function tabletHeadingId({ id_tablet }: Pick<Tablet, 'id_tablet'>): string {
  return `tablet-${id_tablet}`
}

export type TabletRowsProps = {
  tablets: readonly Tablet[]
  /** The server's time for computing ages, and its app version. */
  list: Pick<TabletList, 'server_time' | 'app_version'>
  /** The id of this tablet. */
  ownId: string
  /** Null while nothing can be revoked. */
  onRevoke: ((tablet: Tablet) => void) | null
}

/** The list of one store's tablets. */
export function TabletRows({ tablets, list, ownId, onRevoke }: TabletRowsProps) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {tablets.map((tablet) => (
        <li key={tablet.id_tablet} className="grid gap-x-6 gap-y-3 px-4 py-4 lg:grid-cols-[minmax(0,1fr)_15rem_6rem] lg:items-center">
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-2">
              <h3 id={tabletHeadingId(tablet)} tabIndex={-1} className="font-semibold wrap-anywhere">
                {tablet.name}
              </h3>
              <SessionBadge session={tablet.session} />
              {tablet.id_tablet === ownId && <Badge tone="accent">This tablet</Badge>}
            </div>
            <p className="mt-1 wrap-anywhere text-ink-2">
              <bdi>{tablet.person_name}</bdi>, <span className="figures">{agoAt(list.server_time, tablet.last_seen_at)}</span>
            </p>
            {tablet.session === 'revoked' && (
              <p className="mt-1 text-sm text-ink-2">
                {tablet.unsent > 0
                  ? 'Its unsent work stays on it and waits for a manager after the next sign-in there.'
                  : 'No one has signed in since.'}
              </p>
            )}
          </div>
          <div className="flex flex-col items-start gap-1">
            <Held tablet={tablet} now={list.server_time} />
            <Version tablet={tablet} offered={list.app_version} />
          </div>
          {tablet.session === 'open' && tablet.id_tablet !== ownId && (
            <Button disabled={onRevoke === null} onClick={() => onRevoke?.(tablet)} aria-label={`Revoke ${tablet.name}`}>
              Revoke
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function SessionBadge({ session }: Pick<Tablet, 'session'>) {
  const { tone, word, icon } = sessions[session]
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  )
}

function Held({ tablet, now }: { tablet: Tablet; now: string }) {
  if (tablet.unsent === 0) {
    return (
      <Badge tone="good" icon={<CircleCheck aria-hidden />}>
        Nothing unsent
      </Badge>
    )
  }
  const ageMs = tablet.oldest_unsent_at === null ? null : Date.parse(now) - Date.parse(tablet.oldest_unsent_at)
  return (
    <Badge tone={ageMs !== null && ageMs > longMs ? 'warn' : 'info'} icon={<Upload aria-hidden />} wraps>
      {heldWords(tablet.unsent, ageMs)}
    </Badge>
  )
}

/** Returns a text like `3 unsent, oldest 2 hr`. */
export function heldWords(unsent: number, oldestAgeMs: number | null): string {
  return `${formatNumberOf(unsent, 'unsent', 'unsent')}${oldestAgeMs === null ? '' : `, oldest ${formatAge(oldestAgeMs)}`}`
}

function Version({ tablet, offered }: { tablet: Tablet; offered: string }) {
  if (tablet.app_version === null) return <p className="text-sm text-ink-3">Version unknown</p>
  if (tablet.app_version === offered) return <p className="text-sm text-ink-3">Version {offered}</p>
  return (
    <Badge tone="info" icon={<RefreshCw aria-hidden />} wraps>
      Version {tablet.app_version}, server has {offered}
    </Badge>
  )
}

function agoAt(now: string, then: string): string {
  const ms = Date.parse(now) - Date.parse(then)
  return ms < 60_000 ? 'seen just now' : `seen ${formatAge(ms)} ago`
}
