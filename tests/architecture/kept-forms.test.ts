import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** Dialogs whose text is not kept, each with the reason. */
const notKept: Record<string, string> = {
  'src/features/app/login/components/resume-bar.tsx': 'a password or PIN',
  'src/features/app/settings-dialog/settings-dialog.tsx': 'passwords and PINs, filters of a list, and a sample profile that is not sent',
  'src/features/clinic/prescriptions/components/calculators.tsx': 'a sum that is never saved',
  'src/features/counts/count-sheets/components/close-dialog.tsx': 'a number that confirms what the user sees now',
  'src/features/patients/patients/components/conflict-dialog.tsx': 'a social security number',
  'src/features/patients/patients/components/header-search-dialog.tsx': 'a search',
  'src/features/patients/pcps/components/merge-dialog.tsx': 'a search',
  'src/features/patients/portal/components/invite-dialog.tsx': 'a link to read',
  'src/features/patients/portal/components/pick-patient-dialog.tsx': 'a search',
  'src/features/people/time-clock/clock-dialog.tsx': 'a password or PIN',
  'src/features/receiving/store-invoices/components/model-picker.tsx': 'a search',
  'src/features/stock/inventory/inventory-screen.tsx': 'searches of its page; the dialog has none',
}

type Source = { file: string; text: string }

const hasDialog = ({ text }: Source) => /<Dialog\b/.test(text)
const hasTextField = ({ text }: Source) => /<(TextField|TextArea|DateField|PasswordField|CodeEntry|ScanEntry|textarea)\b/.test(text)
const isKept = ({ text }: Source) => /\b(useTyped|useChanges|useDraft)\b|<(KeptForm|FormDialog)\b/.test(text)

/** The components that a file imports from its feature or from the shared ones. */
function importsOf({ file, text }: Source): string[] {
  return [...text.matchAll(/from '((?:\.|#src\/)[^']+\.tsx)'/g)].map(([, target]) =>
    target!.startsWith('#') ? target!.slice(1) : path.normalize(path.join(path.dirname(file), target!)),
  )
}

/** Returns the dialogs with a text field that nothing keeps. */
function lostTexts(sources: readonly Source[]): string[] {
  const byFile = new Map(sources.map((source) => [source.file, source]))
  function reachesText(source: Source, seen: Set<string>): boolean {
    if (seen.has(source.file) || isKept(source)) return false
    seen.add(source.file)
    return hasTextField(source) || importsOf(source).some((file) => byFile.has(file) && reachesText(byFile.get(file)!, seen))
  }
  return sources.filter((source) => hasDialog(source) && reachesText(source, new Set())).map(({ file }) => file)
}

function sourcesOf(folder: string): Source[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .map((name) => ({ file: `${folder}/${name}`, text: fs.readFileSync(path.join(root, folder, name), 'utf8') }))
}

test('every dialog that takes text keeps it, or is listed with a reason', () => {
  const sources = [...sourcesOf('src/features'), ...sourcesOf('src/domain')]
  expect(sources.filter(hasDialog).length).toBeGreaterThan(20)
  expect(lostTexts(sources).toSorted()).toEqual(Object.keys(notKept).toSorted())
})

test('a dialog that loses its text is found, even when the field is in another file', () => {
  const dialog = { file: 'src/features/a/dialog.tsx', text: `import { Fields } from './fields.tsx'\n<Dialog><Fields /></Dialog>` }
  const fields = { file: 'src/features/a/fields.tsx', text: '<TextField />' }
  expect(lostTexts([dialog, fields])).toEqual([dialog.file])
  expect(lostTexts([{ ...dialog, text: `${dialog.text}\nuseTyped()` }, fields])).toEqual([])
})
