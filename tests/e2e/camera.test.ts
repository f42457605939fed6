import bwipjs from 'bwip-js/node'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageOf, signIn, until } from '#tests/e2e/clinic.ts'
import {
  everythingSent,
  expectCounted,
  openCountRoom,
  readyForOffline,
  scansAt,
  startCount,
  type CountRoom,
} from '#tests/e2e/count-room.ts'
import { feelNetwork, startsWithoutServer } from '#tests/e2e/screen.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'

let room: CountRoom
let tablet: Tablet
let page: Page

beforeAll(async () => {
  room = await openCountRoom()
  tablet = await openTablet()
  await tablet.context.addInitScript(bringCamera)
  page = await pageOf(tablet)
  await signIn(page, room.server, 'maya')
  await readyForOffline(page, room.server.origin, room.expected.length)
})
afterAll(async () => {
  await tablet?.close()
  await room?.close()
})

/** Runs in the page: a fake camera that shows the picture given to `showLabel`. The packaged browser has no camera. */
function bringCamera() {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
  const pen = canvas.getContext('2d')!
  let label: ImageBitmap | null = null
  setInterval(() => {
    pen.fillStyle = '#8a8f94'
    pen.fillRect(0, 0, 640, 480)
    // A real lens never gives the same picture twice.
    pen.fillStyle = `hsl(${Math.random() * 360} 20% 50%)`
    pen.fillRect(0, 0, 8, 8)
    if (label) pen.drawImage(label, 320 - label.width / 2, 240 - label.height / 2)
  }, 60)
  Object.assign(window, {
    showLabel: async (png: string | null) => {
      label =
        png === null ? null : await createImageBitmap(new Blob([Uint8Array.from(atob(png), (c) => c.charCodeAt(0))], { type: 'image/png' }))
    },
  })
  navigator.mediaDevices.getUserMedia = () => Promise.resolve(canvas.captureStream(15))
}

async function hold(code: string | null, bcid = 'code128'): Promise<void> {
  const png =
    code === null
      ? null
      : (await bwipjs.toBuffer({ bcid, text: code, scale: 2, height: 18, padding: 10, backgroundcolor: 'ffffff' })).toString('base64')
  await page.evaluate((picture) => (window as unknown as { showLabel: (png: string | null) => Promise<void> }).showLabel(picture), png)
}

const camera = () => page.getByRole('region', { name: 'Camera' })

test('a tablet without a scanner counts with its camera, also without the server, and counts each label once', async () => {
  const id = await startCount(page, room.server.origin)
  await everythingSent(page)
  await startsWithoutServer(page)
  await room.server.kill()
  await page.reload()
  const [first, second] = room.labels(0, 2) as [string, string]
  await hold(null)
  await page.getByRole('button', { name: 'Camera', exact: true }).click()
  await camera().getByText('Hold the label in front of the camera.').waitFor()
  await hold(first)
  await expectCounted(page, 1)
  // The label stays before the camera longer than a second reading takes.
  await page.waitForFunction((from) => performance.now() - from > 2000, await page.evaluate(() => performance.now()))
  await hold(second, 'qrcode')
  await expectCounted(page, 2)
  // No frame has this code. The camera accepts it when two pictures agree, and the count lists it as unknown.
  await hold('NOBODY-KNOWS-7', 'datamatrix')
  await camera().getByText('Read: NOBODY-KNOWS-7').waitFor()
  await camera().getByRole('button', { name: 'Close the camera' }).click()
  await camera().waitFor({ state: 'detached' })

  await room.server.start()
  await feelNetwork(page)
  const scans = await until(
    () => scansAt(room.office, id),
    (seen) => seen.length >= 3,
    'all three arrive',
  )
  expect(scans.map(({ raw_code }) => raw_code).toSorted()).toEqual([first, second, 'NOBODY-KNOWS-7'].toSorted())
})

test('the lookup takes one label and closes the camera', async () => {
  await page.goto(room.server.origin)
  await hold(null)
  await page.getByRole('button', { name: 'Frame lookup', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Frame lookup by Serial / F#' })
  await dialog.getByRole('button', { name: 'Scan with the camera' }).click()
  const [label] = room.labels(4, 5) as [string]
  await hold(label)
  await dialog.getByRole('region', { name: 'Camera' }).waitFor({ state: 'detached' })
  await expect.poll(() => dialog.getByLabel('Serial / F#').inputValue()).toBe(label)
  await dialog.getByRole('button', { name: 'History' }).waitFor()
})
