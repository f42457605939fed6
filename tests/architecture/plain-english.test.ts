import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const thisFile = 'tests/architecture/plain-english.test.ts'

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

/**
 * Kept to the letter: wire values, columns, column headings of imported files, the seed of the demo data, and the bad
 * examples of CONTRIBUTING.md, which are struck through.
 */
const literal = [
  /~~[^~]*~~/g,
  /'cancelled'/g,
  /\bcancelled:/g,
  /\bcancelled_\w+/g,
  /\.cancelled\b/g,
  /'organization', 'organisation'/g,
  /'colour', 'color name', 'frame color', 'colour name'/g,
  /random\('catalogue'\)/g,
]

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
  it('has no hard turn of phrase and no British spelling', () => {
    expect(files).not.toEqual([])
    const found = files.flatMap((file) =>
      hardPhrasesIn(fs.readFileSync(path.join(root, file), 'utf8')).map((phrase) => `${file}: ${phrase}`),
    )
    expect(found, 'write these in plain English (CONTRIBUTING.md)').toEqual([])
  })

  it('finds a hard turn of phrase in a comment, across its lines, and leaves questions and plain words alone', () => {
    expect(hardPhrasesIn('/**\n * Whoever signs in: the row stays as it\n * is. */')).toEqual(['Whoever', 'as it is'])
    expect(hardPhrasesIn('What stands there is kept. // The colour is grey.')).toEqual(['What stands', 'colour', 'grey'])
    expect(hardPhrasesIn('What is the reason? The color is gray, the email was canceled.')).toEqual([])
  })
})
