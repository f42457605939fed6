import { StrictMode, useEffect, useMemo, useState, type MouseEvent } from 'react'
import type { Root } from 'react-dom/client'
import { useStore } from 'zustand'
import type { PatientLinkProps } from '#src/features/patients/patients/components/patient-rows.tsx'
import { readPrinted } from '#src/features/patients/patients/printed-panel.ts'
import { SearchPanel } from '#src/features/patients/patients/components/search-panel.tsx'
import { searchStore, seat } from '#src/features/patients/patients/store.ts'
import type { MatchSource } from '#src/features/patients/patients/use-matches.ts'
import { firstSource } from '#src/features/patients/patients/use-shelf.ts'
import { ShellFrame } from '#src/features/app/shell/components/shell-frame.tsx'
import { sidebarStore } from '#src/features/app/shell/sidebar-state.ts'
import { useSmallScreen } from '#src/features/app/shell/small-screen.ts'
import { type FirstLook, firstLook, longestAloneMs, longestShownMs } from '#src/sync/session/first-look.ts'
import type { FirstSearch } from '#src/start/first-answer.ts'
import type { FirstPatients } from '#src/sync/patients/first-patients.ts'
import { putAwayOpenPatients } from '#src/sync/patients/open-patients.ts'
import { readHot } from '#src/sync/patients/read-ahead.ts'
import { sessionChannel } from '#src/sync/session/stored-tokens.ts'
import { quietMoment } from '#src/ui/quiet-moment.ts'
import { dayHere } from '#src/ui/forms/day-here.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** A disk that takes longer is nothing to wait for before the app. */
const longestOpeningMs = 1000
/** After so long it is shown that more is to come. */
const lateMs = 400

type Desk = {
  look: FirstLook
  /** `YYYY-MM-DD` */
  today: string
  /** Resolves when the first patients can be found, or it is known that none can. */
  canAnswer: Promise<void>
  /** Resolves when someone wants what only the app can do. */
  wanted: Promise<void>
  want: () => void
}

/**
 * The home page's search for patients by itself, as the login screen is by itself: it finds whom this tablet knows while the router, the
 * device and the rest of the page are on their way. Then the app takes its place, what is typed, and the mirror that it has read.
 *
 * Without patients there is nothing to show before the app. @param openApp shows the app in the place of what showed before
 */
export async function openFirstDesk(root: Root, search: FirstSearch | null, openApp: () => Promise<void>): Promise<void> {
  const opening = search?.opening ?? Promise.resolve(null)
  const patients = await Promise.race([opening, pause(longestOpeningMs)]).catch(() => null)
  if (patients === null) {
    // The device opens them in its own way, and says what stands in it.
    opening.then(putAwayOpenPatients, () => undefined)
    return await openApp()
  }
  const desk = openDesk(patients)
  // What stands in the page itself can be typed into meanwhile: who is found comes with the panel that answers.
  readPrinted()
  root.render(
    <StrictMode>
      <FirstDesk desk={desk} />
    </StrictMode>,
  )
  await Promise.race([desk.canAnswer.then(quietMoment), desk.wanted, pause(longestAloneMs)])
  await openApp()
}

const pause = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms))

function openDesk({ look, mirror }: FirstPatients): Desk {
  seat(look.home.id_user)
  const today = dayHere(Date.now() + look.serverOffsetMs)
  const show = (change: Partial<MatchSource>) => firstSource.setState(({ source }) => ({ source: source && { ...source, ...change } }))
  const search: NonNullable<MatchSource['shelf']>['search'] = (query, limit) => mirror.search(query, limit, today)
  firstSource.setState({ source: { shelf: { search }, status: 'opening', turn: 0, isOffline: false } })
  let answer = () => {}
  let want = () => {}
  const canAnswer = new Promise<void>((resolve) => (answer = resolve))
  const wanted = new Promise<void>((resolve) => (want = resolve))

  async function read() {
    for (let turn = 1; !mirror.isReady(); turn++) {
      await mirror.moreRead()
      show({ turn })
      answer()
    }
    show({ status: 'ready' })
  }
  // What cannot be read is the app's to open and to fetch anew, and to speak of.
  read().catch(putAwayOpenPatients).finally(answer)

  function close() {
    firstSource.setState({ source: null })
    putAwayOpenPatients()
    channel.close()
    clearTimeout(timer)
    want()
  }
  const timer = setTimeout(close, longestShownMs)
  // Another window may lock the tablet or sign out.
  const channel = new BroadcastChannel(sessionChannel)
  channel.onmessage = () => void isStill(look).then((still) => still || close())
  return { look, today, canAnswer, wanted, want }
}

/** Whether the same person may still see patients here. */
async function isStill({ home }: FirstLook): Promise<boolean> {
  return firstLook(await readHot(), localStorage, Date.now())?.home.id_user === home.id_user
}

const nobody: MatchSource = { shelf: null, status: 'locked', turn: 0, isOffline: false }

function FirstDesk({ desk: { look, today, want } }: { desk: Desk }) {
  const small = useSmallScreen()
  const expanded = useStore(sidebarStore(), (state) => state.expanded)
  const source = useStore(firstSource, (state) => state.source) ?? nobody
  // The rest of the fields comes with the app.
  const wantsMore = useStore(searchStore, (state) => state.expanded)
  useEffect(() => {
    if (wantsMore) want()
  }, [wantsMore, want])
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), lateMs)
    return () => clearTimeout(timer)
  }, [])
  // Their place is kept, so that nothing moves.
  const actionsCome = (['patient.write', 'patient.import'] as const).some((permission) => look.home.permissions.includes(permission))
  const Link = useMemo(() => linkThat(want), [want])

  return (
    <ShellFrame expanded={small ? null : expanded}>
      <SearchPanel
        source={source}
        today={today}
        Link={Link}
        MoreFields={null}
        onSearch={() => {
          searchStore.setState({ asking: true, pressed: true })
          want()
        }}
        actions={actionsCome && <span aria-hidden className="h-12 w-36" />}
      />
      {isLate && <Skeleton lines={4} height="row" />}
    </ShellFrame>
  )
}

/** Where the app goes when it comes. */
function linkThat(want: () => void) {
  return function DeskLink({ id, onClick, children, ...rest }: PatientLinkProps) {
    const href = `/patient/${id}`
    function follow(event: MouseEvent) {
      onClick?.()
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      history.pushState(null, '', href)
      want()
    }
    return (
      <a href={href} onClick={follow} {...rest}>
        {children}
      </a>
    )
  }
}
