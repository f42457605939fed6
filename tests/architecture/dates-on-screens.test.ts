import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** The only places that may ask the browser how to write a number, a date or a time. */
const formatters = [
  'src/ui/format.ts',
  // The time clock's own form in calls, and the calendars of time zones.
  'contract/people/time-clock.ts',
  'server/features/people/time-clock/check.ts',
  'server/demo/demo-calendar.ts',
  // Prices on labels, drawn by the server.
  'server/features/stock/labels/draw-labels.ts',
]

/** A name that holds a day or an instant, as the server sends it. */
const stored = String.raw`[\w.?!]*(?:\bdob|_dob|_date|_(?:sent|planned|effective|paid)?on|_at|_until|lastUsed|last_letter|last_exam)`

const waysAround: { pattern: RegExp; onScreensOnly: boolean }[] = [
  { pattern: /\btoLocale(?:Date|Time)?String\(/g, onScreensOnly: false },
  { pattern: /\bnew Intl\.(?:DateTimeFormat|NumberFormat)\([^)]*\)\.format/g, onScreensOnly: false },
  { pattern: /(?<!new )\bIntl\.(?:DateTimeFormat|NumberFormat)\([^)]+\)/g, onScreensOnly: false },
  // A child of an element: `>{patient.dob}<`, `{sent_on}` on its own line.
  { pattern: new RegExp(String.raw`(?<![=$\w(,:] ?|=> )\{${stored}(?: \?\? [^}]*)?\}`, 'g'), onScreensOnly: true },
  // A part of a sentence: `Expires ${expires_at}`.
  { pattern: new RegExp(String.raw`\$\{${stored}(?: \?\? [^}]*)?\}`, 'g'), onScreensOnly: true },
  // A part of a list of facts: `[patient.dob, patient.city].join(' · ')`.
  { pattern: /[.\w]*(?:\bdob|_date)(?: \?\? '[^']*')?,[^\]]*\]\.(?:filter|join)/g, onScreensOnly: true },
  // The day of an instant in UTC, which is not the day in the store.
  { pattern: /_at\??\.slice\(0, 10\)/g, onScreensOnly: true },
]

/** Not shown: keys, names of files and places of drafts. */
const unseen = /\bkey=|dateTime=|\bkey:|\bkeyOf|downloadFile\(|place=/

function datesIn(text: string, isScreen: boolean): string[] {
  return text
    .split('\n')
    .filter((line) => !unseen.test(line) && !/^\s*(?:import|export \{|\*|\/\/|\/\*)/.test(line))
    .flatMap((line) =>
      waysAround.flatMap(({ pattern, onScreensOnly }) =>
        onScreensOnly && !isScreen ? [] : [...line.matchAll(pattern)].map(([way]) => way),
      ),
    )
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'sw', 'contract', 'server'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && fs.existsSync(path.join(root, file)))
  .filter((file) => !formatters.includes(file))

describe('dates, times and numbers', () => {
  it('are written by the one formatter, never raw', () => {
    expect(files.length).toBeGreaterThan(500)
    const found = files.flatMap((file) => {
      const isScreen = /^src\/(?:features|domain|ui)\//.test(file)
      return datesIn(fs.readFileSync(path.join(root, file), 'utf8'), isScreen).map((way) => `${file}: ${way}`)
    })
    expect(found, 'use src/ui/format.ts, or usDate and bornWords of the contract').toEqual([])
  })

  it('are found in children, sentences and the browser’s own forms', () => {
    const sins = [
      '<dd>{patient.dob}</dd>',
      '        {sent_on}',
      '<dd>{patient.last_exam_date ?? "None"}</dd>',
      '`Signed on ${rx.signed_at?.slice(0, 10)}`',
      '`Expired on ${expiry_date}`',
      "[person.dob, person.city].filter(Boolean).join(' · ')",
      'at.toLocaleDateString()',
      "new Intl.DateTimeFormat('en-US', { month: 'long' }).format(until)",
    ]
    expect(sins.filter((sin) => datesIn(sin, true).length === 0)).toEqual([])
    const fine = ['<time dateTime={sent_on}>', '{formatDate(patient.dob)}', 'const { issue_date } = rx', '<Row born={dob} />']
    expect(fine.flatMap((line) => datesIn(line, true))).toEqual([])
  })
})
