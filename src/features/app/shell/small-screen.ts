import { useSyncExternalStore } from 'react'
import { roomyPx } from './sidebar-kept.ts'

/** Below this width the sidebar is a side sheet. */
export const mobileBreakpointPx = 768

const query = `(max-width: ${mobileBreakpointPx - 1}px)`

function subscribe(listener: () => void): () => void {
  const list = window.matchMedia(query)
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}

export function isSmallScreen(): boolean {
  return window.matchMedia(query).matches
}

const tightQuery = `(max-width: ${roomyPx - 1}px)`

function subscribeTight(listener: () => void): () => void {
  const list = window.matchMedia(tightQuery)
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}

/** Returns true while an open sidebar would take width that a page may need. */
export function useTightScreen(): boolean {
  return useSyncExternalStore(subscribeTight, () => window.matchMedia(tightQuery).matches)
}

/** Returns true while the screen is small. */
export function useSmallScreen(): boolean {
  return useSyncExternalStore(subscribe, isSmallScreen)
}
