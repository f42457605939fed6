import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const css = fs.readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8')

function tokensOf(theme: 'dark' | 'light'): Map<string, string> {
  const block = css.split(`[data-theme='${theme}'] {`)[1]?.split('\n}')[0] ?? ''
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]))
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(tokens: Map<string, string>, one: string, other: string): number {
  const [a, b] = [one, other].map((name) => {
    const value = tokens.get(name)
    if (!value) throw new Error(`no token ${name}`)
    return luminance(value)
  })
  return (Math.max(a ?? 0, b ?? 0) + 0.05) / (Math.min(a ?? 0, b ?? 0) + 0.05)
}

const grounds = ['paper', 'surface', 'raised', 'sunken', 'field', 'hover']
const texts = ['ink', 'ink-2', 'ink-3', 'accent-text', 'good', 'warn', 'bad', 'info', 'aside']
const tones = ['good', 'warn', 'bad', 'info', 'aside']

test.each(['dark', 'light'] as const)('every text is readable on every background of the %s theme (4.5 to 1)', (theme) => {
  const tokens = tokensOf(theme)
  const pairs = [
    ...grounds.flatMap((ground) => texts.map((text) => [text, ground])),
    ...tones.flatMap((tone) => [
      [tone, `${tone}-soft`],
      ['ink', `${tone}-soft`],
      [`${tone}-solid-ink`, `${tone}-solid`],
    ]),
    ...['accent-text', 'ink', 'ink-2', 'ink-3'].map((text) => [text, 'accent-soft']),
    ['accent-ink', 'accent'],
    ['accent-ink', 'accent-hover'],
  ]
  const unreadable = pairs.filter(([text = '', ground = '']) => contrast(tokens, text, ground) < 4.5)
  expect(unreadable).toEqual([])
})

test.each(['dark', 'light'] as const)('edges of controls and the focus ring stand out in the %s theme (3 to 1)', (theme) => {
  const tokens = tokensOf(theme)
  const pairs = [...grounds, 'accent-soft'].flatMap((ground) => [
    ...(ground === 'accent-soft' ? [] : [['line-strong', ground]]),
    ['brass', ground],
  ])
  expect(pairs.filter(([edge = '', ground = '']) => contrast(tokens, edge, ground) < 3)).toEqual([])
})
