import type { ScanOutcome } from '#contract/counts/counting.ts'
import { createFakeDevice, type FakeDevice, frameOf, itemOf, mintId, sheetId, sheetOf } from '#tests/support/fake-count-device.ts'
import { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'

export const frames = Array.from({ length: 200 }, (_, at) => frameOf(at + 1))
export const opened: (SheetModel | FakeDevice)[] = []

/** Closes the sheets and devices that a test opened. */
export async function closeCounts(): Promise<void> {
  for (const thing of opened.splice(0).toReversed()) await thing.close()
}

/** Opens the sheet on a fake device, with the ready frames of its store expected. */
export async function openCount(options: Parameters<typeof createFakeDevice>[0] = {}, sheet = sheetOf()) {
  const known = options.frames ?? frames
  const device = createFakeDevice({ ...options, frames: known })
  if (!options.factory) {
    await device.hot.sheets.put(sheet)
    const items = known
      .filter((frame) => frame.store_id === sheet.store_id && frame.status === 'Ready for Sale')
      .map((frame) => itemOf(frame))
    await device.hot.items.put({ id_count_sheet: sheetId, first: 0, items })
  }
  const told: ScanOutcome[] = []
  const model = new SheetModel(device, sheetId, (outcome) => told.push(outcome))
  opened.push(device, model)
  await model.open()
  return { device, model, told, state: () => model.state.getState() }
}

/** A scan that the server knows, by Ben on another tablet. */
export function rowOf(code: string, piece: number, revision = 50, at = '2026-11-21T09:10:00.000Z') {
  return {
    id: mintId(),
    id_count_sheet: sheetId,
    raw_code: code,
    id_inventory: piece,
    finding: 'expected' as const,
    finding_detail: null,
    via: 'scanner' as const,
    negates: null,
    previous_scan: null,
    walk: 1,
    captured_at: at,
    author_id: 2,
    author_name: 'Ben Ito',
    device_id: '01890000-0000-7000-8000-0000000000bb',
    revision,
  }
}
