import type { PaperBlock, PaperDocument } from '#contract/core/paper-document.ts'
import { eyes, type Prescription } from '#contract/rx/prescription.ts'
import { inNotation } from '#contract/rx/rx-rules.ts'
import { formatDate } from '#src/ui/format.ts'
import { eyeWords, notationWords, statusOn } from '../words.ts'
import { powersTable } from './powers-table.ts'
import { hasCylinder, rxFacts } from './rx-facts.ts'
import { prescriberLines, type RxTextParts } from './rx-text.ts'

/** The most fields that fit beside each other on a sheet of paper. */
const mostOnPaper = 8

/** Returns a prescription for paper, without the internal notes. */
export function rxPaper(stored: Prescription, today: string, parts: RxTextParts): PaperDocument {
  const { patient, storeName, providerName, notation, timeZone } = parts
  const rx = { ...inNotation(stored, notation), notes_internal: null }
  const other = notation === 'minus' ? 'plus' : 'minus'
  const turned = inNotation(stored, other)
  const texts = (isThere: boolean, text: string): PaperBlock[] => (isThere ? [{ kind: 'text', text }] : [])
  const { columns, rows } = powersTable(rx, mostOnPaper)
  return [
    { kind: 'heading', text: storeName },
    { kind: 'facts', facts: [['Prescription for', patient]] },
    { kind: 'table', columns, rows },
    ...texts(hasCylinder(rx), notationWords[notation]),
    { kind: 'facts', facts: rxFacts(rx, providerName, today) },
    ...signatureOf(rx, timeZone),
    { kind: 'text', text: prescriberLines(rx, parts).join('\n') },
    ...texts(hasCylinder(rx), `${notationWords[other]}: ${eyes.map((eye) => `${eye.toUpperCase()} ${eyeWords(turned, eye)}`).join('; ')}`),
    ...texts(
      eyes.some((eye) => rx[eye].is_trial),
      'Trial lenses. Not a final prescription.',
    ),
    ...texts(!rx.signature, 'Draft. Not signed and not valid.'),
    ...texts(rx.withdrawn !== null, `${statusOn(today, rx)}. Not valid.`),
  ]
}

function signatureOf({ signature, signed_by, signed_at }: Prescription, timeZone: string | undefined): PaperBlock[] {
  if (!signature) return []
  const mark = signature.kind === 'drawn' ? signature.strokes : signature.name
  return [{ kind: 'signature', mark, caption: `Signed by ${signed_by ?? ''} on ${signed_at ? formatDate(signed_at, timeZone) : ''}` }]
}
