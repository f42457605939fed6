import type { SignInNotice } from '#contract/tablets.ts'
import { formatDateTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'

/** What of signing in a manager must hear of: wrong PINs without end, and new PINs. */
export function SignInNotices({ notices, timeZone }: { notices: readonly SignInNotice[]; timeZone: string | undefined }) {
  if (notices.length === 0) return null
  return (
    <section aria-label="Sign-in notices">
      <Notice tone={notices.some(({ kind }) => kind !== 'pin.new') ? 'warn' : 'info'} title="About signing in, in the last 14 days">
        <ul className="mt-1 flex list-disc flex-col gap-1 pl-5">
          {notices.map((notice) => (
            <li key={notice.id}>
              <NoticeWords notice={notice} timeZone={timeZone} />
            </li>
          ))}
        </ul>
      </Notice>
    </section>
  )
}

function NoticeWords({ notice, timeZone }: { notice: SignInNotice; timeZone: string | undefined }) {
  const at = formatDateTime(notice.at, timeZone)
  const until = notice.until === null ? '' : ` until ${formatDateTime(notice.until, timeZone)}`
  const tablet = notice.tablet_name === null ? 'a tablet' : <bdi>{notice.tablet_name}</bdi>
  switch (notice.kind) {
    case 'pin.new':
      return (
        <>
          {at}: <bdi>{notice.person_name ?? 'Somebody'}</bdi> has a new PIN. Ask them whether they made it.
        </>
      )
    case 'pin.blocked-tablet':
      return (
        <>
          {at}: too many PINs were wrong on {tablet}. PINs are off there{until}; passwords work.
        </>
      )
    case 'pin.blocked':
      return (
        <>
          {at}: too many PINs were wrong on several tablets, the last on {tablet}. PINs are off everywhere{until}; passwords work.
        </>
      )
  }
}
