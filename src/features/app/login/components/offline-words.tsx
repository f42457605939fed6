import { useEffect, useState } from 'react'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { untilWords } from '#src/features/app/login/model/without-server.ts'
import { Notice } from '#src/ui/notice.tsx'

/** What signing in means as long as there is no connection. */
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
        Nobody has signed in on this tablet lately, so signing in needs a connection. Clocking in and out works without one.
      </Notice>
    )
  }
  return (
    <Notice tone="info" title="No connection">
      <p>Whoever signed in on this tablet within the last 14 days can sign in now.</p>
      <ul className="mt-1 list-disc pl-5">
        {password !== null && <li>Your password opens all that is kept on this tablet, until {untilWords(password)} at the latest.</li>}
        {pin !== null && <li>Your PIN opens counting and the clock, until {untilWords(pin)} at the latest. It does not open patients.</li>}
      </ul>
      <p className="mt-1">What you do is kept. It is sent when there is a connection and you have signed in with it.</p>
    </Notice>
  )
}
