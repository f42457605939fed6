import { useNavigate } from '@tanstack/react-router'
import { Search, TextSearch, UserSearch } from 'lucide-react'
import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type ComponentType,
  type FormEvent,
  type KeyboardEvent,
} from 'react'
import { criteriaOfLine, type PatientCriteria } from '#contract/patients/patient-search.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { lookUp } from './actions.ts'
import type { HeaderSuggestionsProps, SuggestionKeys } from './components/header-suggestions.tsx'
import { NewPatientDialog } from './components/new-patient-dialog.tsx'
import { isSearchShortcut } from './model/search-shortcut.ts'
import { searchPanelId } from './model/search-panel-id.ts'
import { forgetWithSession, seek } from './store.ts'

const HeaderSearchDialog = fetchedDialog(async () => (await import('./components/header-search-dialog.tsx')).HeaderSearchDialog)

/** Without this part, Enter still searches. */
const HeaderSuggestions = lazy<ComponentType<HeaderSuggestionsProps>>(() =>
  import('./components/header-suggestions.tsx').then(
    (loaded) => ({ default: loaded.HeaderSuggestions }),
    () => ({ default: () => null }),
  ),
)

export type HeaderSearchProps = {
  /** Shows a button instead of the field. */
  small: boolean
  /** The home page has the search in full. */
  isHome: boolean
  /** Opens the frame with this code. Missing for users who may not look up frames. */
  onFrame?: ((code: string) => void) | undefined
}

/** The patient search in the header of every page: one line, or all fields. The results show on the home page. */
export function HeaderSearch({ small, isHome, onFrame }: HeaderSearchProps) {
  const device = useDevice()
  const navigate = useNavigate()
  const mayRead = useSession((session) => session.home?.permissions.includes('patient.read')) === true
  useState(() => forgetWithSession(device.session.state))
  const [line, setLine] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [isListed, setListed] = useState(false)
  const [active, setActive] = useState<string>()
  const [adding, setAdding] = useState<PatientCriteria | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const keys = useRef<SuggestionKeys>(null)
  const listId = useId()
  const isLine = !small && !isHome

  const onShortcut = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (!mayRead || !isSearchShortcut(event)) return
    event.preventDefault()
    if (isLine) field.current?.focus()
    else openFields()
  })
  useEffect(() => {
    window.addEventListener('keydown', onShortcut)
    return () => window.removeEventListener('keydown', onShortcut)
  }, [])
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
    setListed(false)
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

  function closeList() {
    setListed(false)
    setLine('')
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && isListed) setListed(false)
    else if (!keys.current?.keyDown(event)) return
    event.preventDefault()
  }

  return (
    <>
      {isLine && (
        <form
          role="search"
          aria-label="Look up a patient"
          noValidate
          onSubmit={submit}
          className="relative flex min-w-0 items-center gap-1"
        >
          <div className="w-44 min-w-28 shrink lg:w-60">
            <TextField
              ref={field}
              label="Patient"
              hideLabel
              placeholder="Patient"
              role="combobox"
              aria-expanded={isListed}
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={isListed ? active : undefined}
              aria-keyshortcuts="/ Control+K Meta+K"
              value={line}
              onChange={(text) => {
                setLine(text)
                setListed(true)
              }}
              onFocus={() => setListed(true)}
              onBlur={() => setListed(false)}
              onKeyDown={onKeyDown}
            />
          </div>
          {isListed && (
            <Suspense>
              <HeaderSuggestions
                line={line}
                id={listId}
                keys={keys}
                onActive={setActive}
                onAdd={setAdding}
                onFrame={onFrame}
                onClose={closeList}
              />
            </Suspense>
          )}
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
      {adding && <NewPatientDialog criteria={adding} onClose={() => setAdding(null)} />}
      {isOpen && <HeaderSearchDialog onClose={() => setOpen(false)} onSearch={search} />}
    </>
  )
}

function focusPanel() {
  const panel = document.getElementById(searchPanelId)
  panel?.scrollIntoView()
  panel?.querySelector('input')?.focus({ preventScroll: true })
}
