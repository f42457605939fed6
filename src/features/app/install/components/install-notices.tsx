import { useState } from 'react'
import { useStore } from 'zustand'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { useCountOpen } from '../hooks/use-count-open.ts'
import { dismiss, installStore, isCountOpen, isDismissed, isStandalone, needsManualInstall } from '../model/install-store.ts'
import { AppNotice, type AppNoticeProps } from './app-notice.tsx'

/**
 * The notices about the app itself, at the foot of the page: a new version, a missing page, how to install on an iPad.
 */
export function InstallNotices({ pathname }: { pathname: string }) {
  const { updateReady, pageMissing, applyUpdate } = useStore(installStore)
  const device = useDevice()
  const updateRequired = useConnection((connection) => connection.updateRequired)
  const databaseBlocked = useConnection((connection) => connection.databaseBlocked)
  const [later, setLater] = useState(false)
  const [manual, setManual] = useState(() => needsManualInstall(navigator, isStandalone()) && !isDismissed('install-ipad'))

  const { countOpen, lookAgain } = useCountOpen(pathname, updateReady || updateRequired)

  /** Looks again at the press: the user may have opened a count in another window since the offer. */
  async function update() {
    if (!(await lookAgain())) return applyUpdate()
    showToast({
      title: 'A count is open in another window',
      description: 'The update will be offered again after you leave the count.',
      tone: 'warn',
    })
  }

  function noticeDue(): AppNoticeProps | null {
    // This tab can no longer save anything, so every page says it.
    if (databaseBlocked === 'reload') return { about: 'other-tab' }
    if (databaseBlocked === 'wiped') return { about: 'wiped', onClose: () => void device.wipeWasRead() }
    // Offer nothing in the middle of a count: a hand that holds a scanner taps any button that appears.
    if (isCountOpen(pathname)) return null
    if (updateReady && !later && !countOpen) return { about: 'update', onUpdate: () => void update(), onClose: () => setLater(true) }
    if (updateRequired && !countOpen) return { about: 'too-old', onUpdate: () => void update() }
    if (pageMissing) return { about: 'page-missing', onClose: () => installStore.setState({ pageMissing: false }) }
    if (!manual || pathname === '/login') return null
    return {
      about: 'ipad',
      onClose: () => {
        dismiss('install-ipad')
        setManual(false)
      },
    }
  }

  const notice = noticeDue()
  return notice && <AppNotice {...notice} />
}
