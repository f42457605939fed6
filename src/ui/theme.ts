/** How the app looks on this device. Kept in local storage; `src/start/head.ts` applies it before the first paint. */

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

export const fonts = ['inter', 'manrope', 'system'] as const
export type Font = (typeof fonts)[number]

const themeKey = 'theme'
const fontKey = 'font'

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

const groundColors: Record<Theme, string> = { dark: '#0d1315', light: '#eef1f1' }

/** Applies the kept look to the page. */
export function applyLook(): void {
  showTheme(storedTheme())
  document.documentElement.dataset['font'] = storedFont()
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
