import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const thisFile = 'tests/architecture/plain-english.test.ts'

/** The parts of the project, each with the most hard turns of phrase it may hold. Lower a limit when the test asks for it; never raise one. */
const areas: Record<string, { paths: string[]; limit: number }> = {
  contract: { paths: ['contract/'], limit: 2 },
  server: { paths: ['server/'], limit: 46 },
  'src/features': { paths: ['src/features/'], limit: 12 },
  'src/sync': { paths: ['src/sync/'], limit: 24 },
  'src/ui': { paths: ['src/ui/'], limit: 0 },
  'src, the rest': { paths: ['src/start/', 'src/routes/', 'src/domain/', 'src/device/', 'src/db/', 'src/api/', 'src/camera/'], limit: 0 },
  sw: { paths: ['sw/'], limit: 0 },
  tests: { paths: ['tests/'], limit: 196 },
  'bench and scripts': { paths: ['bench/', 'scripts/', 'public/', '.ci/', 'index.html'], limit: 6 },
  documents: { paths: ['docs/', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'], limit: 0 },
}

/** Turns of phrase that a reader has to read twice. CONTRIBUTING.md says what to write instead. */
const hardPhrases = [
  /\bwhoever\b/gi,
  /\bwhatever\b/gi,
  /\banew\b/gi,
  /(?<!\b(?:soon|long|far|much|well) )\bas (?:it is|they are)\b/gi,
  /\bby (?:itself|themselves)\b/gi,
  /\bof (?:whom|which)\b/gi,
  /\b(?:is|are|was|were) told\b/gi,
  /\bdeeds?\b/gi,
  /\blies? on\b/gi,
  /\bcomes? to\b/gi,
  /\bis not taken\b/gi,
  /\bgives? out\b/gi,
  /\blets? go of\b/gi,
  /\bup to now\b/gi,
  /\bshall\b/gi,
  // A statement that opens with "What is …". A question may.
  /\bWhat (?:was|is|has|had|stands|waits|lies)\b(?![^.!?]*\?)/g,
]

const britishSpellings = [
  /\b(?:colour|grey|centre|behaviour|favour|catalogue)\w*/gi,
  /\be-mail\w*/gi,
  /\b(?:cancelled|labelled|dialled)\b/gi,
  /\b(?:licence|programme)s?\b/gi,
  /\b(?:organis|recognis|customis)\w*/gi,
]

/** Kept to the letter: wire values, columns, and the bad examples of CONTRIBUTING.md, which are struck through. */
const literal = [/~~[^~]*~~/g, /'cancelled'/g, /\bcancelled:/g, /\bcancelled_\w+/g, /\.cancelled\b/g]

const patterns = [...hardPhrases, ...britishSpellings]

/** One line of running text: a phrase may break across the lines of a comment. */
function runningText(text: string): string {
  return text.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, ' ')
}

function hardPhrasesIn(text: string): string[] {
  const prose = literal.reduce((rest, name) => rest.replaceAll(name, ' '), runningText(text))
  return patterns.flatMap((pattern) => [...prose.matchAll(pattern)].map(([phrase]) => phrase))
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|tsx|mts|mjs|js|css|html|sql|md|webmanifest)$|^\.ci\//.test(file))
  .filter((file) => file !== thisFile && !file.endsWith('.gen.ts') && fs.existsSync(path.join(root, file)))

describe('plain American English', () => {
  for (const [area, { paths, limit }] of Object.entries(areas)) {
    it(`${area} has at most ${limit} hard turns of phrase`, () => {
      const own = files.filter((file) => paths.some((start) => file.startsWith(start)))
      expect(own).not.toEqual([])
      const found = own.flatMap((file) =>
        hardPhrasesIn(fs.readFileSync(path.join(root, file), 'utf8')).map((phrase) => `${file}: ${phrase}`),
      )
      const count = found.length
      expect(count, `${area}: write these in plain English (CONTRIBUTING.md)\n${found.slice(0, 400).join('\n')}`).toBeLessThanOrEqual(limit)
      expect(count, `${area}: only ${count} are left. Lower its limit to ${count}.`).toBeGreaterThanOrEqual(limit - 10)
    })
  }

  it('finds a hard turn of phrase in a comment, across its lines, and leaves questions and plain words alone', () => {
    expect(hardPhrasesIn('/**\n * Whoever signs in: the row stays as it\n * is. */')).toEqual(['Whoever', 'as it is'])
    expect(hardPhrasesIn('What stands there is kept. // The colour is grey.')).toEqual(['What stands', 'colour', 'grey'])
    expect(hardPhrasesIn('What is the reason? The color is gray, the email was canceled.')).toEqual([])
  })
})
