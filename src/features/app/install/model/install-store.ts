import { createStore } from 'zustand/vanilla'

/** The browser's offer to install. TypeScript's library has no type for it. */
export type InstallPrompt = Event & { prompt(): Promise<unknown>; userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }> }

export type InstallState = {
  /** Set while the browser offers to install the app. */
  prompt: InstallPrompt | null
  /** True when a new version is downloaded and waits for the user's yes. */
  updateReady: boolean
  /** True when a page of this version could no longer be fetched. */
  pageMissing: boolean
  /** Applies the new version: this window reloads, and the other windows keep their version. */
  applyUpdate: () => void
}

export const installStore = createStore<InstallState>(() => ({
  prompt: null,
  updateReady: false,
  pageMissing: false,
  applyUpdate: () => window.location.reload(),
}))

/** Returns true for a hint that a user answered with "Not now". It stays away on this device. */
export function isDismissed(hint: 'install' | 'install-ipad'): boolean {
  try {
    return localStorage.getItem(`dismissed:${hint}`) !== null
  } catch {
    return false
  }
}

export function dismiss(hint: 'install' | 'install-ipad'): void {
  try {
    localStorage.setItem(`dismissed:${hint}`, new Date().toISOString())
  } catch {
    // Without storage, the hint comes back at the next start.
  }
}

/** Returns true for Safari in a tab on an iPad or iPhone. It can install apps but has no button for it. */
export function needsManualInstall(agent: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>, standalone: boolean): boolean {
  if (standalone) return false
  // iPadOS presents itself as a Mac. Only the touch screen tells them apart.
  const apple = /iPad|iPhone/.test(agent.userAgent) || (/Macintosh/.test(agent.userAgent) && agent.maxTouchPoints > 1)
  return apple && /Safari\//.test(agent.userAgent) && !/CriOS|FxiOS|EdgiOS/.test(agent.userAgent)
}

/** Returns true when the app runs in a window of its own. */
export function isStandalone(): boolean {
  return window.matchMedia('(display-mode: standalone)').matches || Reflect.get(navigator, 'standalone') === true
}

/** Returns true when the address of a count sheet is open. Then nothing may reload. */
export function isCountOpen(pathname: string): boolean {
  return /^\/inventory\/count-sheets\/[^/]+/.test(pathname)
}
