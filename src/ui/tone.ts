/** The meaning of a color. A word and an icon always stand beside it. */
export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'info' | 'aside'

/** Quiet: text on a tinted ground. */
export const softTones: Record<Tone, string> = {
  neutral: 'bg-sunken text-ink-2',
  accent: 'bg-accent-soft text-accent-text',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  aside: 'bg-aside-soft text-aside',
}

/** Loud: for words that must be read across a room. */
export const solidTones: Record<Tone, string> = {
  neutral: 'bg-raised text-ink',
  accent: 'bg-accent text-accent-ink',
  good: 'bg-good-solid text-good-solid-ink',
  warn: 'bg-warn-solid text-warn-solid-ink',
  bad: 'bg-bad-solid text-bad-solid-ink',
  info: 'bg-info-solid text-info-solid-ink',
  aside: 'bg-aside-solid text-aside-solid-ink',
}

/** The word or the icon alone, on the page's own background. */
export const textTones: Record<Tone, string> = {
  neutral: 'text-ink-2',
  accent: 'text-accent-text',
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  info: 'text-info',
  aside: 'text-aside',
}
