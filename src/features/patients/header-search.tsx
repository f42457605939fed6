import { useNavigate } from '@tanstack/react-router'
import { Search, UserSearch } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { type PatientCriteria, readLine } from '#contract/patient-search.ts'
import { useDevice, useSession } from '#src/sync/device-context.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { lookUp } from './actions.ts'
import { forgetWithSession, searchStore } from './store.ts'

/** In the header of every page: looks a patient up by one line, and shows on the home page who was found. */
export function HeaderSearch({ small }: { small: boolean }) {
  const device = useDevice()
  const navigate = useNavigate()
  const mayRead = useSession((session) => session.home?.permissions.includes('patient.read')) === true
  const [line, setLine] = useState('')
  if (!mayRead) return null

  async function submit(event: FormEvent) {
    event.preventDefault()
    const criteria = criteriaOf(line)
    if (criteria === null) return
    forgetWithSession(device.session.state)
    searchStore.setState({ criteria, found: null })
    setLine('')
    await navigate({ to: '/' })
    await lookUp(device, criteria)
  }

  if (small) {
    return (
      <IconButton
        label="Look up patient information"
        icon={<UserSearch size={20} aria-hidden />}
        onClick={() => void navigate({ to: '/' })}
      />
    )
  }
  return (
    <form
      role="search"
      aria-label="Look up a patient"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="flex min-w-0 items-center gap-1"
    >
      <div className="w-44 min-w-0 shrink lg:w-60">
        <TextField label="Patient" hideLabel placeholder="Patient" value={line} onChange={setLine} autoComplete="off" />
      </div>
      <IconButton type="submit" label="Look up patient information" icon={<Search size={20} aria-hidden />} />
    </form>
  )
}

/** What was written in one line, in the fields of the search; null for nothing. */
function criteriaOf(line: string): PatientCriteria | null {
  const { words, dob, phone } = readLine(line)
  if (words.length === 0 && dob === null && phone === null) return null
  return { ...(words.length > 0 && { name: words.join(' ') }), ...(dob !== null && { dob }), ...(phone !== null && { phone }) }
}
