import { Download, X } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { dismiss, installStore, isDismissed, type InstallPrompt } from './model/install-store.ts'

/** Offers to install the app where the browser can, until the user says "Not now". */
export function InstallButton() {
  const prompt = useStore(installStore, (state) => state.prompt)
  const [dismissed, setDismissed] = useState(() => isDismissed('install'))
  if (!prompt || dismissed) return null

  function notNow() {
    dismiss('install')
    setDismissed(true)
  }

  function install(offer: InstallPrompt) {
    void offer.prompt()
    void offer.userChoice.then(({ outcome }) => {
      // A prompt can be shown only once. The browser brings another one later.
      installStore.setState({ prompt: null })
      if (outcome === 'dismissed') notNow()
    })
  }

  return (
    <>
      <span className="lg:hidden">
        <IconButton label="Install Lorgnette" icon={<Download size={20} aria-hidden />} onClick={() => install(prompt)} />
      </span>
      <span className="hidden items-center lg:flex">
        <Button variant="quiet" icon={<Download size={18} aria-hidden />} onClick={() => install(prompt)}>
          Install
        </Button>
        <IconButton label="Not now" icon={<X size={16} aria-hidden />} onClick={notNow} />
      </span>
    </>
  )
}
