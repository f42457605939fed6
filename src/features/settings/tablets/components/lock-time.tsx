import { type SyntheticEvent, useState } from 'react'
import { lockTime } from '#contract/settings/lock-time.ts'
import type { Failure } from '#src/api/outcome.ts'
import { saveLockMinutes } from '#src/features/settings/tablets/actions.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { showToast } from '#src/ui/toast-store.ts'

const choices = [1, 2, 5, 10, 15, 20, 30]
const wordsOf = (minutes: number) => (minutes === 1 ? '1 minute' : `${minutes} minutes`)

/** Sets after how many idle minutes every tablet of the store locks. */
export function LockTime() {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const isOffline = useConnection((connection) => connection.online) === false
  const current = home?.lock_minutes ?? lockTime.usual
  const [chosen, setChosen] = useState<number | null>(null)
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const minutes = chosen ?? current
  const options = [...new Set([...choices, current])].toSorted((a, b) => a - b)

  async function save(event: SyntheticEvent) {
    event.preventDefault()
    setSaving(true)
    const refused = await saveLockMinutes(device, minutes)
    setSaving(false)
    setFailure(refused)
    if (refused) return
    setChosen(null)
    showToast({ title: `Tablets lock after ${wordsOf(minutes)}`, tone: 'good' })
  }

  return (
    <section aria-labelledby="lock-time-title" className="flex flex-col gap-3">
      <h2 id="lock-time-title" className="text-lg font-semibold">
        Lock time of {home?.store_name}
      </h2>
      <form noValidate onSubmit={(event) => void save(event)} className="flex flex-wrap items-end gap-3">
        <div className="w-full max-w-80">
          <SelectField
            label="Lock after"
            hint="A tablet that nobody touches for so long locks. Its work stays."
            options={options.map((each) => ({ value: String(each), label: wordsOf(each) }))}
            value={String(minutes)}
            onChange={(value) => setChosen(Number(value))}
            disabled={isOffline}
          />
        </div>
        <Button type="submit" variant="primary" busy={isSaving} disabled={isOffline || minutes === current}>
          Save
        </Button>
      </form>
      {failure && (
        <Notice tone="bad" title="NOT SAVED">
          {failure.kind === 'unreachable' ? 'Couldn’t reach the server. Try again when you’re back online.' : failure.message}
        </Notice>
      )}
    </section>
  )
}
