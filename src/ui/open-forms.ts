import { useLayoutEffect } from 'react'
import { createStore, useStore } from 'zustand'

/** The number of dialogs and changed forms on this page: places where a user may have typed. */
const openForms = createStore(() => ({ count: 0 }))

/** Counts the caller as one of them while `isOpen`. */
export function useOpenForm(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return
    openForms.setState(({ count }) => ({ count: count + 1 }))
    return () => openForms.setState(({ count }) => ({ count: count - 1 }))
  }, [isOpen])
}

/** Whether there is at least one. */
export function useHasOpenForm(): boolean {
  return useStore(openForms, ({ count }) => count > 0)
}
