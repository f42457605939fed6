import type { Request } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FrameRecord, ItemHistory } from '#contract/stock/frames.ts'
import { type PulledFrame } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { readyForOffline, stockOf } from '#tests/e2e/count-room.ts'

// The window is wide enough for the wider dialog.
const t = e2eTablet({ as: 'maya', viewport: { width: 1280, height: 800 }, hasMouse: true })
let forSale: PulledFrame[]

beforeAll(async () => {
  const { expected } = await stockOf(t.office)
  forSale = expected.filter((frame) => frame.status === 'Ready for Sale')
  await readyForOffline(t.page, t.server.origin, expected.length)
})
beforeEach(async () => {
  await t.page.goto(t.server.origin)
  await t.page.getByRole('heading', { name: 'Today' }).waitFor()
})
afterEach(() => t.tablet.context.setOffline(false))

const dialog = () => t.page.getByRole('dialog', { name: 'Frame lookup by Serial / F#' })
const button = (name: string) => dialog().getByRole('button', { name, exact: true })
const transactions = () => dialog().getByRole('region', { name: 'Transactions' }).locator('tbody tr')
const note = () => dialog().getByRole('textbox', { name: 'Note' })
/** Width inside the border. */
const widthOf = async () => (await dialog().locator('header').first().boundingBox())?.width ?? 0

async function lookUp(code: string): Promise<void> {
  await t.page.getByRole('button', { name: 'Frame lookup', exact: true }).click()
  await dialog().getByLabel('Serial / F#').fill(code)
  await button('Look up').click()
}

function frameAt(place: number): PulledFrame {
  const frame = forSale[place]
  if (!frame) throw new Error('Downtown has too few frames for sale')
  return frame
}

const recordOf = (frame: PulledFrame) => t.office.get<FrameRecord>(`/api/inventory/lookup?sku=${frame.sku}`)
const historyOf = (frame: PulledFrame) => t.office.get<ItemHistory>(`/api/inventory/history?sku=${frame.sku}`)

/** Saves the open edit. Returns the request that the app sent. */
async function save(): Promise<Record<string, unknown>> {
  const [sent] = await Promise.all([
    t.page.waitForRequest((request: Request) => request.url().endsWith('/api/inventory/update_state')),
    button('Save').click(),
  ])
  return sent.postDataJSON() as Record<string, unknown>
}

describe('looking a frame up', () => {
  test('an empty search asks for a code, and an unknown code gets the red box', async () => {
    await lookUp('  ')
    await dialog().getByText('This field is required').waitFor()
    await dialog().getByLabel('Serial / F#').fill('NOWHERE-1')
    await button('Look up').click()
    await dialog().getByRole('alert').getByText('Failed to fetch frame information. Please try again.').waitFor()
    expect(await button('Item History').count()).toBe(0)
  })

  test('without the network this tablet shows the frame, and its history waits for the server', async () => {
    const frame = frameAt(0)
    await t.tablet.context.setOffline(true)
    await t.page.getByRole('link', { name: /^Offline/ }).waitFor()
    await lookUp(frame.serial.toLowerCase())
    const shown = dialog().getByRole('region', { name: 'Frame', exact: true })
    await shown.getByText(frame.sku, { exact: true }).waitFor()
    for (const text of [frame.brand_name, frame.serial, frame.status]) expect(await shown.getByText(text).first().isVisible()).toBe(true)
    await dialog().getByText('This information is from this device.').waitFor()
    expect([await button('Item History').isDisabled(), await button('Edit').isDisabled()]).toEqual([true, false])
    expect(await dialog().getByRole('alert').count()).toBe(0)

    await t.tablet.context.setOffline(false)
    await dialog().getByText('This information is from this device.').waitFor({ state: 'detached' })
    expect([await button('Item History').isEnabled(), await button('Edit').isEnabled()]).toEqual([true, true])
  })

  test('its history comes from the server in a wider dialog, and a user can hide it again', async () => {
    const frame = frameAt(1)
    const { transaction_history } = await historyOf(frame)
    expect(transaction_history.length).toBeGreaterThan(0)
    await lookUp(frame.sku)
    await button('Item History').waitFor()
    const narrow = await widthOf()
    await button('Item History').click()
    await transactions().first().waitFor()
    await expect.poll(() => transactions().count()).toBe(transaction_history.length)
    const actions = await transactions().locator('td:nth-child(2)').allInnerTexts()
    expect(actions).toEqual(transaction_history.map((row) => row.action))
    expect(await widthOf()).toBeGreaterThan(narrow)
    await button('Hide History').click()
    await dialog().getByRole('region', { name: 'Frame', exact: true }).waitFor()
    expect(await widthOf()).toBe(narrow)
  })
})

describe('changing its state', () => {
  test('without the network this tablet saves the change, keeps it over a reload, and sends it when you’re back online', async () => {
    const frame = frameAt(6)
    await t.tablet.context.setOffline(true)
    await t.page.getByRole('link', { name: /^Offline/ }).waitFor()
    await lookUp(frame.sku)
    await button('Edit').click()
    await dialog()
      .getByRole('radio', { name: /^Defective/ })
      .click()
    await note().fill('left hinge')
    await button('Save').click()
    await dialog().getByText('Waiting to send: Defective').waitFor()
    expect(await button('Edit').isDisabled()).toBe(true)
    await t.page.reload()
    await t.page.getByRole('heading', { name: 'Today' }).waitFor()
    await lookUp(frame.sku)
    await dialog().getByText('Waiting to send: Defective').waitFor()

    await t.tablet.context.setOffline(false)
    await dialog().getByText('Waiting to send: Defective').waitFor({ state: 'detached' })
    expect(await recordOf(frame)).toMatchObject({ status: 'Defective', note: 'left hinge' })
    expect((await historyOf(frame)).transaction_history[0]).toMatchObject({ rep: 'Maya Okonjo', action: 'Defective' })
  })

  test('is saved without the quotes of its note, and then tops the history in the dialog', async () => {
    const frame = frameAt(2)
    await lookUp(frame.sku)
    await button('Item History').waitFor()
    const narrow = await widthOf()
    await button('Edit').click()
    await expect.poll(() => dialog().getByRole('radio').count()).toBe(7)
    expect(await note().getAttribute('rows')).toBe('3')
    expect(await widthOf()).toBeGreaterThan(narrow)
    await button('Save').click()
    await dialog().getByText('You must select an inventory control option').waitFor()

    await dialog()
      .getByRole('radio', { name: /^Item is missing/ })
      .click()
    await note().fill(`Neither on the "board" nor in Ana's tray`)
    const { version } = await recordOf(frame)
    expect(await save()).toEqual({
      inventory_id: frame.id_inventory,
      state_remove: true,
      note: 'Neither on the board nor in Anas tray',
      version,
    })
    await button('Hide History').waitFor()
    const newest = transactions().first()
    await newest.getByText('Neither on the board nor in Anas tray').waitFor()
    for (const text of ['Item is missing', 'Missing', 'Maya']) expect(await newest.getByText(text).first().isVisible()).toBe(true)
    expect(await recordOf(frame)).toMatchObject({ status: 'Missing', note: 'Neither on the board nor in Anas tray' })
  })

  test('sends no note when the note is empty or has quotes only', async () => {
    const frame = frameAt(3)
    await lookUp(frame.sku)
    await button('Edit').click()
    await dialog()
      .getByRole('radio', { name: /^Item is missing/ })
      .click()
    expect(await save()).not.toHaveProperty('note')
    await button('Hide History').waitFor()
    await button('Edit').click()
    await dialog()
      .getByRole('radio', { name: /^Found missing/ })
      .click()
    await note().fill(` "'" `)
    expect(await save()).not.toHaveProperty('note')
    await button('Hide History').waitFor()
    expect(await recordOf(frame)).toMatchObject({ status: 'Ready for Sale', note: null })
  })

  test('asks for a required note before it sends anything', async () => {
    const frame = frameAt(4)
    await lookUp(frame.sku)
    await button('Edit').click()
    await dialog()
      .getByRole('radio', { name: /^Defective/ })
      .click()
    await button('Save').click()
    await dialog().getByText('This action needs a note').waitFor()
    expect(await recordOf(frame)).toMatchObject({ status: 'Ready for Sale' })
    await note().fill('Left temple bent')
    await save()
    await button('Hide History').waitFor()
    expect(await recordOf(frame)).toMatchObject({ status: 'Defective', note: 'Left temple bent' })
  })
})
