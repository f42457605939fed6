import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { encryptedCodec } from '#src/db/packed/encrypted-codec.ts'
import { keptPatientsKey } from '#src/sync/patients/patients-key.ts'
import { givePatientsKey, mayasHome, screenDevice } from '#tests/support/screen-device.ts'
import { dropDraft, keepDraft, readDraft } from './drafts.ts'

const typed = { note: 'Zuzana Quillfeather' }

/** Returns everything on the disk, as text. */
async function diskOf({ hot }: ReturnType<typeof screenDevice>): Promise<string> {
  return JSON.stringify(await hot.facts.toArray(), (_key, value: unknown) =>
    value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : value,
  )
}

test('a stock clerk without the key for patients has their drafts, and the disk shows no plain text', async () => {
  const made = screenDevice({ signedIn: true })
  expect(await readDraft(made.device, 'own: transfer')).toBeNull()
  expect(await keepDraft(made.device, 'own: transfer', typed)).toBe(true)
  expect(await readDraft(made.device, 'own: transfer')).toEqual(typed)
  expect(await readDraft(made.device, 'own: return')).toBeNull()
  expect(await diskOf(made)).not.toContain('Zuzana')
  await dropDraft(made.device, 'own: transfer')
  expect(await readDraft(made.device, 'own: transfer')).toBeNull()
})

test('no other user of the tablet sees a draft, and a signed-out tablet keeps none', async () => {
  const { device, state } = screenDevice({ signedIn: true })
  await keepDraft(device, 'own: transfer', typed)
  state.setState({ home: { ...mayasHome, id_user: 2 } })
  expect(await readDraft(device, 'own: transfer')).toBeNull()
  expect(await keepDraft(device, 'own: transfer', { note: 'of another person' })).toBe(true)
  state.setState({ home: { ...mayasHome, store_id: 2 } })
  expect(await readDraft(device, 'own: transfer')).toBeNull()
  state.setState({ home: mayasHome })
  expect(await readDraft(device, 'own: transfer')).toEqual(typed)
  state.setState({ home: null })
  expect(await keepDraft(device, 'own: transfer', typed)).toBe(false)
  expect(await readDraft(device, 'own: transfer')).toBeNull()
})

test('another user cannot read the row of a draft even in their own place', async () => {
  const { device, hot, state } = screenDevice({ signedIn: true })
  await keepDraft(device, 'own: transfer', typed)
  state.setState({ home: { ...mayasHome, id_user: 2 } })
  await keepDraft(device, 'own: transfer', { note: 'of another person' })
  const row = await hot.facts.get('draft 1 1 own: transfer')
  await hot.facts.put({ key: 'draft 2 1 own: transfer', value: row?.value })
  expect(await readDraft(device, 'own: transfer')).toBeNull()
})

test('a place of a patient is also sealed with the key for patients', async () => {
  const made = screenDevice({ signedIn: true })
  expect(await keepDraft(made.device, 'patient: new', typed)).toBe(false)
  await givePatientsKey(made.hot, mayasHome)
  expect(await keepDraft(made.device, 'patient: new', typed)).toBe(true)
  expect(await readDraft(made.device, 'patient: new')).toEqual(typed)
  expect(await diskOf(made)).not.toContain('Zuzana')
  await made.hot.facts.delete('patients-key')
  expect(await readDraft(made.device, 'patient: new')).toBeNull()
  // Another key for patients opens nothing.
  await givePatientsKey(made.hot, mayasHome)
  expect(await readDraft(made.device, 'patient: new')).toBeNull()
})

test('an update keeps typed text about a patient: the draft of an earlier version is read, and the next draft replaces it', async () => {
  const { device, hot } = screenDevice({ signedIn: true })
  await givePatientsKey(hot, mayasHome)
  const key = await keptPatientsKey(hot, mayasHome)
  const text = await encryptedCodec(key!).encode(JSON.stringify(typed))
  await hot.facts.put({ key: 'patient-draft 1 1 new', value: { kept_at: Date.now(), text } })
  expect(await readDraft(device, 'patient: new')).toEqual(typed)
  await keepDraft(device, 'patient: new', { note: 'Zuzana Q' })
  expect(await readDraft(device, 'patient: new')).toEqual({ note: 'Zuzana Q' })
  await dropDraft(device, 'patient: new')
  expect(await readDraft(device, 'patient: new')).toBeNull()
})

test('a draft is deleted after a week, also one of an earlier version', async () => {
  const { device, hot } = screenDevice({ signedIn: true })
  await hot.facts.put({ key: 'patient-draft 1 1 new', value: { kept_at: Date.now(), text: new Uint8Array() } })
  await keepDraft(device, 'own: transfer', typed)
  expect(await readDraft({ ...device, serverNow: () => Date.now() + 8 * 86_400_000 }, 'own: transfer')).toBeNull()
  expect((await hot.facts.toCollection().primaryKeys()).filter((key) => key.includes('draft '))).toEqual([])
})
