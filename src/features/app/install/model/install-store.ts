import { createStore } from 'zustand/vanilla'

/** The browser's offer to install, which TypeScript's library does not know. */
export type InstallPrompt = Event & { prompt(): Promise<unknown>; userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }> }

export type InstallState = {
  /** Set while the browser offers to install the app. */
  prompt: InstallPrompt | null
  /** A new version is downloaded and waits. */
  updateReady: boolean
  /** A page of this version could not be fetched any more. */
  pageMissing: boolean
  /** Applies the new version: this window reloads, others keep running what they have. */
  applyUpdate: () => void
}

export const installStore = createStore<InstallState>(() => ({
  prompt: null,
  updateReady: false,
  pageMissing: false,
  applyUpdate: () => window.location.reload(),
}))

/** The hints a person has answered with "Not now". They stay away for good on this device. */
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
    // Without storage the hint comes back with the next start.
  }
}

/** Safari on an iPad or iPhone, in a tab: it installs apps, and has no button for it. */
export function needsManualInstall(agent: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>, standalone: boolean): boolean {
  if (standalone) return false
  // iPadOS presents itself as a Mac; only the touch screen tells them apart.
  const apple = /iPad|iPhone/.test(agent.userAgent) || (/Macintosh/.test(agent.userAgent) && agent.maxTouchPoints > 1)
  return apple && /Safari\//.test(agent.userAgent) && !/CriOS|FxiOS|EdgiOS/.test(agent.userAgent)
}

/** Whether the app runs in a window of its own. */
export function isStandalone(): boolean {
  return window.matchMedia('(display-mode: standalone)').matches || Reflect.get(navigator, 'standalone') === true
}

/** Whether someone is in the middle of a count: the address of a sheet is open. Then nothing may reload. */
export function isCountOpen(pathname: string): boolean {
  return /^\/inventory\/count-sheets\/[^/]+/.test(pathname)
}
