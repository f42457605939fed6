import { useNavigate } from '@tanstack/react-router'
import { Search, TextSearch, UserSearch } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import { criteriaOfLine } from '#contract/patients/patient-search.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { lookUp } from './actions.ts'
import { searchPanelId } from './model/search-panel-id.ts'
import { forgetWithSession, seek } from './store.ts'

const HeaderSearchDialog = fetchedDialog(async () => (await import('./components/header-search-dialog.tsx')).HeaderSearchDialog)

export type HeaderSearchProps = {
  /** Shows a button instead of the field. */
  small: boolean
  /** The home page has the search in full. */
  isHome: boolean
}

/** The patient search in the header of every page: one line, or all fields. The results show on the home page. */
export function HeaderSearch({ small, isHome }: HeaderSearchProps) {
  const device = useDevice()
  const navigate = useNavigate()
  const mayRead = useSession((session) => session.home?.permissions.includes('patient.read')) === true
  useState(() => forgetWithSession(device.session.state))
  const [line, setLine] = useState('')
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  if (!mayRead) return null

  /** Moves the line into the search fields. Returns false when the line is empty. */
  function takeLine(): boolean {
    const criteria = criteriaOfLine(line)
    if (Object.keys(criteria).length === 0) return false
    seek(criteria)
    setLine('')
    return true
  }

  function search() {
    setOpen(false)
    void navigate({ to: '/' })
    void lookUp(device)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (takeLine()) search()
    else field.current?.focus()
  }

  function openFields() {
    if (isHome) return focusPanel()
    takeLine()
    setOpen(true)
  }

  const isLine = !small && !isHome
  return (
    <>
      {isLine && (
        <form role="search" aria-label="Look up a patient" noValidate onSubmit={submit} className="flex min-w-0 items-center gap-1">
          <div className="w-44 min-w-28 shrink lg:w-60">
            <TextField ref={field} label="Patient" hideLabel placeholder="Patient" value={line} onChange={setLine} />
          </div>
          <IconButton type="submit" label="Look up patient information" icon={<Search size={20} aria-hidden />} />
        </form>
      )}
      <IconButton
        label={isLine ? 'Search by all fields' : 'Look up patient information'}
        icon={isLine ? <TextSearch size={20} aria-hidden /> : <UserSearch size={20} aria-hidden />}
        aria-haspopup={isHome ? undefined : 'dialog'}
        aria-expanded={isHome ? undefined : isOpen}
        onClick={openFields}
      />
      {/* Unmounts at once, without its closing motion, so that it returns the focus before the next page takes it. */}
      {isOpen && <HeaderSearchDialog onClose={() => setOpen(false)} onSearch={search} />}
    </>
  )
}

function focusPanel() {
  const panel = document.getElementById(searchPanelId)
  panel?.scrollIntoView()
  panel?.querySelector('input')?.focus({ preventScroll: true })
}
