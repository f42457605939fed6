import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * Returns whether the page is being printed, by the button or by the browser's own command, and the function for the
 * button.
 *
 * @param onCopy records a copy that the browser's own command makes. The button's caller records its copy before.
 */
export function usePrinting(onCopy?: () => void): { printing: boolean; print: () => void } {
  const [printing, setPrinting] = useState(false)
  const isOurs = useRef(false)
  const begin = useEffectEvent(() => {
    if (!isOurs.current) onCopy?.()
    // A list of thousands is rendered for the printer only, and must be complete before the browser captures the page.
    flushSync(() => setPrinting(true))
  })
  // In the layout phase: the browser’s print command may come as soon as the page shows.
  useLayoutEffect(() => {
    const before = () => begin()
    const after = () => {
      isOurs.current = false
      setPrinting(false)
    }
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  function print() {
    isOurs.current = true
    window.print()
  }
  return { printing, print }
}
