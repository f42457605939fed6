import { useEffect, useState } from 'react'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { formatDate } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'

/** Says what a sign-in opens while there is no connection. */
export function OfflineWords() {
  const device = useDevice()
  const [offers, setOffers] = useState<{ password: number | null; pin: number | null } | null>(null)
  useEffect(() => {
    let gone = false
    device
      .offline()
      .then((offline) => offline.offers())
      .then(
        (found) => gone || setOffers(found),
        () => undefined,
      )
    return () => {
      gone = true
    }
  }, [device])
  if (!offers) return null
  const { password, pin } = offers
  if (password === null && pin === null) {
    return (
      <Notice tone="warn" title="No connection">
        No one has signed in on this tablet recently, so you need a connection to sign in. You can still clock in and out.
      </Notice>
    )
  }
  return (
    <Notice tone="info" title="No connection">
      <p>Anyone who signed in here in the last 14 days can sign in offline.</p>
      <ul className="mt-1 list-disc pl-5">
        {password !== null && <li>Your password opens everything on this tablet until {formatDate(password)} at the latest.</li>}
        {pin !== null && (
          <li>Your PIN opens counting and the time clock until {formatDate(pin)} at the latest. It doesn’t open patients.</li>
        )}
      </ul>
      <p className="mt-1">Your work is saved. It will be sent when you’re back online and signed in.</p>
    </Notice>
  )
}
