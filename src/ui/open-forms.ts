import { useLayoutEffect } from 'react'
import { createStore, useStore } from 'zustand'

/** How many dialogs and changed forms are on this page: whatever a person may have typed into. */
const openForms = createStore(() => ({ count: 0 }))

/** This part of the page is one of them, as long as `isOpen`. */
export function useOpenForm(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return
    openForms.setState(({ count }) => ({ count: count + 1 }))
    return () => openForms.setState(({ count }) => ({ count: count - 1 }))
  }, [isOpen])
}

/** Whether there is any. */
export function useHasOpenForm(): boolean {
  return useStore(openForms, ({ count }) => count > 0)
}
