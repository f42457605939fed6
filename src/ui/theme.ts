/** How the app looks on this device. Kept in local storage; `src/start/head.ts` applies it before the first paint. */

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

export const fonts = ['inter', 'manrope', 'system'] as const
export type Font = (typeof fonts)[number]

/** How close rows and controls stand. `auto` is compact for a mouse on a wide screen, and comfortable otherwise. */
export const densities = ['auto', 'compact', 'comfortable'] as const
export type Density = (typeof densities)[number]

const themeKey = 'theme'
const fontKey = 'font'
const densityKey = 'density'
/** A mouse or a touchpad, on a screen as wide as a desk's. */
const deskQuery = '(hover: hover) and (pointer: fine) and (min-width: 1024px)'

function read<T extends string>(key: string, known: readonly T[], otherwise: T): T {
  try {
    const stored = localStorage.getItem(key)
    return known.find((each) => each === stored) ?? otherwise
  } catch {
    // Storage can be forbidden. Then the default look applies.
    return otherwise
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // The choice holds until the window closes.
  }
}

/** Dark unless chosen otherwise. */
export function storedTheme(): Theme {
  return read(themeKey, themes, 'dark')
}

export function storedFont(): Font {
  return read(fontKey, fonts, 'inter')
}

export function storedDensity(): Density {
  return read(densityKey, densities, 'auto')
}

const groundColors: Record<Theme, string> = { dark: '#0d1315', light: '#eef1f1' }

/** Applies the kept look to the page. */
export function applyLook(): void {
  showTheme(storedTheme())
  document.documentElement.dataset['font'] = storedFont()
  showDensity()
  // A window that is made narrower, or a tablet that gets a mouse.
  window.matchMedia(deskQuery).addEventListener('change', showDensity)
}

/** Applies the density to the page and keeps it. */
export function setDensity(density: Density): void {
  write(densityKey, density)
  showDensity()
}

function showDensity(): void {
  const chosen = storedDensity()
  const isCompact = chosen === 'auto' ? window.matchMedia(deskQuery).matches : chosen === 'compact'
  document.documentElement.dataset['density'] = isCompact ? 'compact' : 'comfortable'
}

/** Applies the theme to the page and keeps it. */
export function setTheme(theme: Theme): void {
  write(themeKey, theme)
  showTheme(theme)
}

function showTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', groundColors[theme])
}

/** Applies the font to the page and keeps it. */
export function setFont(font: Font): void {
  write(fontKey, font)
  document.documentElement.dataset['font'] = font
}
